import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ServedTier } from "@/lib/kernel/usage";
import { count, inputCounts, isReported } from "@/lib/protocols/generation/counts";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { partsOf } from "@/lib/protocols/generation/token-parts";

/** The counts of a usage object. */
interface ReadUsage {
  usage: PartialUsage;
  warnings: string[];
}

/** The service tier of each kind of traffic that a node names. */
const tierOfTraffic: ReadonlyMap<unknown, ServedTier> = new Map([
  ["ON_DEMAND", "standard"],
  ["PROVISIONED_THROUGHPUT", "standard"],
  ["ON_DEMAND_PRIORITY", "priority"],
  ["ON_DEMAND_FLEX", "flex"],
]);

/**
 * The canonical counts of a node's `usageMetadata`: a running total that each chunk replaces. Its prompt includes the
 * cached tokens, not those that tools have read; its candidates exclude the thoughts. Counts that are not whole numbers
 * from 0 are refused and left out. Source: docs/gemini.md#usage, docs/reliability.md#s2-6.
 */
export function readGeminiUsage(raw: JsonObject): ReadUsage {
  const warnings: string[] = [];
  const field = (name: string) => {
    const value = count(raw[name]);
    if (value === undefined && isReported(raw[name])) warnings.push(`usage:${name}`);
    return value;
  };
  const prompt = field("promptTokenCount");
  const read = field("toolUsePromptTokenCount") ?? 0;
  const cached = field("cachedContentTokenCount") ?? 0;
  const counted = {
    answer: field("candidatesTokenCount"),
    thoughts: field("thoughtsTokenCount"),
    total: field("totalTokenCount"),
  };
  const usage: PartialUsage = { ...outputOf(counted, prompt, read, warnings), ...mediaOf(raw) };
  const served = tierOfTraffic.get(raw.trafficType);
  if (served !== undefined) usage.served = served;
  if (prompt === undefined) return { usage, warnings };
  if (cached > prompt) warnings.push("usage:cachedContentTokenCount");
  Object.assign(usage, inputCounts(prompt + read, Math.min(cached, prompt + read), 0));
  return { usage, warnings };
}

interface CountedOutput {
  answer: number | undefined;
  thoughts: number | undefined;
  total: number | undefined;
}

/** Output and thoughts; tokens that only the total includes are thoughts. */
function outputOf(
  { answer, thoughts, total }: CountedOutput,
  prompt: number | undefined,
  read: number,
  warnings: string[],
): PartialUsage {
  if (answer === undefined && thoughts === undefined && (total === undefined || prompt === undefined))
    return {};
  const told = (answer ?? 0) + (thoughts ?? 0);
  const byTotal = total === undefined || !prompt ? told : total - prompt - read;
  if (byTotal <= told) return { output: told, reasoning: thoughts ?? 0 };
  if (answer !== undefined) warnings.push("usage:totalTokenCount");
  return { output: byTotal, reasoning: byTotal - (answer ?? 0) };
}

/** Audio and images of prompt and answer, without what was read from the cache. */
function mediaOf(raw: JsonObject): PartialUsage {
  const prompt = byModality(raw.promptTokensDetails);
  const cached = byModality(raw.cacheTokensDetails);
  const answer = byModality(raw.candidatesTokensDetails);
  const uncached = (kind: string) => Math.max(0, (prompt.get(kind) ?? 0) - (cached.get(kind) ?? 0));
  return partsOf({
    audioInput: uncached("AUDIO"),
    imageInput: uncached("IMAGE"),
    audioOutput: answer.get("AUDIO"),
    imageOutput: answer.get("IMAGE"),
  });
}

function byModality(details: unknown): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const entry of Array.isArray(details) ? details : []) {
    const tokens = isObject(entry) ? count(entry.tokenCount) : undefined;
    if (isObject(entry) && tokens !== undefined)
      counts.set(entry.modality, (counts.get(entry.modality) ?? 0) + tokens);
  }
  return counts;
}
