import { type CursorRequest, MAX_TOTAL, offsetOf, type Page } from "@/lib/accounts/page";
import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { badField } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/usage";
import { isPartial } from "./stats";
import {
  coveringRollups,
  momentsOf,
  momentsText,
  type StatsPeriod,
  type StatsRange,
  statsRange,
} from "./stats-range";

interface LedgerRow {
  id: string;
  type: "signup" | "grant" | "adjustment" | "invite" | "charge";
  at: Date;
  position: string;
  amount: string;
  balance: string;
  reason: string;
  day: string | null;
  key_id: string | null;
  key_name: string | null;
  key_prefix: string | null;
  requests: string | null;
}

/**
 * Single grants, and charges per key and day of the zone `$2` (from the roll-ups, which are never dropped), those of nothing
 * included: their requests count. The balances are computed backwards from the current balance, so that the newest entry
 * always ends at it.
 */
const ENTRIES = `WITH entries AS (
  SELECT id::text, kind AS type, created_at AS at, amount_micro_cents::numeric AS amount, reason,
    NULL::text AS day, NULL::uuid AS key_id, NULL::numeric AS requests
  FROM quota_grants WHERE user_id = $1::uuid
  UNION ALL
  SELECT to_char(r.bucket AT TIME ZONE $2::text, 'YYYY-MM-DD') || ' ' || k.id, 'charge',
    least(max(r.bucket) + interval '15 minutes', greatest(max(r.bucket), k.last_used_at)), -sum(r.cost_micro_cents),
    '', to_char(r.bucket AT TIME ZONE $2::text, 'YYYY-MM-DD'), k.id, sum(r.request_count)
  FROM usage_rollups r JOIN api_keys k ON k.id = r.key_id WHERE r.user_id = $1::uuid
  GROUP BY 1, 6, k.id
), balanced AS (
  SELECT entries.*, (extract(epoch FROM at) * 1000000)::bigint::text AS position,
    coalesce(day, to_char(at AT TIME ZONE $2::text, 'YYYY-MM-DD')) AS local_day,
    u.quota_micro_cents - u.used_micro_cents - coalesce(
      sum(amount) OVER (ORDER BY at DESC, entries.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
    ) AS balance
  FROM entries JOIN users u ON u.id = $1::uuid
)`;

/** The balances are those of the whole ledger, whatever is left out of it. */
const MATCHES = `($3::text IS NULL OR b.type = $3::text) AND ($4::text IS NULL OR b.local_day >= $4::text)
  AND ($5::text IS NULL OR b.local_day <= $5::text)`;
/** What the ledger lists: a key's day that cost nothing moves no balance. */
const LISTED = `${MATCHES} AND (b.type <> 'charge' OR b.amount <> 0)`;

/**
 * Whose ledger; of which type its entries are and of which days, both included. What is not given is all. `zone`: where
 * its days and months begin, by default UTC.
 */
interface LedgerFilter {
  userId: string;
  zone?: string | undefined;
  type?: LedgerRow["type"] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const paramsOf = (of: LedgerFilter) => [
  of.userId,
  of.zone ?? "UTC",
  of.type ?? null,
  of.from ?? null,
  of.to ?? null,
];
const MAX_MONTHS = 36;

/** A line of the ledger as the API shows it. */
export type LedgerEntry = ReturnType<typeof entryOf>;

/**
 * The account's ledger, newest first. Throws: INVALID_REQUEST for a bad cursor or page. Source: docs/contract.md#s5.
 */
export async function listLedger(
  db: Session,
  filter: LedgerFilter,
  request: CursorRequest,
): Promise<Page<LedgerEntry>> {
  const { cursor, pageSize } = request;
  const offset = cursor === undefined ? offsetOf(request) : 0;
  if (offset + pageSize > MAX_TOTAL)
    throw badField("page", `reaches beyond row ${MAX_TOTAL}; use the cursor`);
  const found = await selectEntries(db, filter, { cursor, offset, limit: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  return {
    data: rows.map(entryOf),
    page: cursor === undefined ? request.page : null,
    pageSize,
    total: cursor === undefined ? await countEntries(db, filter) : null,
    nextCursor: found.length > pageSize && last ? cursorOf(last) : null,
  };
}

/** All entries, newest first, in batches and at most `maxRows`. Each batch adds up the whole ledger: they are large. */
export async function* walkLedger(
  db: Session,
  filter: LedgerFilter,
  maxRows: number,
  batchSize = 5_000,
): AsyncGenerator<LedgerEntry[]> {
  let cursor: string | undefined;
  for (let given = 0; given < maxRows; given += batchSize) {
    const limit = Math.min(batchSize, maxRows - given);
    const rows = await selectEntries(db, filter, { cursor, offset: 0, limit });
    if (rows.length > 0) yield rows.map(entryOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    cursor = cursorOf(last);
  }
}

function selectEntries(
  db: Session,
  filter: LedgerFilter,
  { cursor, offset, limit }: { cursor: string | undefined; offset: number; limit: number },
): Promise<LedgerRow[]> {
  const params = [...paramsOf(filter), limit, offset, ...(cursor === undefined ? [] : readCursor(cursor))];
  const after = cursor === undefined ? "" : "AND (b.position::bigint, b.id) < ($8::bigint, $9::text)";
  return db.query<LedgerRow>(
    `${ENTRIES} SELECT b.id, b.type, b.at, b.position, b.amount::text, b.balance::text, b.reason, b.day, b.key_id,
       k.name AS key_name, k.key_prefix, b.requests::text
     FROM balanced b LEFT JOIN api_keys k ON k.id = b.key_id WHERE ${LISTED} ${after}
     ORDER BY b.at DESC, b.id DESC LIMIT $6::int OFFSET $7::int`,
    params,
  );
}

function entryOf(row: LedgerRow) {
  return {
    id: row.id,
    type: row.type,
    createdAt: row.at.toISOString(),
    amount: centsDecimal(BigInt(row.amount)),
    balanceAfter: centsDecimal(BigInt(row.balance)),
    reason: row.reason,
    date: row.day,
    tokenId: row.key_id,
    tokenName: row.key_name,
    keyPrefix: row.key_prefix,
    requestCount: row.requests === null ? null : Number(row.requests),
  };
}

async function countEntries(db: Session, filter: LedgerFilter): Promise<number | null> {
  const rows = await db.query<{ total: string }>(
    `${ENTRIES} SELECT count(*)::text AS total
     FROM (SELECT 1 FROM balanced b WHERE ${LISTED} LIMIT ${MAX_TOTAL + 1}) counted`,
    paramsOf(filter),
  );
  const total = Number(onlyRow(rows).total);
  return total > MAX_TOTAL ? null : total;
}

/**
 * What was added and charged in each month of the filter, how many requests were recorded, whatever became of them, and the
 * balance at its end; newest first. Source: docs/contract.md#request-count.
 */
export async function readLedgerMonths(db: Session, filter: LedgerFilter) {
  const rows = await db.query<Record<"month" | "added" | "charged" | "requests" | "balance", string>>(
    `${ENTRIES} SELECT left(b.local_day, 7) AS month,
       coalesce(sum(b.amount) FILTER (WHERE b.type <> 'charge'), 0)::text AS added,
       coalesce(-sum(b.amount) FILTER (WHERE b.type = 'charge'), 0)::text AS charged,
       coalesce(sum(b.requests), 0)::text AS requests,
       (array_agg(b.balance ORDER BY b.at DESC, b.id DESC))[1]::text AS balance
     FROM balanced b WHERE ${MATCHES} GROUP BY 1 ORDER BY 1 DESC LIMIT ${MAX_MONTHS}`,
    paramsOf(filter),
  );
  return rows.map(({ month, added, charged, requests, balance }) => ({
    month,
    added: centsDecimal(BigInt(added)),
    charged: centsDecimal(BigInt(charged)),
    requestCount: Number(requests),
    balanceAfter: centsDecimal(BigInt(balance)),
  }));
}

function cursorOf(row: LedgerRow): string {
  return Buffer.from(`${row.position}|${row.id}`).toString("base64url");
}

function readCursor(cursor: string): [position: string, id: string] {
  const [, position, id] =
    /^(\d{1,17})\|([0-9a-f -]{36,47})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (position === undefined || id === undefined) throw badField("cursor", "is not a cursor of this list");
  return [position, id];
}

interface MarginRow extends MarginSums {
  /** Which of the three the row is of, as `grouping` tells it. */
  kind: number;
  index: number | null;
  node: string | null;
  name: string | null;
  model: string | null;
}

/** Null: there is no row to add up. */
interface MarginSums {
  revenue: string | null;
  covered: string | null;
  cost: string | null;
  costed: string | null;
}

/** The sums of roll-ups of either kind. */
const MARGIN_SUMS = `sum(cost_micro_cents)::text AS revenue, sum(costed_revenue_micro_cents)::text AS covered,
  sum(node_cost_micro_cents)::text AS cost, sum(costed_count)::text AS costed`;

const OF_BUCKET = 0b011;
const OF_NODE = 0b101;
const OF_MODEL = 0b110;
const OF_ALL = 0b111;

/** Accounts that an answer lists; the totals are those of all. */
const MAX_ACCOUNTS = 200;

/**
 * What was billed and what the nodes charge for it, by model, node, account and bucket, the highest revenue first.
 * Where no cost is known it is null, never 0. Throws: INVALID_REQUEST as `statsRange`. Source: docs/contract.md#margin.
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
  /** How many there are, more than there are rows. */
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
