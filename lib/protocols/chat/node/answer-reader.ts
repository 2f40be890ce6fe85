import type { AnswerReader } from "@/lib/protocols/adapters/answer-reader";
import type { NameCall } from "./chunk-normalizer";
import { ChatDecoder } from "./decode";
import { plainChatEvents } from "./plain-answer";
import { chatChunks } from "./whole";

/** Reads chat answers; `nameCall` makes the ids of calls without one. */
export function chatReader(nameCall: NameCall): AnswerReader {
  return {
    decoder: (options) => new ChatDecoder(options, nameCall),
    decodeWhole(body, options) {
      const plain = plainChatEvents(body, options.choices);
      if (plain !== null) return plain;
      const decoder = new ChatDecoder(options, nameCall);
      const events = chatChunks(body, options.choices).flatMap((chunk) => decoder.accept(chunk));
      return [...events, ...decoder.done()];
    },
  };
}
