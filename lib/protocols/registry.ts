import type { ClientAdapter } from "./adapters/client-adapter";
import type { NodeAdapter } from "./adapters/node-adapter";
import type { ProtocolAdapter } from "./adapters/protocol-adapter";
import { chatAdapter } from "./chat/adapter";
import { geminiAdapter } from "./gemini/adapter";
import { vertexGemini } from "./gemini/hosts/vertex";
import { messagesAdapter } from "./messages/adapter";
import { bedrockInvoke } from "./messages/hosts/bedrock-invoke";
import { vertexPredict } from "./messages/hosts/vertex-predict";
import { hostFormOf, type ProvidedNode } from "./profiles/provider";
import type { HostFormId } from "./profiles/providers";
import { type ClientProtocol, clientProtocols, type NodeProtocol, type Protocol } from "./protocol";
import { responsesAdapter } from "./responses/adapter";

/** The protocols that clients and nodes speak. Only this file imports all adapters. Source: docs/architecture.md#s2. */
export const protocols: { readonly [P in Protocol]: ProtocolAdapter } = {
  chat: chatAdapter,
  messages: messagesAdapter,
  responses: responsesAdapter,
  gemini: geminiAdapter,
};

/** The client half of each protocol. */
export const clientAdapters: { readonly [P in ClientProtocol]: ClientAdapter } = { ...protocols };

/** The node half of each protocol; this list also holds protocols that only nodes speak. */
export const nodeAdapters: { readonly [P in NodeProtocol]: NodeAdapter } = { ...protocols };

/** The node halves of hosts that have a form of their own. Source: docs/clouds.md#forms. */
const hostAdapters: Readonly<Record<HostFormId, NodeAdapter>> = {
  "bedrock-invoke": bedrockInvoke,
  "vertex-gemini": vertexGemini,
  "vertex-predict": vertexPredict,
};

/** The node half for a node, by its protocol and by the form of its host. */
export function nodeAdapterOf(node: ProvidedNode): NodeAdapter {
  const form = hostFormOf(node);
  return form === null ? nodeAdapters[node.protocol] : hostAdapters[form];
}

/** The default protocol of replies, for clients whose protocol is unknown. */
const usual: ClientProtocol = "chat";

/** The protocol whose error format applies to a path. Source: docs/protocols.md#s13-1. */
export function protocolOfPath(path: string): ClientProtocol {
  for (const id of clientProtocols) {
    const { clientPath } = clientAdapters[id];
    if (path.startsWith(clientPath) && (path.length === clientPath.length || path[clientPath.length] === "/"))
      return id;
  }
  return usual;
}

/** The protocol of a client, by its headers only. Source: docs/contract.md#b11. */
export function protocolOfHeaders(headers: Readonly<Record<string, string | undefined>>): ClientProtocol {
  return clientProtocols.find((id) => clientAdapters[id].speaks(headers)) ?? usual;
}
