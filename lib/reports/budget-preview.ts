import type { Session, SqlValue } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import type { BudgetUnit } from "@/lib/shared/budget-words";
import { QUARTER_HOUR_MS } from "./calendar";
import { coveringRollups } from "./covering-rollups";

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
export async function usedSince(db: Session, use: SummedUse, nowMs: number): Promise<bigint> {
  const from = use.fromMs ?? (await firstBucket(db));
  if (from === null) return 0n;
  const rollups = await coveringRollups(db, [from], nowMs);
  const params: SqlValue[] = [...rollups.params];
  const where = conditionsOf(use, params);
  const { used } = onlyRow(
    await db.query<{ used: string }>(
      `SELECT coalesce(sum(${sumOf[use.unit]}), 0)::text AS used FROM ${rollups.table(where)} AS r`,
      params,
    ),
  );
  return BigInt(used);
}

async function firstBucket(db: Session): Promise<number | null> {
  const { first } = onlyRow(
    await db.query<{ first: Date | null }>(
      "SELECT least((SELECT min(bucket) FROM usage_rollups_4h), (SELECT min(bucket) FROM usage_rollups)) AS first",
    ),
  );
  return first === null ? null : Math.floor(first.getTime() / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}

/** The owner's id beside a key's lets the roll-ups be found by their index. */
function conditionsOf(
  { subject, models }: Pick<SummedUse, "subject" | "models">,
  params: SqlValue[],
): string {
  const narrow = (value: string | number | null, condition: (parameter: string) => string) => {
    if (value === null) return "";
    params.push(value);
    return ` AND ${condition(`$${params.length}`)}`;
  };
  return (
    narrow(subject.planId, (plan) => `user_id IN (SELECT id FROM users WHERE plan_id = ${plan}::integer)`) +
    narrow(subject.userId, (user) => `user_id = ${user}::uuid`) +
    narrow(
      subject.keyId,
      (key) => `key_id = ${key}::uuid AND user_id = (SELECT user_id FROM api_keys WHERE id = ${key}::uuid)`,
    ) +
    narrow(
      subject.projectId,
      (project) => `user_id = (SELECT user_id FROM projects WHERE id = ${project}::uuid)
        AND key_id IN (SELECT id FROM api_keys WHERE project_id = ${project}::uuid
          AND user_id = (SELECT user_id FROM projects WHERE id = ${project}::uuid))`,
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
  const where = conditionsOf(use, params);
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
