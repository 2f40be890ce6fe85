import type { AnswerReader } from "@/lib/protocols/adapters/answer-reader";
import { ResponsesDecoder } from "./decode";
import { responseEvents } from "./whole";

/** Reads responses. */
export const responsesReader: AnswerReader = {
  decoder: (options) => new ResponsesDecoder(options),
  decodeWhole: responseEvents,
};
