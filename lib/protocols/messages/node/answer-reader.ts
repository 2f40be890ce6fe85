import type { AnswerReader } from "@/lib/protocols/adapters/answer-reader";
import { MessagesDecoder } from "./decode";
import { plainMessagesEvents } from "./plain-answer";
import { messagesPayloads } from "./whole";

/** Reads messages answers. */
export const messagesReader: AnswerReader = {
  decoder: (options) => new MessagesDecoder(options),
  decodeWhole(body, options) {
    const plain = plainMessagesEvents(body);
    if (plain !== null) return plain;
    const decoder = new MessagesDecoder(options);
    return [...messagesPayloads(body).flatMap((payload) => decoder.accept(payload)), ...decoder.end()];
  },
};
