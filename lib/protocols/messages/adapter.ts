import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import { messagesClient } from "./client/adapter";
import { messagesDirect } from "./direct/adapter";
import { messagesNode } from "./node/adapter";

/** Messages, both halves. */
export const messagesAdapter: ProtocolAdapter = {
  ...messagesClient,
  ...messagesNode,
  direct: messagesDirect,
};
