/** The wire protocols that clients speak. What lists them derives from this. Source: docs/architecture.md#s3. */
export const clientProtocols = ["chat", "messages", "responses"] as const;

/** The wire protocols that nodes speak. What lists them derives from this. Source: docs/architecture.md#s3. */
export const nodeProtocols = ["chat", "messages", "responses"] as const;

/** The name of a protocol that clients speak. */
export type ClientProtocol = (typeof clientProtocols)[number];

/** The name of a protocol that nodes speak. */
export type NodeProtocol = (typeof nodeProtocols)[number];

/** The name of a protocol with both halves. */
export type Protocol = ClientProtocol & NodeProtocol;

/** The protocols with both halves. */
export const protocolIds: readonly Protocol[] = clientProtocols.filter((id) => nodeProtocolNamed(id) === id);

/** The client protocol of this name; undefined where there is none. */
export function clientProtocolNamed(name: string): ClientProtocol | undefined {
  return clientProtocols.find((id) => id === name);
}

/** The node protocol of this name; undefined where there is none. */
export function nodeProtocolNamed(name: string): NodeProtocol | undefined {
  return nodeProtocols.find((id) => id === name);
}

/** What a protocol is called in headings and lists. */
export const protocolTitles: Readonly<Record<ClientProtocol | NodeProtocol, string>> = {
  chat: "Chat Completions",
  messages: "Messages",
  responses: "Responses",
};

/** The path at which clients of a protocol ask for a generation. */
export const clientPaths: Readonly<Record<ClientProtocol, `/${string}`>> = {
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
