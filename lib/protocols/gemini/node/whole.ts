import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { failureOf, wholeErrors } from "@/lib/protocols/failures/failure-body";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { GeminiDecoder, type GeminiDecoderOptions } from "./decode";

/**
 * A whole answer as the chunks of a stream: one, or those of a list, which is the form of a stream without `alt=sse`. A
 * body that is no answer becomes an error chunk. Source: docs/gemini.md#answers.
 */
function geminiChunks(body: unknown): JsonObject[] {
  const chunks = Array.isArray(body) ? body.filter(isObject) : [body];
  if (chunks.length === 0) return [{ error: { message: wholeErrors.noContent } }];
  return chunks.map((chunk) => {
    if (!isObject(chunk)) return { error: { message: wholeErrors.notAnObject } };
    const isAnswer = Array.isArray(chunk.candidates) || isObject(chunk.promptFeedback);
    const isUsage = Array.isArray(body) && isObject(chunk.usageMetadata);
    if (isAnswer || isUsage || failureOf(chunk) !== null) return chunk;
    return { error: { message: wholeErrors.noContent } };
  });
}

/** The events of a whole answer. Throws: nothing. */
export function geminiEvents(body: unknown, options: GeminiDecoderOptions): GenerationEvent[] {
  const decoder = new GeminiDecoder(options);
  return [...geminiChunks(body).flatMap((chunk) => decoder.accept(chunk)), ...decoder.end()];
}

/** A whole answer as the frames of a stream. */
export function geminiFrames(body: unknown): SseFrame[] {
  return geminiChunks(body).map((chunk) => ({ event: null, data: printJson(chunk) }));
}
