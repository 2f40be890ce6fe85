import type { JsonObject } from "@/lib/kernel/json-object";
import type { PartialUsage } from "@/lib/protocols/generation/events";

/**
 * The `usageMetadata` of canonical counts. Tokens that were written to a cache have no field; the prompt includes them.
 * Source: docs/gemini.md#usage.
 */
export function writeGeminiUsage(usage: PartialUsage): JsonObject {
  const { inputUncached = 0, cacheRead = 0, cacheWrite = 0, output = 0, reasoning = 0 } = usage;
  const prompt = inputUncached + cacheRead + cacheWrite;
  const thoughts = Math.min(reasoning, output);
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - thoughts,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    ...(cacheRead > 0 ? { cachedContentTokenCount: cacheRead } : {}),
    totalTokenCount: prompt + output,
  };
}
