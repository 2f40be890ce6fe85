import type { AnswerReader } from "@/lib/protocols/adapters/answer-reader";
import { chatReader } from "@/lib/protocols/chat/node/answer-reader";
import { messagesReader } from "@/lib/protocols/messages/node/answer-reader";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { responsesReader } from "@/lib/protocols/responses/node/answer-reader";

/**
 * How the answers of each protocol are read, by the decoders that read those of nodes; pages in a browser may import it.
 * A call without an id stays without one.
 */
export const answerReaders: { readonly [P in ClientProtocol]: AnswerReader } = {
  chat: chatReader(() => ""),
  messages: messagesReader,
  responses: responsesReader,
};
