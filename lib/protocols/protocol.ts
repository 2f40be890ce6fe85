/**
 * The wire protocols that callers and nodes speak. Everything that lists protocols derives from this.
 * Source: docs/architecture.md#s3.
 */
export const protocolIds = ["chat", "messages", "responses"] as const;

/** The name of a protocol that callers and nodes speak. */
export type Protocol = (typeof protocolIds)[number];

/** The protocol of this name; undefined where there is none. */
export function protocolNamed(name: string): Protocol | undefined {
  return protocolIds.find((id) => id === name);
}

/** The path at which clients of a protocol ask for a generation. */
export const clientPaths: Readonly<Record<Protocol, `/${string}`>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
};

/** The path at which clients ask for embeddings. Source: docs/embeddings.md#request. */
export const embeddingsPath = "/v1/embeddings";

/** What an alias does for its callers. */
export const modelKinds = ["generation", "embedding"] as const;

/** What an alias does for its callers: it generates answers, or it embeds texts. */
export type ModelKind = (typeof modelKinds)[number];

/** What a model may be known to do, beside answering in text. Source: docs/contract.md#capabilities. */
export const modelCapabilities = ["images", "json", "tools", "reasoning"] as const;

/** Reads images, answers by a JSON schema, calls tools, or thinks before it answers. */
export type ModelCapability = (typeof modelCapabilities)[number];

/** What a request asks of a node, as the log shows it. */
export const operationNames = ["generate", "embed", "count", "compact"] as const;

/** What a request asks of a node. */
export type OperationName = (typeof operationNames)[number];
