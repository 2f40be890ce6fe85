import postgres, { type Sql } from "postgres";

/** Rules with a counter for each key, or one rule for all of them. */
export type BudgetRules = "own" | "shared";

/** More than any run reaches. */
const AMPLE = 9_000_000_000_000_000;

/** Writes rules for all keys of a database that no request has used: five for each, or one for all together. */
export async function writeRules(databaseUrl: string, rules: BudgetRules): Promise<void> {
  await withSql(databaseUrl, async (sql) => {
    if (rules === "shared")
      await sql`INSERT INTO budgets (name, scope, unit, period, time_zone, limit_amount, mode)
        VALUES ('all', 'platform', 'requests', 'month', 'UTC', ${AMPLE}, 'hard')`;
    else
      await sql`INSERT INTO budgets (name, scope, key_id, unit, period, time_zone, limit_amount, mode)
        SELECT 'own', 'key', k.id, x.unit, x.period, 'UTC', ${AMPLE}, x.mode
        FROM api_keys k CROSS JOIN (VALUES ('requests', 'day', 'hard'), ('money', 'day', 'stop'), ('money', 'month', 'hard'),
          ('tokens', 'month', 'stop'), ('money', 'total', 'warn')) AS x(unit, period, mode)`;
  });
}

/** Whether the rules of a database have counted every billed request, each once; empty when they have. */
export async function ruleProblems(databaseUrl: string): Promise<string[]> {
  return withSql(databaseUrl, async (sql) => {
    const [row] = await sql<{ counted: string; billed: string }[]>`SELECT
      (SELECT coalesce(sum(w.used), 0) FROM budget_windows w JOIN budgets b ON b.id = w.budget_id
        WHERE b.unit = 'requests')::text AS counted,
      (SELECT count(*) FROM usage_ledger WHERE billing_source <> 'none')::text AS billed`;
    return row?.counted === row?.billed
      ? []
      : [`the rules have counted ${row?.counted} of ${row?.billed} requests`];
  });
}

async function withSql<T>(databaseUrl: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
