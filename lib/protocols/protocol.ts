/**
 * The wire protocols that callers and nodes speak. Everything that lists protocols derives from this.
 * Source: docs/architecture.md#s3.
 */
export const protocolIds = ["chat", "messages"] as const;

/** What a caller or a node speaks. */
export type Protocol = (typeof protocolIds)[number];
