import { type CursorRequest, MAX_TOTAL, offsetOf, type Page } from "@/lib/accounts/page";
import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { badField } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/money";

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
 * Single grants, and charges per key and day of the zone `$2` (from the roll-ups, which are never dropped). Charges of
 * 0 are included, because their requests are counted. The balances are computed backwards from the current balance, so
 * that the newest entry always ends with it.
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

/** Filters the entries after their balances were computed, so that balances cover the whole ledger. */
const MATCHES = `($3::text IS NULL OR b.type = $3::text) AND ($4::text IS NULL OR b.local_day >= $4::text)
  AND ($5::text IS NULL OR b.local_day <= $5::text)`;

/** What the ledger lists: days of a key that cost nothing are left out, because they change no balance. */
const LISTED = `${MATCHES} AND (b.type <> 'charge' OR b.amount <> 0)`;

/**
 * A filter of one account's ledger by type and by days, both included; absent fields match everything. `zone`: the time
 * zone of its days and months, by default UTC.
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

/**
 * All entries, newest first, in batches and at most `maxRows`. Batches are large, because each one sums the whole
 * ledger.
 */
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
 * For each month of the filter, newest first: the sums added and charged, the number of recorded requests with any
 * outcome, and the balance at its end. Source: docs/contract.md#request-count.
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
