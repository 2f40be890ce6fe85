import { centsNumber, microCentsFromCents } from "@/lib/kernel/money";
import type { BudgetUnit } from "@/lib/shared/budget-words";

/** An amount of the API as it is stored. Units: cents, tokens or requests in; micro-cents, tokens or requests out. */
export function storedAmount(unit: BudgetUnit, amount: number): bigint {
  return unit === "money" ? microCentsFromCents(amount) : BigInt(amount);
}

/** A stored amount as the API shows it. */
export function shownAmount(unit: BudgetUnit, amount: bigint | string): number {
  return unit === "money" ? centsNumber(BigInt(amount)) : Number(amount);
}
