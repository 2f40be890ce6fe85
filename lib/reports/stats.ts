import type { Session, SqlValue } from "@/lib/db/database";
import { coveringRollups, momentsOf, momentsText } from "./covering-rollups";
import { type StatsPeriod, type StatsRange, statsRange } from "./stats-range";
import {
  addUsage,
  type BucketSums,
  type CountsRow,
  conditionOf,
  countSums,
  countsOf,
  figuresOf,
  type LatenciesRow,
  latencySums,
  noUsage,
  readCounts,
  readLatencies,
  type StatsFilter,
  sumUsage,
  type TimedCounts,
  timedFiguresOf,
  type UsageSums,
  withoutParts,
} from "./usage-sums";

/** The parameters of statistics. */
export interface StatsRequest extends StatsFilter {
  period: StatsPeriod;
  timeZone: string;
  groupBy?: GroupBy | undefined;
}

/**
 * Statistics of a period: every day of the range, zero-filled and oldest first, every model, a series
 * per model and bucket, one per bucket, the totals and those of the period before, and the sums of groups when they are
 * asked for. Throws: INVALID_REQUEST as `statsRange`. Source: docs/spec.md#s2-6, docs/contract.md#s5.
 */
export async function readStats(db: Session, request: StatsRequest, now: Date) {
  const range = statsRange(request.period, request.timeZone, now.getTime());
  const { previous } = range;
  // Read before the totals: when requests are settled meanwhile, the totals are never below the sum of the groups.
  const found = request.groupBy === undefined ? null : await sumGroups(db, request, request.groupBy, range);
  const [current, before, partial] = await Promise.all([
    sumUsage(db, request, range.starts, range.to),
    sumUsage(db, request, previous.starts, previous.to),
    isPartial(db, request, previous),
  ]);
  const totals = totalOf(current);
  return {
    period: typeof request.period === "string" ? request.period : ("custom" as const),
    bucket: range.bucket,
    inProgress: range.inProgress,
    timezone: request.timeZone,
    from: isoOf(range.starts[0] ?? range.to),
    to: isoOf(range.to),
    totalRequests: totals.requestCount,
    totals: figuresOf(totals),
    previous: { from: isoOf(previous.from), to: isoOf(previous.to), partial, ...figuresOf(totalOf(before)) },
    dailyBreakdown: dailyBreakdown(range, current),
    modelBreakdown: modelBreakdown(current),
    series: seriesOf(range, current),
    buckets: bucketsOf(range, current, before),
    groups: found && groupsOf(range, found, totals),
  };
}

/** A period may lack this share of its usage and still be compared with another. */
const UNRECORDED_PART = 0.1;

/**
 * Whether a period has recorded usage of a filter only for a part of its time, because usage began within it. A missing
 * part of less than a tenth is ignored. Units: milliseconds since 1970. Source: docs/contract.md#compared.
 */
export async function isPartial(
  db: Session,
  filter: StatsFilter,
  period: { from: number; to: number },
): Promise<boolean> {
  const { from, to } = period;
  const params: SqlValue[] = [new Date(from + (to - from) * UNRECORDED_PART)];
  const where = conditionOf(filter, params);
  const found = await db.query(
    `SELECT 1 FROM usage_rollups WHERE bucket < $1::timestamptz${where} LIMIT 1`,
    params,
  );
  return found.length === 0;
}

function groupsOf(range: StatsRange, found: GroupSums, total: UsageSums) {
  const parts = found.rows.map(({ counts }) => counts);
  const count = found.count - found.rows.length;
  return {
    by: found.by,
    rows: found.rows.map(({ counts, ...row }) => ({ ...row, ...timedFiguresOf(counts) })),
    others: count === 0 ? null : { count, ...timedFiguresOf(withoutParts(total, parts)) },
    series: found.series.map(({ index, id, counts }) => ({
      bucketStart: isoOf(range.starts[index] ?? range.to),
      id,
      ...timedFiguresOf(counts),
    })),
  };
}

function dailyBreakdown(range: StatsRange, found: readonly BucketSums[]) {
  const byDate = grouped(found, ({ index }) => range.dates[index] ?? "");
  return [...new Set(range.dates)].map((date) => ({ date, ...countsOf(byDate.get(date) ?? noUsage()) }));
}

function modelBreakdown(found: readonly BucketSums[]) {
  return [...grouped(found, ({ model }) => model)]
    .sort(([, a], [, b]) => compare(b.costMicroCents, a.costMicroCents) || b.requestCount - a.requestCount)
    .map(([model, sums]) => ({ model, ...figuresOf(sums) }));
}

/** One entry per bucket and model, zero-filled; complete data for a stacked chart. */
function seriesOf(range: StatsRange, found: readonly BucketSums[]) {
  const sums = grouped(found, ({ index, model }) => `${index} ${model}`);
  const models = [...new Set(found.map(({ model }) => model))].sort();
  return range.starts.flatMap((start, index) =>
    models.map((model) => ({
      bucketStart: isoOf(start),
      model,
      ...figuresOf(sums.get(`${index} ${model}`) ?? noUsage()),
    })),
  );
}

/**
 * One entry per bucket over all models, because percentiles of models cannot be added; each has the counts of the same
 * bucket of the previous period.
 */
function bucketsOf(range: StatsRange, found: readonly BucketSums[], before: readonly BucketSums[]) {
  const sums = grouped(found, ({ index }) => index);
  const earlier = grouped(before, ({ index }) => index);
  return range.starts.map((start, index) => ({
    bucketStart: isoOf(start),
    date: range.dates[index] ?? "",
    ...figuresOf(sums.get(index) ?? noUsage()),
    previous: index < range.previous.starts.length ? countsOf(earlier.get(index) ?? noUsage()) : null,
  }));
}

function grouped<Key>(found: readonly BucketSums[], keyOf: (entry: BucketSums) => Key): Map<Key, UsageSums> {
  const groups = new Map<Key, UsageSums>();
  for (const entry of found) {
    const key = keyOf(entry);
    groups.set(key, addUsage(groups.get(key) ?? noUsage(), entry.sums));
  }
  return groups;
}

function totalOf(found: readonly BucketSums[]): UsageSums {
  return found.reduce((sum, entry) => addUsage(sum, entry.sums), noUsage());
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString();
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const KEYS = "LEFT JOIN api_keys k ON k.id = found.key_id";

/**
 * What usage can be summed for: the id of a group, the join that it needs, and who or what it is. Keys of no project are
 * one group, whose id is null here; keys that an account made for itself were made by it.
 */
const GROUPS = {
  key: {
    id: "found.key_id",
    join: "",
    named: `k.name, k.key_prefix, u.username, k.deleted_at IS NOT NULL
      FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = g.id`,
  },
  user: {
    id: "found.user_id",
    join: "",
    named: "u.username, NULL, NULL, u.deleted_at IS NOT NULL FROM users u WHERE u.id = g.id",
  },
  project: {
    id: "k.project_id",
    join: KEYS,
    named: `p.name, NULL, u.username, p.archived_at IS NOT NULL
      FROM projects p JOIN users u ON u.id = p.user_id WHERE p.id = g.id`,
  },
  member: {
    id: "coalesce(k.created_by, found.user_id)",
    join: KEYS,
    named: "u.username, NULL, NULL, u.deleted_at IS NOT NULL FROM users u WHERE u.id = g.id",
  },
} as const;

/** The id of the group of keys of no project. */
const PERSONAL = "personal";

type GroupBy = keyof typeof GROUPS;

/** The most groups in one answer; the others are summed. */
const MAX_GROUPS = 200;

/** How many groups have a series of their own because of their cost, and as many because of each other amount. */
const MAX_SERIES = 5;

/** The sums of groups. */
interface GroupSums {
  by: GroupBy;
  /** The number of all groups, which can exceed the number of rows. */
  count: number;
  rows: GroupRow[];
  series: { index: number; id: string; counts: TimedCounts }[];
}

interface GroupRow {
  id: string;
  name: string;
  keyPrefix: string | null;
  owner: string | null;
  deleted: boolean;
  counts: TimedCounts;
}

/** Sums the roll-ups of a range per group, the highest cost first, and those of the leading ones per bucket. */
async function sumGroups(
  db: Session,
  filter: StatsFilter,
  by: GroupBy,
  range: StatsRange,
): Promise<GroupSums> {
  const rollups = await coveringRollups(db, range.starts, range.to);
  const params: SqlValue[] = [...rollups.params];
  const where = conditionOf(filter, params);
  const { id, join, named } = GROUPS[by];
  const found = await db.query<CountsRow & LatenciesRow & NamesRow>(
    `SELECT g.*, n.* FROM (
       SELECT ${id} AS id, ${countSums}, ${latencySums}, count(*) OVER ()::text AS groups,
         row_number() OVER (ORDER BY sum(cost_micro_cents) DESC, sum(request_count) DESC, ${id}) AS place
       FROM ${rollups.table(where)} found ${join} GROUP BY ${id} ORDER BY place LIMIT ${MAX_GROUPS}
     ) g LEFT JOIN LATERAL (SELECT ${named}) n(name, prefix, owner, deleted) ON true ORDER BY g.place`,
    params,
  );
  const rows = found.map((row) => ({
    id: row.id ?? PERSONAL,
    name: row.name ?? "",
    keyPrefix: row.prefix,
    owner: filter.userId === undefined ? row.owner : null,
    deleted: row.deleted ?? row.id !== null,
    counts: { ...readCounts(row), ...readLatencies(row) },
  }));
  const leading = leadingOf(rows);
  const series = leading.length === 0 ? [] : await groupSeries(db, filter, by, leading, range);
  return { by, count: Number(found[0]?.groups ?? 0), rows, series };
}

/** The groups with the highest cost, and those with the most requests, tokens and failed requests. */
function leadingOf(rows: readonly GroupRow[]): string[] {
  const most = (amountOf: (counts: TimedCounts) => number) =>
    rows
      .filter(({ counts }) => amountOf(counts) > 0)
      .sort((a, b) => amountOf(b.counts) - amountOf(a.counts))
      .slice(0, MAX_SERIES);
  const leading = [
    ...rows.slice(0, MAX_SERIES),
    ...most(({ requestCount }) => requestCount),
    ...most(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
    ...most(({ errorCount }) => errorCount),
  ];
  return [...new Set(leading.map(({ id }) => id))];
}

interface NamesRow {
  /** Null: keys of no project. */
  id: string | null;
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
  by: GroupBy,
  ids: readonly string[],
  range: StatsRange,
): Promise<GroupSums["series"]> {
  const rollups = await coveringRollups(db, range.starts, range.to);
  const params: SqlValue[] = [...rollups.params, momentsText(range.starts), ids.join(",")];
  const where = conditionOf(filter, params);
  const { id, join } = GROUPS[by];
  const group = `coalesce(${id}::text, '${PERSONAL}')`;
  const rows = await db.query<CountsRow & LatenciesRow & { index: number; id: string }>(
    `SELECT width_bucket(bucket, (SELECT ${momentsOf("$3")})) - 1 AS index, ${group} AS id, ${countSums}, ${latencySums}
     FROM ${rollups.table(where)} found ${join} WHERE ${group} = ANY(string_to_array($4::text, ','))
     GROUP BY 1, 2 ORDER BY 1, 2`,
    params,
  );
  return rows.map((row) => ({
    index: Number(row.index),
    id: row.id,
    counts: { ...readCounts(row), ...readLatencies(row) },
  }));
}
