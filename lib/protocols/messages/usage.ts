import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { count, isReported } from "@/lib/protocols/generation/counts";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { servedBy } from "@/lib/protocols/generation/served-tier";
import { partsOf } from "@/lib/protocols/generation/token-parts";

/**
 * Merges a messages `usage` object into the known counts: the three input counts only grow, the output count is
 * cumulative and overwrites. Counts that are not whole numbers >= 0 are refused. Returns warnings.
 * Source: docs/protocols.md#s11-2, #s11-6, docs/reliability.md#s2-6.
 */
export function mergeMessagesUsage(known: PartialUsage, raw: JsonObject): string[] {
  const warnings: string[] = [];
  const field = (name: string, from: JsonObject = raw) => {
    const value = count(from[name]);
    if (value === undefined && isReported(from[name])) warnings.push(`usage:${name}`);
    return value;
  };
  const input = field("input_tokens");
  const read = field("cache_read_input_tokens");
  const written = field("cache_creation_input_tokens") ?? writtenByLifetime(raw);
  const output = field("output_tokens");
  const details = isObject(raw.output_tokens_details) ? raw.output_tokens_details : {};
  const thinking = field("thinking_tokens", details);
  if (input !== undefined) known.inputUncached = Math.max(known.inputUncached ?? 0, input);
  if (read !== undefined) known.cacheRead = Math.max(known.cacheRead ?? 0, read);
  if (written !== undefined) known.cacheWrite = Math.max(known.cacheWrite ?? 0, written);
  if (output !== undefined) known.output = output;
  if (thinking !== undefined) known.reasoning = thinking;
  Object.assign(known, servedBy(raw.service_tier), writtenForAnHour(raw, known));
  addCompaction(known, raw.iterations);
  return warnings;
}

/**
 * The totals of an answer with compaction exclude the compaction; the sum of the entries of both replaces them. Source:
 * docs/protocols.md#s11-2.
 */
function addCompaction(known: PartialUsage, iterations: unknown): void {
  const entries = Array.isArray(iterations) ? iterations.filter(isObject) : [];
  if (!entries.some((entry) => entry.type === "compaction")) return;
  const counted = entries.filter((entry) => entry.type === "compaction" || entry.type === "message");
  const forAnHour = counted.reduce((total, entry) => total + oneHourWrites(entry), 0);
  const sum = (name: string) => counted.reduce((total, entry) => total + (count(entry[name]) ?? 0), 0);
  known.inputUncached = sum("input_tokens");
  known.cacheRead = sum("cache_read_input_tokens");
  known.cacheWrite = sum("cache_creation_input_tokens");
  known.output = sum("output_tokens");
  Object.assign(known, partsOf({ cacheWrite1h: forAnHour }));
}

function writtenByLifetime(raw: JsonObject): number | undefined {
  if (!isObject(raw.cache_creation)) return undefined;
  const short = count(raw.cache_creation.ephemeral_5m_input_tokens);
  const long = count(raw.cache_creation.ephemeral_1h_input_tokens);
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
}

/** Tokens written to the cache for an hour; like the whole count they only grow. */
function writtenForAnHour(raw: JsonObject, known: PartialUsage) {
  return partsOf({ cacheWrite1h: Math.max(oneHourWrites(raw), known.parts?.cacheWrite1h ?? 0) });
}

function oneHourWrites({ cache_creation: lifetimes }: JsonObject): number {
  return isObject(lifetimes) ? (count(lifetimes.ephemeral_1h_input_tokens) ?? 0) : 0;
}

/** The messages `usage` object of canonical counts. Source: docs/protocols.md#s11-3. */
export function writeMessagesUsage(usage: PartialUsage): JsonObject {
  const written: JsonObject = {
    input_tokens: usage.inputUncached ?? 0,
    output_tokens: usage.output ?? 0,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
    cache_read_input_tokens: usage.cacheRead ?? 0,
  };
  if (usage.reasoning !== undefined) written.output_tokens_details = { thinking_tokens: usage.reasoning };
  return written;
}
