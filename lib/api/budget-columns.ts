import type { BudgetLine } from "@/lib/accounts/budgets/budget-export";
import { counterOf } from "@/lib/accounts/budgets/budget-record";
import { centsDecimal } from "@/lib/kernel/money";
import type { Columns } from "@/lib/reports/csv";

/** An exact amount in the unit of the rule: cents, tokens or requests. */
const amountOf = ({ unit }: BudgetLine, amount: bigint) => ({
  number: unit === "money" ? centsDecimal(amount) : String(amount),
});

const limitOf = ({ counter }: BudgetLine): bigint | null =>
  counter.most === null ? null : BigInt(counter.most);

/** Used of the limit in hundredths of a percent, rounded down. */
function shareOf(line: BudgetLine): string {
  const limit = limitOf(line);
  if (limit === null || limit === 0n) return "";
  const hundredths = (BigInt(line.counter.used) * 10_000n) / limit;
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}

/** The columns of "budget and actual". Source: docs/budgets.md#operations. */
export const budgetColumns: Columns<BudgetLine> = {
  budgetId: ({ id }) => id,
  budget: ({ name }) => name,
  scope: ({ scope }) => scope,
  subject: ({ subject }) => subject ?? "",
  costCentre: ({ costCentre }) => costCentre,
  each: ({ each }) => each,
  member: ({ member }) => member ?? "",
  unit: ({ unit }) => unit,
  period: ({ period }) => period,
  timeZone: ({ timeZone }) => timeZone,
  startsAt: ({ unit, counter }) => counterOf(unit, counter).startsAt ?? "",
  endsAt: ({ unit, counter }) => counterOf(unit, counter).endsAt ?? "",
  mode: ({ mode }) => mode,
  enabled: ({ enabled }) => String(enabled),
  limit: (line) => {
    const limit = limitOf(line);
    return limit === null ? "" : amountOf(line, limit);
  },
  extra: (line) => amountOf(line, BigInt(line.counter.extra)),
  used: (line) => amountOf(line, BigInt(line.counter.used)),
  held: (line) => amountOf(line, BigInt(line.counter.held)),
  left: (line) => {
    const limit = limitOf(line);
    return limit === null ? "" : amountOf(line, limit - BigInt(line.counter.used));
  },
  usedPercent: (line) => ({ number: shareOf(line) }),
};
