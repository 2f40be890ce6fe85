import { eq, sql } from "drizzle-orm";
import { shownAmount } from "@/lib/accounts/budgets/budget-amounts";
import type { BudgetSubject } from "@/lib/accounts/budgets/budget-subject";
import { createBudget } from "@/lib/accounts/budgets/create-budget";
import { runningPeriod } from "@/lib/accounts/budgets/running-period";
import type { Database } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, users } from "@/lib/db/schema/accounts";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { usedSince } from "@/lib/reports/budget-preview";
import { type DemoBudget, demoBudgets } from "./seed-plan";

const ZONE = "UTC";

/** Makes the budgets of the demo: one in every state, with the periods before. Used stays what the roll-ups have. */
export async function seedBudgets(db: Database, adminId: string): Promise<void> {
  for (const budget of demoBudgets) await seedBudget(db, budget, adminId);
}

async function seedBudget(db: Database, budget: DemoBudget, adminId: string): Promise<void> {
  const { name, unit, period, mode, each, enabled, fullness, locked } = budget;
  const subject = await subjectOf(db, budget, adminId);
  const { startsMs } = await runningPeriod(db.orm, period, ZONE);
  const use = { subject, models: null, unit };
  const used = each === "none" ? await usedSince(db, { ...use, fromMs: startsMs }) : 0n;
  // In whole cents, tokens or requests.
  const limit = budget.limit ?? Math.max(1, Math.ceil(shownAmount(unit, used) / fullness));
  const exceptions = await exceptionsOf(db, budget);
  const row = await db.orm.transaction((tx) =>
    createBudget(tx, {
      subject,
      name,
      each,
      models: null,
      unit,
      period,
      timeZone: ZONE,
      limit,
      mode,
      enabled,
      exceptions,
      locked,
      createdBy: adminId,
      seed: used,
    }),
  );
  if (each === "none") await seedPeriodsBefore(db, { id: row.id, use, periods: budget.periodsBefore });
}

/** The periods before with what was used in them, as far back as there was usage. */
async function seedPeriodsBefore(
  db: Database,
  rule: { id: string; use: Omit<Parameters<typeof usedSince>[1], "fromMs">; periods: number },
): Promise<void> {
  const ofRule = sql`budget_id = ${rule.id}::uuid`;
  for (let count = 0; count < rule.periods; count += 1) {
    const [first] = await db.orm
      .select({ at: sql<string>`(extract(epoch FROM min(starts_at)) * 1000)::bigint::text` })
      .from(sql`budget_windows WHERE ${ofRule}`);
    const endsMs = Number(first?.at);
    const [before] = await db.orm
      .select({ at: sql<string>`(extract(epoch FROM t.starts) * 1000)::bigint::text` })
      .from(
        sql`budgets b CROSS JOIN LATERAL budget_period(b.period, b.time_zone, to_timestamp(${endsMs - 1}::float8 / 1000)) AS t
          WHERE b.id = ${rule.id}::uuid`,
      );
    const startsMs = Number(before?.at);
    const since = (fromMs: number) => usedSince(db, { ...rule.use, fromMs });
    const used = (await since(startsMs)) - (await since(endsMs));
    await db.orm.execute(sql`INSERT INTO budget_windows (budget_id, member, starts_at, ends_at, seed, used)
      VALUES (${rule.id}::uuid, ${NO_MEMBER}::uuid, to_timestamp(${startsMs}::float8 / 1000),
        to_timestamp(${endsMs}::float8 / 1000), ${used}::bigint, ${used}::bigint)`);
  }
}

async function subjectOf(db: Database, { subject }: DemoBudget, adminId: string): Promise<BudgetSubject> {
  const none = { planId: null, userId: null, projectId: null, keyId: null };
  if (subject.scope === "key") {
    const [key] = await db.orm
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.name, subject.key))
      .limit(1);
    if (key === undefined) throw new Error(`the key ${subject.key} of the demo does not exist`);
    return { ...none, scope: "key", keyId: key.id };
  }
  if (subject.scope === "account")
    return {
      ...none,
      scope: "account",
      userId: subject.username === null ? adminId : await idOf(db, subject.username),
    };
  return { ...none, scope: subject.scope, planId: subject.scope === "plan" ? subject.planId : null };
}

async function exceptionsOf(db: Database, { exceptions }: DemoBudget) {
  return Promise.all(
    exceptions.map(async ({ username, limit }) => ({ member: await idOf(db, username), limit })),
  );
}

async function idOf(db: Database, username: string): Promise<string> {
  const rows = await db.orm.select({ id: users.id }).from(users).where(eq(users.username, username));
  return onlyRow(rows).id;
}
