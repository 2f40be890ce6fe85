import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { count, isReported } from "@/lib/protocols/generation/problems";

/** A usage object as it was read. */
interface ReadUsage {
  usage: PartialUsage;
  warnings: string[];
}

/**
 * Canonical counts of a `usage` object of a node; its input includes what was read from and written to the cache. Counts
 * that are not whole numbers >= 0 are refused and left out. Source: docs/responses.md#s2-5, docs/reliability.md#s2-6.
 */
export function readResponsesUsage(raw: JsonObject): ReadUsage {
  const warnings: string[] = [];
  const field = (name: string, from: unknown = raw) => {
    const told = isObject(from) ? from[name] : undefined;
    const value = count(told);
    if (value === undefined && isReported(told)) warnings.push(`usage:${name}`);
    return value;
  };
  const usage: PartialUsage = {};
  const output = field("output_tokens");
  const reasoning = field("reasoning_tokens", raw.output_tokens_details);
  if (output !== undefined) usage.output = output;
  if (reasoning !== undefined) usage.reasoning = Math.min(reasoning, output ?? reasoning);
  const read = field("cached_tokens", raw.input_tokens_details) ?? 0;
  const written = field("cache_write_tokens", raw.input_tokens_details) ?? 0;
  const input = field("input_tokens");
  if (input === undefined) return { usage, warnings };
  if (read + written > input) warnings.push("usage:input_tokens_details");
  usage.cacheRead = Math.min(read, input);
  usage.cacheWrite = Math.min(written, input - usage.cacheRead);
  usage.inputUncached = input - usage.cacheRead - usage.cacheWrite;
  return { usage, warnings };
}

/** The `usage` object of canonical counts; clients need every member. Source: docs/responses.md#s2-5. */
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
