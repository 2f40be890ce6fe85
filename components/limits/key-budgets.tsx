"use client";

import { ratio } from "@/lib/shared/decimal";
import type { BudgetUse, KeyLimits } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Meter } from "../ui/meter";

/** The rules by period that a key meets, with what is used of them; nothing where it meets none. */
export function KeyBudgets({ budgets }: { budgets: KeyLimits["budgets"] }) {
  const text = useMessages("limits").budgets;
  if (budgets.length === 0) return null;
  return (
    <section aria-label={text.title} className="grid gap-4 border-t pt-4">
      <div className="grid gap-1">
        <h3 className="font-semibold">{text.title}</h3>
        <p className="text-sm text-muted">{text.lead}</p>
      </div>
      {budgets.map((budget, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the order is that of the rules
        <BudgetMeter key={index} budget={budget} />
      ))}
    </section>
  );
}

/** A rule with its use; one whose counter others use too is told in words, without a bar. */
function BudgetMeter({ budget }: { budget: BudgetUse }) {
  const text = useMessages("limits");
  const format = useFormat();
  const amount = useAmount(budget.unit);
  const words = text.budgets;
  const { name, scope, mode, models, limit, used, held = 0, resetsAt } = budget;
  const facts = [
    words.scopes[scope],
    ...(limit === null ? [words.unlimited] : []),
    ...(models === null ? [] : [fill(words.models, { models: format.list(models) })]),
    ...(mode === "warn" ? [words.warn] : []),
    ...(resetsAt === null ? [] : [fill(words.resets, { time: format.minute(resetsAt) })]),
    ...(held > 0 ? [fill(words.held, { amount: amount(held) })] : []),
  ];
  const told = useBudgetText(budget);
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="wrap-anywhere">{name}</span>
        <span className="tabular font-medium">{told}</span>
      </div>
      {used !== undefined && limit !== null && (
        <Meter share={limit === 0 ? 1 : ratio(used + held, limit)} label={name} text={told} />
      )}
      <p className="text-sm text-muted">{facts.join(" · ")}</p>
    </div>
  );
}

/** What is used of what, or what is allowed where the use is not told. */
function useBudgetText({ unit, period, limit, used }: BudgetUse): string {
  const text = useMessages("limits");
  const amount = useAmount(unit);
  if (limit === null) return fill(text.used, { used: amount(used ?? 0) });
  const allowed = fill(text.budgets.periods[period], { amount: amount(limit) });
  return used === undefined ? allowed : fill(text.usedOf, { used: amount(used), limit: allowed });
}

/** How amounts of a unit are written. */
function useAmount(unit: BudgetUse["unit"]): (amount: number) => string {
  const { units } = useMessages("limits").budgets;
  const format = useFormat();
  if (unit === "money") return (amount) => format.money(amount);
  return (amount) => plural(units[unit], amount, format.locale);
}
