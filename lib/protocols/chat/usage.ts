import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { count, inputCounts, isReported, outputCounts } from "@/lib/protocols/generation/counts";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { partsOf, uncachedMedia } from "@/lib/protocols/generation/token-parts";

/** The counts of a usage object, after repair. */
export interface ReadUsage {
  usage: PartialUsage;
  warnings: string[];
}

/**
 * The canonical counts of a chat `usage` object, after repair of the forms that servers mix up. Counts that are not
 * whole numbers >= 0 are refused and left out. Source: docs/protocols.md#s11-3, docs/reliability.md#s2-6.
 */
export function readChatUsage(raw: JsonObject): ReadUsage {
  const warnings: string[] = [];
  const field = (name: string, from: JsonObject = raw) => {
    const value = count(from[name]);
    if (value === undefined && isReported(from[name])) warnings.push(`usage:${name}`);
    return value;
  };
  const promptDetails = isObject(raw.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const outputDetails = isObject(raw.completion_tokens_details) ? raw.completion_tokens_details : {};
  const total = field("total_tokens");
  const reasoning = field("reasoning_tokens", outputDetails) ?? field("reasoning_tokens");
  const read =
    field("cached_tokens", promptDetails) ??
    field("cached_tokens") ??
    field("prompt_cache_hit_tokens") ??
    field("cache_read_input_tokens");
  const written =
    field("cache_write_tokens", promptDetails) ??
    field("cache_creation_input_tokens", promptDetails) ??
    field("cache_creation_input_tokens");
  const told = field("completion_tokens");
  const parts = partsOf({
    ...uncachedMedia(promptDetails),
    audioOutput: count(outputDetails.audio_tokens),
    imageOutput: count(outputDetails.image_tokens),
  });
  const prompt = repairedPrompt(raw, field("prompt_tokens"), told, read, written, total);
  const usage: PartialUsage = { ...outputCounts({ prompt, output: told, reasoning, total }), ...parts };
  if (prompt === undefined) return { usage, warnings: unique(warnings) };
  if ((read ?? 0) + (written ?? 0) > prompt) warnings.push("usage:cached_tokens");
  Object.assign(usage, inputCounts(prompt, read ?? 0, written ?? 0));
  return { usage, warnings: unique(warnings) };
}

function repairedPrompt(
  raw: JsonObject,
  prompt: number | undefined,
  output: number | undefined,
  read = 0,
  written = 0,
  total?: number,
): number | undefined {
  if (prompt === undefined)
    return total !== undefined && output !== undefined && total >= output ? total - output : undefined;
  const messagesStyle = "cache_read_input_tokens" in raw || "cache_creation_input_tokens" in raw;
  const apart = messagesStyle && read + written > 0 && total === prompt + (output ?? 0) + read + written;
  return apart ? prompt + read + written : prompt;
}

function unique(codes: string[]): string[] {
  return codes.length < 2 ? codes : [...new Set(codes)];
}

/** The chat `usage` object of canonical counts. Source: docs/protocols.md#s11-2. */
export function writeChatUsage(usage: PartialUsage): JsonObject {
  const read = usage.cacheRead ?? 0;
  const written = usage.cacheWrite ?? 0;
  const prompt = (usage.inputUncached ?? 0) + read + written;
  const output = usage.output ?? 0;
  const { audioInput = 0, audioOutput = 0 } = usage.parts ?? {};
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written, audio_tokens: audioInput },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning ?? 0,
      audio_tokens: audioOutput,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Merges the usages that choices report; each of them includes the whole prompt. Source: docs/contract.md#b4. */
export function sumOfChoices(usages: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = usages;
  if (others.length === 0) return first;
  const output = usages.reduce((sum, usage) => sum + (count(usage.completion_tokens) ?? 0), 0);
  const details = sumOfDetails(usages.map(({ completion_tokens_details: told }) => told));
  return {
    ...first,
    completion_tokens: output,
    total_tokens: (count(first.prompt_tokens) ?? 0) + output,
    ...(details !== null && { completion_tokens_details: details }),
  };
}

/** Null: no choice has any. */
function sumOfDetails(told: readonly unknown[]): JsonObject | null {
  const known = told.filter(isObject);
  if (known.length === 0) return null;
  const sums: Record<string, number> = {};
  for (const details of known) {
    for (const [name, value] of Object.entries(details)) sums[name] = (sums[name] ?? 0) + (count(value) ?? 0);
  }
  return sums;
}
