"use client";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/kernel/durations";
import type { BudgetUnit } from "@/lib/shared/budget-words";
import type { Budget, BudgetWindow } from "../api/types";
import { fill, plural } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { useFormat, useMessages } from "../i18n/provider";
import { useBudgetSpace } from "./budget-space";
import { leftOf, shareOf } from "./budget-use";

/** Says what budgets and their counters are, in the reader's language. */
export function useBudgetWords() {
  const text = useMessages("budgets");
  const format = useFormat();
  const space = useBudgetSpace();
  const amount = (unit: BudgetUnit, value: number) => amountText(unit, value, { text, format });
  const per = (budget: Pick<Budget, "unit" | "period">, limit: number | null) =>
    fill(text.per[budget.period], { amount: limit === null ? text.noLimit : amount(budget.unit, limit) });
  return {
    amount,
    per,
    count: format.countFull,
    subject: (budget: Pick<Budget, "scope" | "subject" | "each">) =>
      subjectText(budget, { text, isOwn: space === "/api/user" }),
    used: (unit: BudgetUnit, { used, limit }: BudgetWindow) => {
      if (limit === null) return fill(text.usedNoLimit, { used: amount(unit, used) });
      const bare = unit === "money" ? format.money(used) : format.count(used);
      return fill(text.usedOf, { used: bare, limit: amount(unit, limit) });
    },
    share: (counter: BudgetWindow) => {
      const share = shareOf(counter);
      return share === null ? text.noLimit : format.percent(share);
    },
    /** `listed`: with the decimals of a list. */
    left: (unit: BudgetUnit, counter: BudgetWindow, listed = false) => {
      const left = leftOf(counter);
      if (left === null) return text.noLimit;
      if (unit !== "money") return format.count(Math.floor(left));
      return listed ? format.listColumn("balance")(left) : format.left(left);
    },
    resetsIn: (resetsAt: string | null) =>
      resetsAt === null
        ? text.never
        : fill(text.resetsIn, { time: waitText(Date.parse(resetsAt) - format.now(), text) }),
  };
}

/** An amount with its unit. */
function amountText(
  unit: BudgetUnit,
  value: number,
  { text, format }: { text: Messages["budgets"]; format: Format },
): string {
  if (unit === "money") return format.money(value);
  return plural(text.amounts[unit], value, format.locale, { count: format.count(value) });
}

function subjectText(
  { scope, subject, each }: Pick<Budget, "scope" | "subject" | "each">,
  { text, isOwn }: { text: Messages["budgets"]; isOwn: boolean },
): string {
  const name = subject?.name ?? "";
  const owner = subject?.owner ?? null;
  const { subjects } = text;
  let whose = fill(subjects[scope], { name });
  if (scope === "account" && isOwn) whose = subjects.ownAccount;
  if (scope === "key" && !isOwn && owner !== null) whose = fill(subjects.keyOf, { name, owner });
  return each === "none" ? whose : fill(text.subjectEach, { subject: whose, each: text.each[each] });
}

/** `3 d 4 h`, `4 h 12 min`, `12 min`. */
function waitText(ms: number, { times }: Messages["budgets"]): string {
  const whole = (unitMs: number, rest = ms) => Math.floor(rest / unitMs);
  if (ms >= DAY_MS) return fill(times.daysHours, { days: whole(DAY_MS), hours: whole(HOUR_MS, ms % DAY_MS) });
  if (ms >= HOUR_MS)
    return fill(times.hoursMinutes, { hours: whole(HOUR_MS), minutes: whole(MINUTE_MS, ms % HOUR_MS) });
  return ms < MINUTE_MS ? times.soon : fill(times.minutes, { minutes: whole(MINUTE_MS) });
}
