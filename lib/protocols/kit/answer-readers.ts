import type { AnswerReader } from "@/lib/protocols/adapters/answer-reader";
import { chatReader } from "@/lib/protocols/chat/node/answer-reader";
import { geminiReader } from "@/lib/protocols/gemini/node/answer-reader";
import { messagesReader } from "@/lib/protocols/messages/node/answer-reader";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { responsesReader } from "@/lib/protocols/responses/node/answer-reader";

/**
 * The readers of each protocol's answers, with the decoders of the node half; pages in a browser may import them.
 * A call without an id gets none.
 */
export const answerReaders: { readonly [P in ClientProtocol]: AnswerReader } = {
  chat: chatReader(() => ""),
  messages: messagesReader,
  responses: responsesReader,
  gemini: geminiReader,
};
