import type { AnswerReader } from "@/lib/protocols/adapters/answer-reader";
import { GeminiDecoder } from "./decode";
import { geminiEvents } from "./whole";

/** Reads Gemini answers. */
export const geminiReader: AnswerReader = {
  decoder: (options) => new GeminiDecoder(options),
  decodeWhole: geminiEvents,
};
