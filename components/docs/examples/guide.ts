import type { Messages } from "../../i18n/messages";

/** The guides that have examples. */
export const guides = [
  "streaming",
  "tools",
  "json",
  "images",
  "errors",
  "limits",
  "money",
  "keys",
  "usage",
  "failover",
  "protocols",
  "explain",
] as const;
export type Guide = (typeof guides)[number];

/** What an example is filled in with. */
export interface ExampleValues {
  /** Base URL without `/v1` and without a slash at the end. */
  baseUrl: string;
  model: string;
  comments: Messages["guide"]["comments"];
}

/** Code that runs as it is where the variable has a key. */
export type Example = (values: ExampleValues) => string;
