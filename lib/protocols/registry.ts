import type { ProtocolAdapter } from "./adapters/protocol-adapter";
import { chatAdapter } from "./chat/adapter";
import { messagesAdapter } from "./messages/adapter";
import { type Protocol, protocolIds } from "./protocol";
import { responsesAdapter } from "./responses/adapter";

/** Every protocol that callers and nodes speak. The only place that knows all adapters. Source: docs/architecture.md#s2. */
export const protocols: { readonly [P in Protocol]: ProtocolAdapter } = {
  chat: chatAdapter,
  messages: messagesAdapter,
  responses: responsesAdapter,
};

/** The protocol of the replies to clients whose protocol is unknown. */
const usual: Protocol = "chat";

/** The protocol whose words a path uses. Source: docs/protocols.md#s13-1. */
export function protocolOfPath(path: string): Protocol {
  for (const id of protocolIds) {
    const { clientPath } = protocols[id];
    if (path.startsWith(clientPath) && (path.length === clientPath.length || path[clientPath.length] === "/"))
      return id;
  }
  return usual;
}

/** The protocol of a client that is only known by its headers. Source: docs/contract.md#b11. */
export function protocolOfHeaders(headers: Readonly<Record<string, string | undefined>>): Protocol {
  return protocolIds.find((id) => protocols[id].speaks(headers)) ?? usual;
}
