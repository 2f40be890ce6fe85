import { chatKit } from "@/lib/protocols/chat/kit/kit";
import { geminiKit } from "@/lib/protocols/gemini/kit/kit";
import { messagesKit } from "@/lib/protocols/messages/kit/kit";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { responsesKit } from "@/lib/protocols/responses/kit/kit";
import type { ProtocolKit } from "./protocol-kit";

/** The kit of each protocol, for callers; pages in a browser may import it. Source: docs/architecture.md#s2. */
export const protocolKits: { readonly [P in ClientProtocol]: ProtocolKit } = {
  chat: chatKit,
  messages: messagesKit,
  responses: responsesKit,
  gemini: geminiKit,
};
