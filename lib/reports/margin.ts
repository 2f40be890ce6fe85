import type { Session } from "@/lib/db/database";
import { centsDecimal } from "@/lib/kernel/money";
import { coveringRollups, momentsOf, momentsText } from "./covering-rollups";
import { isPartial } from "./stats";
import { type StatsPeriod, type StatsRange, statsRange } from "./stats-range";

interface MarginRow extends MarginSums {
  /** The kind of the row, as returned by `grouping`: bucket, node, model or total. */
  kind: number;
  index: number | null;
  node: string | null;
  name: string | null;
  model: string | null;
}

/** Null: no row was summed. */
interface MarginSums {
  revenue: string | null;
  covered: string | null;
  cost: string | null;
  costed: string | null;
}

/** The sums, for roll-ups of either kind. */
const MARGIN_SUMS = `sum(cost_micro_cents)::text AS revenue, sum(costed_revenue_micro_cents)::text AS covered,
  sum(node_cost_micro_cents)::text AS cost, sum(costed_count)::text AS costed`;

const OF_BUCKET = 0b011;

const OF_NODE = 0b101;

const OF_MODEL = 0b110;

const OF_ALL = 0b111;

/** The most accounts in one answer; the totals cover all accounts. */
const MAX_ACCOUNTS = 200;

/**
 * The billed amounts and the charges of the nodes for them, by model, node, account and bucket, the highest revenue
 * first. An unknown cost is null, never 0. Throws: INVALID_REQUEST as `statsRange`. Source: docs/contract.md#margin.
 */
export async function readMargin(db: Session, request: { period: StatsPeriod; timeZone: string }, now: Date) {
  const range = statsRange(request.period, request.timeZone, now.getTime());
  const { starts, to } = range;
  const rows = await db.query<MarginRow>(
    `SELECT grouping(index, node, model)::int AS kind, index, node, name, model, sum(revenue)::text AS revenue,
       sum(covered)::text AS covered, sum(cost)::text AS cost, sum(costed)::text AS costed
     FROM (
       SELECT width_bucket(r.bucket, (SELECT ${momentsOf("$1")})) - 1 AS index, r.node_id AS node, n.name, r.model,
         r.cost_micro_cents AS revenue, r.costed_revenue_micro_cents AS covered, r.node_cost_micro_cents AS cost,
         r.costed_count AS costed
       FROM node_rollups r LEFT JOIN nodes n ON n.id = r.node_id
       WHERE r.bucket >= $2::timestamptz AND r.bucket < $3::timestamptz
     ) found GROUP BY GROUPING SETS ((index), (node, name), (model), ()) ORDER BY sum(revenue) DESC, node, model`,
    [momentsText(starts), new Date(starts[0] ?? to), new Date(to)],
  );
  const before = await db.query<MarginSums>(
    `SELECT ${MARGIN_SUMS} FROM node_rollups WHERE bucket >= $1::timestamptz AND bucket < $2::timestamptz`,
    [new Date(range.previous.from), new Date(range.previous.to)],
  );
  const accounts = await readAccounts(db, range);
  const of = (kind: number) => rows.filter((row) => row.kind === kind);
  const byBucket = new Map(of(OF_BUCKET).map((row) => [Number(row.index), row]));
  return {
    period: typeof request.period === "string" ? request.period : ("custom" as const),
    bucket: range.bucket,
    inProgress: range.inProgress,
    timezone: request.timeZone,
    from: new Date(starts[0] ?? to).toISOString(),
    to: new Date(to).toISOString(),
    totals: marginOf(of(OF_ALL)[0]),
    previous: { ...marginOf(before[0]), partial: await isPartial(db, {}, range.previous) },
    models: of(OF_MODEL).map((row) => ({ model: row.model ?? "", ...marginOf(row) })),
    nodes: of(OF_NODE).map((row) => ({ nodeId: row.node ?? "", node: row.name ?? "", ...marginOf(row) })),
    accountCount: Number(accounts[0]?.accounts ?? 0),
    accounts: accounts.map((row) => ({
      userId: row.id,
      username: row.name ?? "",
      deleted: row.deleted ?? true,
      ...marginOf(row),
    })),
    buckets: starts.map((start, index) => ({
      bucketStart: new Date(start).toISOString(),
      date: range.dates[index] ?? "",
      ...marginOf(byBucket.get(index)),
    })),
  };
}

interface AccountRow extends MarginSums {
  id: string;
  name: string | null;
  deleted: boolean | null;
  /** The number of all accounts, which can exceed the number of rows. */
  accounts: string;
}

/** The sums of the accounts that were billed or cost something in a range, those with the highest revenue first. */
async function readAccounts(db: Session, range: StatsRange): Promise<AccountRow[]> {
  const rollups = await coveringRollups(db, range.starts, range.to);
  return db.query<AccountRow>(
    `SELECT s.*, u.username AS name, u.deleted_at IS NOT NULL AS deleted
     FROM (
       SELECT user_id AS id, ${MARGIN_SUMS}, count(*) OVER ()::text AS accounts,
         row_number() OVER (ORDER BY sum(cost_micro_cents) DESC, user_id) AS place
       FROM ${rollups.table("")} found GROUP BY user_id
       HAVING sum(cost_micro_cents) > 0 OR sum(costed_count) > 0 ORDER BY place LIMIT ${MAX_ACCOUNTS}
     ) s LEFT JOIN users u ON u.id = s.id ORDER BY s.place`,
    rollups.params,
  );
}

function marginOf(row: MarginSums | undefined) {
  const [revenue, covered, cost] = [row?.revenue, row?.covered, row?.cost].map((sum) => BigInt(sum ?? 0));
  const isKnown = Number(row?.costed ?? 0) > 0;
  return {
    revenue: centsDecimal(revenue ?? 0n),
    covered: centsDecimal(covered ?? 0n),
    cost: isKnown ? centsDecimal(cost ?? 0n) : null,
    margin: isKnown ? centsDecimal((covered ?? 0n) - (cost ?? 0n)) : null,
  };
}
