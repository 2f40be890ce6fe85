import { sumDecimals } from "@/lib/shared/decimal";
import type { AccountStatement } from "../api/types";

/** The types of movements that are no usage. */
const creditTypes = ["signup", "grant", "invite", "adjustment"] as const;

/** The first and the last day of a month. */
export function daysOf(month: string): { from: string; to: string } {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1, 0);
  return { from: `${month}-01`, to: next.toISOString().slice(0, 10) };
}

/** The sum of the listed grants of each type that occurs. */
export function creditsOf({ grants }: Pick<AccountStatement, "grants">) {
  return creditTypes.flatMap((type) => {
    const amounts = grants.filter((row) => row.type === type).map(({ amount }) => amount);
    return amounts.length === 0 ? [] : [{ type, amount: sumDecimals(amounts) }];
  });
}

type Sums = AccountStatement["totals"];

/** Tokens of the prompt, those of the cache too. */
export function promptTokensOf(sums: Sums): number {
  return sums.inputTokens + sums.cacheReadTokens + sums.cacheWriteTokens;
}

/** A line of a table of usage. */
export type UsageLine = Sums & { id: string; name: string; keyPrefix: string | null; ofMonth: string | null };

/** The rows of a part with the sum of those that it does not list, which has the id `others`. */
export function linesOf({ rows, others }: AccountStatement["models"]): UsageLine[] {
  if (others === null) return rows;
  return [...rows, { ...others, id: "others", name: "", keyPrefix: null, ofMonth: null }];
}
