/** The clouds of Microsoft, each with sign-in and scopes of its own. */
export const azureClouds = ["public", "us_government", "china"] as const;

/** A cloud of Microsoft. */
export type AzureCloud = (typeof azureClouds)[number];
