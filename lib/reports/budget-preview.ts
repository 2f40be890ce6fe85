import type { Session, SqlValue } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import type { BudgetUnit } from "@/lib/shared/budget-words";
import { QUARTER_HOUR_MS } from "./calendar";

const FOUR_HOURS_MS = 16 * QUARTER_HOUR_MS;

/** Whose requests are summed: those of one account, project or key, or everybody's. */
export interface SummedSubject {
  scope: "platform" | "plan" | "account" | "project" | "key";
  planId: number | null;
  userId: string | null;
  projectId: string | null;
  keyId: string | null;
}

/** What a rule would count. `fromMs`: the beginning of its period; null: it has none. */
export interface SummedUse {
  subject: SummedSubject;
  models: readonly string[] | null;
  unit: BudgetUnit;
  fromMs: number | null;
}

const sumOf: Readonly<Record<BudgetUnit, string>> = {
  money: "cost_micro_cents",
  tokens: "prompt_tokens + completion_tokens",
  requests: "request_count - error_count",
};

/**
 * What was used since a moment by the roll-ups: what a rule with one counter begins with. Units: micro-cents, tokens or requests.
 * Source: docs/budgets.md#start.
 */
export async function usedSince(db: Session, use: SummedUse): Promise<bigint> {
  const from = use.fromMs ?? 0;
  const firstWhole = Math.ceil(from / FOUR_HOURS_MS) * FOUR_HOURS_MS;
  const { done } = onlyRow(
    await db.query<{ done: Date }>("SELECT folded_until AS done FROM rollup_progress"),
  );
  const folded = Math.max(firstWhole, Math.floor(done.getTime() / FOUR_HOURS_MS) * FOUR_HOURS_MS);
  const params: SqlValue[] = [from, firstWhole, folded].map((moment) => new Date(moment));
  const where = await conditionsOf(db, use, params);
  const sum = `coalesce(sum(${sumOf[use.unit]}), 0)`;
  const { used } = onlyRow(
    await db.query<{ used: string }>(
      `SELECT ((SELECT ${sum} FROM usage_rollups_4h WHERE bucket >= $2::timestamptz AND bucket < $3::timestamptz${where})
        + (SELECT ${sum} FROM usage_rollups WHERE bucket >= $1::timestamptz AND bucket < $2::timestamptz${where})
        + (SELECT ${sum} FROM usage_rollups WHERE bucket >= $3::timestamptz${where}))::text AS used`,
      params,
    ),
  );
  return BigInt(used);
}

/** The account that pays for a subject; null: several do. Roll-ups are found by it, so it is looked up beforehand. */
async function payerOf(db: Session, { userId, projectId, keyId }: SummedSubject): Promise<string | null> {
  const [table, id] = keyId === null ? ["projects", projectId] : ["api_keys", keyId];
  if (id === null) return userId;
  const [row] = await db.query<{ user_id: string }>(`SELECT user_id FROM ${table} WHERE id = $1::uuid`, [id]);
  return row?.user_id ?? null;
}

async function conditionsOf(
  db: Session,
  { subject, models }: Pick<SummedUse, "subject" | "models">,
  params: SqlValue[],
): Promise<string> {
  const narrow = (value: string | number | null, condition: (parameter: string) => string) => {
    if (value === null) return "";
    params.push(value);
    return ` AND ${condition(`$${params.length}`)}`;
  };
  return (
    narrow(subject.planId, (plan) => `user_id IN (SELECT id FROM users WHERE plan_id = ${plan}::integer)`) +
    narrow(await payerOf(db, subject), (user) => `user_id = ${user}::uuid`) +
    narrow(subject.keyId, (key) => `key_id = ${key}::uuid`) +
    narrow(
      subject.projectId,
      (project) => `key_id IN (SELECT k.id FROM api_keys k JOIN projects p ON p.user_id = k.user_id
        WHERE p.id = ${project}::uuid AND k.project_id = p.id)`,
    ) +
    narrow(
      models === null ? null : JSON.stringify(models),
      (list) => `model IN (SELECT json_array_elements_text(${list}::json))`,
    )
  );
}

/** What a request reserved and used on average. Units: those of the rule. */
export interface AverageRequest {
  reserves: bigint;
  uses: bigint;
}

const RECENT = 200;

/**
 * The average of the newest billed requests of a week; null: there was none, or the unit has no reserve of its own. Units: micro-cents.
 */
export async function averageRequest(
  db: Session,
  use: Omit<SummedUse, "fromMs">,
): Promise<AverageRequest | null> {
  if (use.unit !== "money") return null;
  const params: SqlValue[] = [];
  const where = await conditionsOf(db, use, params);
  const [row] = await db.query<{ reserves: string | null; uses: string | null }>(
    `SELECT round(avg(held))::text AS reserves, round(avg(cost))::text AS uses FROM (
       SELECT held_micro_cents AS held, cost_micro_cents AS cost FROM request_log
       WHERE created_at > now() - interval '7 days' AND cost_micro_cents > 0 AND held_micro_cents > 0${where}
       ORDER BY created_at DESC LIMIT ${RECENT}) newest`,
    params,
  );
  if (row === undefined || row.reserves === null || row.uses === null) return null;
  return { reserves: BigInt(row.reserves), uses: BigInt(row.uses) };
}
