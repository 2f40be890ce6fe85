/** The wire protocols that clients speak. All lists of them derive from this one. Source: docs/architecture.md#s3. */
export const clientProtocols = ["chat", "messages", "responses", "gemini"] as const;

/** The wire protocols that nodes speak. All lists of them derive from this one. Source: docs/architecture.md#s3. */
export const nodeProtocols = ["chat", "messages", "responses", "gemini"] as const;

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

/** The titles of protocols in headings and lists. */
export const protocolTitles: Readonly<Record<ClientProtocol | NodeProtocol, string>> = {
  chat: "Chat Completions",
  messages: "Messages",
  responses: "Responses",
  gemini: "Gemini",
};

/** The path at which clients of a protocol ask for a generation. */
export const clientPaths: Readonly<Record<ClientProtocol, `/${string}`>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
  gemini: "/v1beta/models/{model}:generateContent",
};

/** The path at which clients ask for embeddings. Source: docs/embeddings.md#request. */
export const embeddingsPath = "/v1/embeddings";

/** The kinds of alias: what its callers get. */
export const modelKinds = ["generation", "embedding"] as const;

/** The kind of an alias: it generates answers or embeds texts. */
export type ModelKind = (typeof modelKinds)[number];

/** The optional capabilities of a model. Source: docs/contract.md#capabilities. */
export const modelCapabilities = ["images", "json", "tools", "reasoning"] as const;

/** The model reads images, answers by a JSON schema, calls tools, or reasons before it answers. */
export type ModelCapability = (typeof modelCapabilities)[number];

/** The operations of a request on a node, as the log shows them. */
export const operationNames = ["generate", "embed", "count", "compact"] as const;

/** The operation of a request on a node. */
export type OperationName = (typeof operationNames)[number];
