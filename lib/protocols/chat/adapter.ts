import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import { chatClient } from "./client/adapter";
import { chatDirect } from "./direct/adapter";
import { chatNode } from "./node/adapter";

/** Chat Completions, both halves. */
export const chatAdapter: ProtocolAdapter = { ...chatClient, ...chatNode, direct: chatDirect };
