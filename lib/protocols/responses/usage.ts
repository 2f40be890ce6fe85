import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { count, inputCounts, isReported, outputCounts } from "@/lib/protocols/generation/counts";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { partsOf, uncachedMedia } from "@/lib/protocols/generation/token-parts";

/** The counts of a usage object. */
interface ReadUsage {
  usage: PartialUsage;
  warnings: string[];
}

/**
 * The canonical counts of a node's `usage` object; its input includes the tokens read from and written to the cache.
 * Counts that are not whole numbers >= 0 are refused and left out. Source: docs/responses.md#s2-5,
 * docs/reliability.md#s2-6.
 */
export function readResponsesUsage(raw: JsonObject): ReadUsage {
  const warnings: string[] = [];
  const field = (name: string, from: unknown = raw) => {
    const told = isObject(from) ? from[name] : undefined;
    const value = count(told);
    if (value === undefined && isReported(told)) warnings.push(`usage:${name}`);
    return value;
  };
  const output = field("output_tokens");
  const reasoning = field("reasoning_tokens", raw.output_tokens_details);
  const input = field("input_tokens");
  const total = field("total_tokens");
  const [prompt, answer] = [objectOf(raw.input_tokens_details), objectOf(raw.output_tokens_details)];
  const parts = partsOf({
    ...uncachedMedia(prompt),
    audioOutput: count(answer.audio_tokens),
    imageOutput: count(answer.image_tokens),
  });
  const usage: PartialUsage = { ...outputCounts({ prompt: input, output, reasoning, total }), ...parts };
  const read = field("cached_tokens", raw.input_tokens_details) ?? 0;
  const written = field("cache_write_tokens", raw.input_tokens_details) ?? 0;
  if (input === undefined) return { usage, warnings };
  if (read + written > input) warnings.push("usage:input_tokens_details");
  Object.assign(usage, inputCounts(input, read, written));
  return { usage, warnings };
}

/**
 * A node's `usage` with every member that clients require: the total, and the counts inside the details. Returns the
 * same object if nothing is missing. Source: docs/responses.md#s2-5.
 */
export function completeUsage(usage: JsonObject): JsonObject {
  const { input_tokens: input, output_tokens: output } = usage;
  if (typeof input !== "number" || typeof output !== "number") return usage;
  const missing: JsonObject = {};
  if (typeof usage.total_tokens !== "number") missing.total_tokens = input + output;
  for (const [details, name] of countedDetails) {
    const given = objectOf(usage[details]);
    if (typeof given[name] !== "number") missing[details] = { ...given, [name]: 0 };
  }
  return Object.keys(missing).length === 0 ? usage : { ...usage, ...missing };
}

const countedDetails = [
  ["input_tokens_details", "cached_tokens"],
  ["output_tokens_details", "reasoning_tokens"],
] as const;

/** The `usage` object of canonical counts; clients require every member. Source: docs/responses.md#s2-5. */
export function writeResponsesUsage(usage: PartialUsage): JsonObject {
  const read = usage.cacheRead ?? 0;
  const written = usage.cacheWrite ?? 0;
  const input = (usage.inputUncached ?? 0) + read + written;
  const output = usage.output ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: Math.min(usage.reasoning ?? 0, output) },
    total_tokens: input + output,
  };
}

/** The value if it is an object, else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
