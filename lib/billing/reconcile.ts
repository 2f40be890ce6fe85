import type { Clock } from "@/lib/kernel/clock";
import type { Database, Session } from "../db/database";
import { onlyRow } from "../db/rows";

const MAX_MISMATCHES = 100;

/** One counter that differs from the sum of its records. Units: micro-cents; of a window, those of its rule. */
export interface Mismatch {
  kind:
    | "account_used_ledger"
    | "account_used_keys"
    | "account_held"
    | "key_used_ledger"
    | "key_held"
    | "account_rollups"
    | "account_statements"
    | "window_used"
    | "window_held";
  /** Of a key, an account or a window. */
  id: string;
  counterMicroCents: bigint;
  sumMicroCents: bigint;
}

/**
 * Whether all counters equal the sums of their records. Units: micro-cents. Source: docs/contract.md#s5
 * (`/reconcile`).
 */
export interface Reconciliation {
  ok: boolean;
  usedMicroCents: bigint;
  ledgerMicroCents: bigint;
  heldMicroCents: bigint;
  openHolds: number;
  /** At most 100. */
  mismatches: Mismatch[];
}

interface Totals {
  used: string;
  ledger: string;
  held: string;
  open: bigint;
}

interface MismatchRow {
  kind: Mismatch["kind"];
  id: string;
  counter: string;
  total: string;
}

// One statement sees one snapshot; sums over bigint are numeric and arrive as text.
const totalsSql = `SELECT
  (SELECT coalesce(sum(used_micro_cents), 0) FROM users)::text AS used,
  (SELECT coalesce(sum(cost_micro_cents), 0) FROM usage_ledger)::text AS ledger,
  (SELECT coalesce(sum(held_micro_cents), 0) FROM users)::text AS held,
  (SELECT count(*) FROM usage_holds WHERE state = 'held') AS open`;

const mismatchSql = `WITH by_key AS (
  SELECT k.id, k.user_id, k.used_micro_cents AS used, k.held_micro_cents AS held,
    coalesce(l.cost, 0) AS ledger, coalesce(h.amount, 0) AS holds
  FROM api_keys k
  LEFT JOIN (SELECT key_id, sum(cost_micro_cents) AS cost FROM usage_ledger GROUP BY 1) l ON l.key_id = k.id
  LEFT JOIN (SELECT key_id, sum(amount_micro_cents) AS amount FROM usage_holds WHERE state = 'held' GROUP BY 1) h
    ON h.key_id = k.id
), by_user AS (
  SELECT u.id, u.used_micro_cents AS used, u.held_micro_cents AS held,
    coalesce(l.cost, 0) AS ledger, coalesce(k.used, 0) AS keys, coalesce(k.holds, 0) AS holds, coalesce(r.cost, 0) AS rollups
  FROM users u
  LEFT JOIN (SELECT user_id, sum(cost_micro_cents) AS cost FROM usage_ledger GROUP BY 1) l ON l.user_id = u.id
  LEFT JOIN (SELECT user_id, sum(used) AS used, sum(holds) AS holds FROM by_key GROUP BY 1) k ON k.user_id = u.id
  LEFT JOIN (SELECT user_id, sum(cost_micro_cents) AS cost FROM usage_rollups GROUP BY 1) r ON r.user_id = u.id
), charged AS (
  SELECT w.id, sum(CASE b.unit WHEN 'money' THEN l.cost_micro_cents WHEN 'tokens'
    THEN l.input_tokens::bigint + l.cache_read_tokens + l.cache_write_tokens + l.output_tokens ELSE 1 END) AS used
  FROM usage_ledger l CROSS JOIN LATERAL unnest(l.windows) AS named(id)
  JOIN budget_windows w ON w.id = named.id JOIN budgets b ON b.id = w.budget_id
  WHERE l.windows IS NOT NULL AND l.billing_source <> 'none' GROUP BY 1
), reserved AS (
  SELECT w.id, sum(h.window_needs[budget_kind(b.unit, b.mode)]) AS held
  FROM usage_holds h CROSS JOIN LATERAL unnest(h.windows) AS named(id)
  JOIN budget_windows w ON w.id = named.id JOIN budgets b ON b.id = w.budget_id
  WHERE h.state = 'held' GROUP BY 1
), by_window AS (
  SELECT w.id::text AS id, w.used, w.held, w.seed + coalesce(c.used, 0) AS charged, coalesce(r.held, 0) AS reserved
  FROM budget_windows w LEFT JOIN charged c ON c.id = w.id LEFT JOIN reserved r ON r.id = w.id
), closings AS (
  SELECT array_agg(starts_at ORDER BY starts_at) || max(ends_at) AS starts FROM statements
), by_month AS (
  SELECT r.user_id, greatest(1, width_bucket(r.bucket, c.starts)) AS n, sum(r.cost_micro_cents) AS cost
  FROM usage_rollups r JOIN closings c ON c.starts IS NOT NULL GROUP BY 1, 2
), stored AS (
  SELECT l.user_id, width_bucket(s.starts_at, c.starts) AS n, sum(l.cost_micro_cents) AS cost
  FROM statement_lines l JOIN statements s ON s.month = l.of_month CROSS JOIN closings c GROUP BY 1, 2
), by_statement AS (
  SELECT user_id, sum(coalesce(s.cost, 0)) + sum(greatest(0, coalesce(m.cost, 0) - coalesce(s.cost, 0))) AS cost
  FROM by_month m FULL JOIN stored s USING (user_id, n) GROUP BY 1
)
SELECT kind, id, counter::text, total::text FROM (
  SELECT 'account_used_ledger' AS kind, id::text AS id, used AS counter, ledger AS total FROM by_user WHERE used <> ledger
  UNION ALL SELECT 'account_used_keys', id::text, used, keys FROM by_user WHERE used <> keys
  UNION ALL SELECT 'account_held', id::text, held, holds FROM by_user WHERE held <> holds
  UNION ALL SELECT 'account_rollups', id::text, used, rollups FROM by_user WHERE used <> rollups
  UNION ALL SELECT 'account_statements', u.id::text, u.used, coalesce(s.cost, 0) FROM by_user u
    LEFT JOIN by_statement s ON s.user_id = u.id WHERE u.used <> coalesce(s.cost, 0) AND EXISTS (SELECT FROM statements)
  UNION ALL SELECT 'key_used_ledger', id::text, used, ledger FROM by_key WHERE used <> ledger
  UNION ALL SELECT 'key_held', id::text, held, holds FROM by_key WHERE held <> holds
  UNION ALL SELECT 'window_used', id, used, charged FROM by_window WHERE used <> charged
  UNION ALL SELECT 'window_held', id, held, reserved FROM by_window WHERE held <> reserved
) found ORDER BY kind, id LIMIT ${MAX_MISMATCHES}`;

/**
 * Compares every counter with the sum of its records. Reads the whole ledger, so it runs hourly and on demand, on its
 * own connection. Source: docs/reliability.md#s2-5.
 */
export function reconcile(database: Database): Promise<Reconciliation> {
  return database.session(async (session) => {
    const totals = onlyRow(await session.query<Totals>(totalsSql));
    const mismatches = await findMismatches(session);
    return {
      ok: mismatches.length === 0,
      usedMicroCents: BigInt(totals.used),
      ledgerMicroCents: BigInt(totals.ledger),
      heldMicroCents: BigInt(totals.held),
      openHolds: Number(totals.open),
      mismatches,
    };
  });
}

/** A reconciliation and when it began. */
export interface LedgerCheck extends Reconciliation {
  checkedAt: Date;
}

/** Remembers the last reconciliation of this process, so that pages can show it without reading the whole ledger. */
export class LedgerChecks {
  readonly #database: Database;
  readonly #clock: Pick<Clock, "date">;
  #last: { checkedAt: Date; check: Promise<LedgerCheck> } | null = null;

  constructor(database: Database, clock: Pick<Clock, "date">) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The last reconciliation if it began at most `maxAgeMs` ago, even if it still runs, else a new one. Throws: as `reconcile`. */
  get(maxAgeMs: number): Promise<LedgerCheck> {
    const checkedAt = this.#clock.date();
    if (this.#last !== null && checkedAt.getTime() - this.#last.checkedAt.getTime() < maxAgeMs)
      return this.#last.check;
    const check = reconcile(this.#database).then((found) => ({ ...found, checkedAt }));
    const last = { checkedAt, check };
    this.#last = last;
    check.catch(() => {
      if (this.#last === last) this.#last = null;
    });
    return check;
  }
}

/**
 * Sets the held totals of keys, accounts and windows to the sum of their open holds, each under its lock. Never changes
 * used totals. Returns the keys whose counter, or whose account's counter, was wrong, and the windows.
 */
export function repairHeldTotals(database: Database): Promise<string[]> {
  return database.session(async (session) => {
    const mismatches = await findMismatches(session);
    const keys = new Set(mismatches.filter(({ kind }) => kind === "key_held").map(({ id }) => id));
    for (const { kind, id } of mismatches) {
      if (kind !== "account_held") continue;
      const rows = await session.query<{ id: string }>("SELECT id FROM api_keys WHERE user_id = $1", [id]);
      for (const row of rows) keys.add(row.id);
    }
    const repaired: string[] = [];
    for (const id of [...keys].sort()) {
      const rows = await session.query<{ repaired: boolean }>("SELECT quota_heal_held($1) AS repaired", [id]);
      if (onlyRow(rows).repaired) repaired.push(id);
    }
    for (const { kind, id } of mismatches) {
      if (kind !== "window_held") continue;
      const rows = await session.query<{ repaired: boolean }>("SELECT budget_heal_held($1) AS repaired", [
        id,
      ]);
      if (onlyRow(rows).repaired) repaired.push(id);
    }
    return repaired;
  });
}

async function findMismatches(session: Session): Promise<Mismatch[]> {
  const rows = await session.query<MismatchRow>(mismatchSql);
  return rows.map(({ kind, id, counter, total }) => ({
    kind,
    id,
    counterMicroCents: BigInt(counter),
    sumMicroCents: BigInt(total),
  }));
}
