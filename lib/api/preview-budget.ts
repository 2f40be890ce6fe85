import { shownAmount } from "@/lib/accounts/budgets/budget-amounts";
import type { BudgetReader } from "@/lib/accounts/budgets/budget-reader";
import { type AskedSubject, subjectOf } from "@/lib/accounts/budgets/budget-subject";
import { runningPeriod } from "@/lib/accounts/budgets/running-period";
import { runtime } from "@/lib/gateway/runtime";
import { averageRequest, usedSince } from "@/lib/reports/budget-preview";
import type { BudgetPeriod, BudgetUnit } from "@/lib/shared/budget-words";

/**
 * What a rule would begin with, and what requests of its subject reserve and use. Throws: INVALID_REQUEST. Source: docs/budgets.md#start.
 */
export async function previewBudget(
  reader: BudgetReader,
  asked: AskedSubject & {
    models?: string[] | undefined;
    unit: BudgetUnit;
    period: BudgetPeriod;
    timeZone?: string | undefined;
  },
) {
  const { db, settings } = runtime();
  const { unit, period } = asked;
  const models = asked.models === undefined || asked.models.length === 0 ? null : asked.models;
  const timeZone = asked.timeZone ?? settings.reportTimezone;
  const subject = await subjectOf(db.orm, reader, asked);
  const { startsMs, endsMs } = await runningPeriod(db.orm, period, timeZone);
  // A rule of a plan has a counter for each.
  const used =
    subject.scope === "plan" ? null : await usedSince(db, { subject, models, unit, fromMs: startsMs });
  const average = await averageRequest(db, { subject, models, unit });
  return {
    timeZone,
    startsAt: isoOf(startsMs),
    endsAt: isoOf(endsMs),
    used: used === null ? null : shownAmount(unit, used),
    request:
      average === null
        ? null
        : { reserves: shownAmount(unit, average.reserves), uses: shownAmount(unit, average.uses) },
  };
}

function isoOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
