import type { Session, SqlValue } from "@/lib/db/database";
import { histogramQuantile, LATENCY_BUCKETS } from "@/lib/kernel/clock";
import { type ErrorCode, errorCodeOrder } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/usage";
import { coveringRollups, momentsOf, momentsText, type StatsRange } from "./stats-range";

/** Requests, tokens and cost. Units: micro-cents. */
export interface UsageCounts {
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroCents: bigint;
}

/** Sums over roll-ups that can be added. Units: micro-cents, milliseconds. */
export interface UsageSums extends UsageCounts {
  cacheSavingMicroCents: bigint;
  /** Tokens of the cache for which the saving is known. */
  cacheSavingTokens: number;
  latencySumMs: number;
  latencyHistogram: number[];
  errorCounts: number[];
}

/** The zero of `addUsage`. */
export function noUsage(): UsageSums {
  return {
    requestCount: 0,
    errorCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicroCents: 0n,
    cacheSavingMicroCents: 0n,
    cacheSavingTokens: 0,
    latencySumMs: 0,
    latencyHistogram: new Array<number>(LATENCY_BUCKETS).fill(0),
    errorCounts: new Array<number>(errorCodeOrder.length).fill(0),
  };
}

/** The sum of two usages. */
export function addUsage(a: UsageSums, b: UsageSums): UsageSums {
  return {
    requestCount: a.requestCount + b.requestCount,
    errorCount: a.errorCount + b.errorCount,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costMicroCents: a.costMicroCents + b.costMicroCents,
    cacheSavingMicroCents: a.cacheSavingMicroCents + b.cacheSavingMicroCents,
    cacheSavingTokens: a.cacheSavingTokens + b.cacheSavingTokens,
    latencySumMs: a.latencySumMs + b.latencySumMs,
    latencyHistogram: addArrays(a.latencyHistogram, b.latencyHistogram),
    errorCounts: addArrays(a.errorCounts, b.errorCounts),
  };
}

/** What a total has beyond some of its parts. */
export function withoutParts(total: UsageCounts, parts: readonly UsageCounts[]): UsageCounts {
  const rest = (read: (counts: UsageCounts) => number) =>
    parts.reduce((left, part) => left - read(part), read(total));
  return {
    requestCount: rest((counts) => counts.requestCount),
    errorCount: rest((counts) => counts.errorCount),
    promptTokens: rest((counts) => counts.promptTokens),
    completionTokens: rest((counts) => counts.completionTokens),
    cacheReadTokens: rest((counts) => counts.cacheReadTokens),
    cacheWriteTokens: rest((counts) => counts.cacheWriteTokens),
    costMicroCents: parts.reduce((left, part) => left - part.costMicroCents, total.costMicroCents),
  };
}

/** The figures of a key or an account. Source: docs/contract.md#s5. */
export function groupFiguresOf(counts: UsageCounts) {
  return {
    ...countsOf(counts),
    errorCount: counts.errorCount,
    cacheReadTokens: counts.cacheReadTokens,
    cacheWriteTokens: counts.cacheWriteTokens,
  };
}

/** The five numbers of a breakdown row. Source: docs/spec.md#s2-6. */
export function countsOf(sums: UsageCounts) {
  return {
    requestCount: sums.requestCount,
    promptTokens: sums.promptTokens,
    completionTokens: sums.completionTokens,
    cost: centsDecimal(sums.costMicroCents),
  };
}

/** All figures of a usage; latencies are null without measurements. */
export function figuresOf(sums: UsageSums) {
  return {
    ...groupFiguresOf(sums),
    cacheSaving: cacheSavingOf(sums),
    averageLatencyMs: sums.requestCount === 0 ? null : Math.round(sums.latencySumMs / sums.requestCount),
    p50Ms: histogramQuantile(sums.latencyHistogram, 0.5),
    p95Ms: histogramQuantile(sums.latencyHistogram, 0.95),
    errors: errorsOf(sums),
  };
}

/** Null: it is not known of all tokens of the cache. Source: docs/contract.md#cache-saving. */
function cacheSavingOf(sums: UsageSums): string | null {
  const isKnown = sums.cacheSavingTokens === sums.cacheReadTokens + sums.cacheWriteTokens;
  return isKnown ? centsDecimal(sums.cacheSavingMicroCents) : null;
}

/** Requests per error code, without zeros. */
function errorsOf(sums: UsageSums): Partial<Record<ErrorCode, number>> {
  const errors: Partial<Record<ErrorCode, number>> = {};
  for (const [index, code] of errorCodeOrder.entries()) {
    const count = sums.errorCounts[index] ?? 0;
    if (count > 0) errors[code] = count;
  }
  return errors;
}

function addArrays(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, index) => value + (b[index] ?? 0));
}

/** A filter of usage by account, key and model; absent fields match everything. */
export interface StatsFilter {
  userId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
}

/** The sums of a row of roll-ups, as text. */
export interface CountsRow {
  requests: string;
  errors: string;
  prompt: string;
  completion: string;
  cache_read: string;
  cache_write: string;
  cost: string;
}

/** The sums of roll-ups that `readCounts` reads. */
export const countSums = `sum(request_count)::text AS requests, sum(error_count)::text AS errors,
  sum(prompt_tokens)::text AS prompt, sum(completion_tokens)::text AS completion,
  sum(cache_read_tokens)::text AS cache_read, sum(cache_write_tokens)::text AS cache_write,
  sum(cost_micro_cents)::text AS cost`;

/** The counts of a row. */
export function readCounts(row: CountsRow): UsageCounts {
  return {
    requestCount: Number(row.requests),
    errorCount: Number(row.errors),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    cacheReadTokens: Number(row.cache_read),
    cacheWriteTokens: Number(row.cache_write),
    costMicroCents: BigInt(row.cost),
  };
}

/** The condition of a filter, whose values become further parameters. */
export function conditionOf(filter: StatsFilter, params: SqlValue[]): string {
  const narrow = (column: string, value: string | undefined, type: string) => {
    if (value === undefined) return "";
    params.push(value);
    return ` AND ${column} = $${params.length}::${type}`;
  };
  return (
    narrow("user_id", filter.userId, "uuid") +
    narrow("key_id", filter.tokenId, "uuid") +
    narrow("model", filter.model, "text")
  );
}

const GROUP_COLUMNS = { key: "key_id", user: "user_id" } as const;

/** What usage can be summed for. */
export type GroupBy = keyof typeof GROUP_COLUMNS;

/** Groups that an answer lists; the others are one sum. */
const MAX_GROUPS = 200;

/** Groups with a series of their own. */
const MAX_SERIES = 5;

/** The sums of keys or accounts. */
export interface GroupSums {
  by: GroupBy;
  /** How many there are, more than there are rows. */
  count: number;
  rows: GroupRow[];
  series: { index: number; id: string; counts: UsageCounts }[];
}

interface GroupRow {
  id: string;
  name: string;
  keyPrefix: string | null;
  owner: string | null;
  deleted: boolean;
  counts: UsageCounts;
}

/** Sums the roll-ups of a range per key or account, those with the highest cost first, and the first ones per bucket. */
export async function sumGroups(
  db: Session,
  filter: StatsFilter,
  by: GroupBy,
  range: StatsRange,
): Promise<GroupSums> {
  const rollups = await coveringRollups(db, range.starts, range.to);
  const params: SqlValue[] = [...rollups.params];
  const where = conditionOf(filter, params);
  const column = GROUP_COLUMNS[by];
  const named =
    by === "key"
      ? `k.name, k.key_prefix AS prefix, u.username AS owner, k.deleted_at IS NOT NULL AS deleted
         FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = g.id`
      : "u.username, NULL, NULL, u.deleted_at IS NOT NULL FROM users u WHERE u.id = g.id";
  const found = await db.query<CountsRow & NamesRow>(
    `SELECT g.*, n.* FROM (
       SELECT ${column} AS id, ${countSums}, count(*) OVER ()::text AS groups,
         row_number() OVER (ORDER BY sum(cost_micro_cents) DESC, sum(request_count) DESC, ${column}) AS place
       FROM ${rollups.table(where)} found GROUP BY ${column} ORDER BY place LIMIT ${MAX_GROUPS}
     ) g LEFT JOIN LATERAL (SELECT ${named}) n(name, prefix, owner, deleted) ON true ORDER BY g.place`,
    params,
  );
  const rows = found.map((row) => ({
    id: row.id,
    name: row.name ?? "",
    keyPrefix: row.prefix,
    owner: filter.userId === undefined ? row.owner : null,
    deleted: row.deleted ?? true,
    counts: readCounts(row),
  }));
  const leading = rows.slice(0, MAX_SERIES).map(({ id }) => id);
  const series = leading.length === 0 ? [] : await groupSeries(db, filter, column, leading, range);
  return { by, count: Number(found[0]?.groups ?? 0), rows, series };
}

interface NamesRow {
  id: string;
  groups: string;
  name: string | null;
  prefix: string | null;
  owner: string | null;
  deleted: boolean | null;
}

/** The sums of some groups per bucket; buckets without usage are absent. */
async function groupSeries(
  db: Session,
  filter: StatsFilter,
  column: string,
  ids: readonly string[],
  range: StatsRange,
): Promise<GroupSums["series"]> {
  const rollups = await coveringRollups(db, range.starts, range.to);
  const params: SqlValue[] = [...rollups.params, momentsText(range.starts), ids.join(",")];
  const where = ` AND ${column} = ANY(string_to_array($4::text, ',')::uuid[])${conditionOf(filter, params)}`;
  const rows = await db.query<CountsRow & { index: number; id: string }>(
    `SELECT width_bucket(bucket, (SELECT ${momentsOf("$3")})) - 1 AS index, ${column} AS id, ${countSums}
     FROM ${rollups.table(where)} found GROUP BY 1, 2 ORDER BY 1, 2`,
    params,
  );
  return rows.map((row) => ({ index: Number(row.index), id: row.id, counts: readCounts(row) }));
}
