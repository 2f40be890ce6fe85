import type { BatchValue } from "@/lib/db/database";

/** A rule and whose counter of it. Shape: ids. */
export interface BudgetCounter {
  readonly budgetId: string;
  readonly member: string;
}

/** The counters that a request must pass; requests with the same ones share one object. */
export type BudgetSet = readonly BudgetCounter[];

/** What a request needs of its rules, beside the amount of its hold. Units: micro-cents, tokens. */
export interface BudgetNeeds {
  readonly set: BudgetSet;
  readonly expectedMicroCents: bigint;
  readonly mostTokens: number;
  readonly expectedTokens: number;
}

/** A hold with its amount and what it needs; absent: it meets no rule. */
interface BudgetedHold {
  readonly amountMicroCents: bigint;
  readonly budgets?: BudgetNeeds;
}

/** The parameters of a batch for its rules, and the counters by their place, from 1. */
export interface BudgetParameters {
  readonly values: readonly BatchValue[];
  readonly counters: readonly BudgetCounter[];
}

const SUMS = 5;

/**
 * The rules of a batch as lists of numbers: counters once each, ascending; sets as ranges of them; five sums for each set
 * over its holds. Source: docs/budgets.md#batch.
 */
export function budgetParameters(holds: readonly BudgetedHold[]): BudgetParameters {
  const sets = [...new Set(holds.flatMap(({ budgets }) => (budgets === undefined ? [] : [budgets.set])))];
  const keyOf = ({ budgetId, member }: BudgetCounter) => `${budgetId}${member}`;
  const distinct = new Map(sets.flat().map((counter) => [keyOf(counter), counter]));
  const counters = [...distinct.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const placeOf = new Map(counters.map((counter, index) => [keyOf(counter), index + 1]));
  const rules: number[] = [];
  const ends = sets.map((set) => {
    const places = set.map((counter) => placeOf.get(keyOf(counter)) ?? 0).sort((a, b) => a - b);
    rules.push(...places);
    return rules.length;
  });
  const setOf = new Map(sets.map((set, index) => [set, index + 1]));
  const sums: bigint[] = Array(SUMS * sets.length).fill(0n);
  for (const { amountMicroCents, budgets } of holds) {
    if (budgets === undefined) continue;
    const base = SUMS * ((setOf.get(budgets.set) ?? 0) - 1);
    const needs = [amountMicroCents, ...needsOf(budgets), 1n];
    for (const [index, need] of needs.entries()) sums[base + index] = (sums[base + index] ?? 0n) + need;
  }
  const values = [
    arrayText(counters.map(({ budgetId }) => budgetId)),
    arrayText(counters.map(({ member }) => member)),
    arrayText(rules),
    arrayText(ends),
    arrayText(sums),
    arrayText(holds.map(({ budgets }) => (budgets === undefined ? 0 : (setOf.get(budgets.set) ?? 0)))),
    arrayText(holds.flatMap(({ budgets }) => (budgets === undefined ? [0n, 0n, 0n] : needsOf(budgets)))),
  ];
  return { values, counters };
}

function needsOf({ expectedMicroCents, mostTokens, expectedTokens }: BudgetNeeds): bigint[] {
  return [expectedMicroCents, BigInt(mostTokens), BigInt(expectedTokens)];
}

/** Array parameters as text, which both drivers pass on unchanged. Only for ids and numbers, which need no quotes. */
export function arrayText(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(",")}}`;
}
