import { compareCodes } from "../collate";
import { fromScaled, sumDecimals, toScaled } from "../decimal";
import type { ProviderBill } from "./bill";
import { type Cause, causeOf } from "./bill-causes";
import { addOurs, addTheirs, isNothing, type OurSide, type Side, type TheirSide } from "./bill-sides";
import { labelOf, type ModelGroup, modelGroups, type OurDay } from "./our-days";
import { addCounts } from "./sum-bill";

/** A model on a day, on both sides. Null: the side has nothing. */
export interface ComparedRow {
  day: string;
  model: string;
  aliases: string[];
  theirs: TheirSide | null;
  ours: OurSide | null;
  /** What the bill has more; below 0: less. Null: one of both is not known. */
  difference: { tokens: number | null; cents: string | null };
  cause: Cause;
}

/** The sums of what is known on each side. Cents as decimal text. */
export interface ComparedTotals {
  theirs: { tokens: number | null; cents: string | null };
  ours: { tokens: number; cents: string | null };
  difference: { tokens: number | null; cents: string | null };
}

/** Both sides, the newest day first. */
export interface BillComparison {
  rows: ComparedRow[];
  totals: ComparedTotals;
}

/** How amounts of the bill become yuan, as decimal text; null: not typed. */
interface Terms {
  rate: string | null;
}

/** Compares a bill with what went through this gateway, by day and model. Source: docs/prices.md#bill-causes. */
export function compareBill(bill: ProviderBill, ours: readonly OurDay[], { rate }: Terms): BillComparison {
  const groups = modelGroups(bill.rows, ours);
  const found = new Map<ModelGroup, Map<string, Side>>();
  const sideOf = (group: ModelGroup, day: string) => {
    const days = found.get(group) ?? new Map<string, Side>();
    found.set(group, days);
    const side = days.get(day) ?? { theirs: null, ours: null };
    days.set(day, side);
    return side;
  };
  for (const row of bill.rows) {
    const side = sideOf(groups.ofBill(row), row.day);
    side.theirs = addTheirs(side.theirs, row, rate);
  }
  for (const row of ours) {
    const side = sideOf(groups.ofOurs(row), row.day);
    side.ours = addOurs(side.ours, row);
  }
  const rows = [...found].flatMap(([group, days]) =>
    [...days]
      .filter(([, side]) => !isNothing(side))
      .map(([day, side]): ComparedRow => {
        const difference = differenceOf(side.theirs, side.ours);
        const cause = causeOf(day, days);
        return { day, model: labelOf(group), aliases: [...group.aliases].sort(), ...side, difference, cause };
      }),
  );
  rows.sort((a, b) => compareCodes(b.day, a.day) || compareCodes(a.model, b.model));
  return { rows, totals: totalsOf(rows) };
}

/** A side without a row is nothing, where the other one tells. */
function differenceOf(theirs: TheirSide | null, ours: OurSide | null): ComparedRow["difference"] {
  const theirTokens = theirs === null ? 0 : theirs.tokens;
  const theirCents = theirs === null ? "0" : theirs.cents;
  const ourCents = ours === null ? "0" : ours.cents;
  return {
    tokens: theirTokens === null ? null : theirTokens - (ours?.tokens ?? 0),
    cents: theirCents === null || ourCents === null ? null : minus(theirCents, ourCents),
  };
}

function minus(a: string, b: string): string {
  return fromScaled(toScaled(a) - toScaled(b));
}

function totalsOf(rows: readonly ComparedRow[]): ComparedTotals {
  const sum = (values: (string | null | undefined)[]) => {
    const known = values.filter((value) => value != null);
    return known.length === 0 ? null : sumDecimals(known);
  };
  const theirs = {
    tokens: rows.reduce<number | null>((all, row) => addCounts(all, row.theirs?.tokens ?? null), null),
    cents: sum(rows.map((row) => row.theirs?.cents)),
  };
  const ours = {
    tokens: rows.reduce((all, row) => all + (row.ours?.tokens ?? 0), 0),
    cents: sum(rows.map((row) => row.ours?.cents)),
  };
  return {
    theirs,
    ours,
    difference: {
      tokens: theirs.tokens === null ? null : theirs.tokens - ours.tokens,
      cents: theirs.cents === null || ours.cents === null ? null : minus(theirs.cents, ours.cents),
    },
  };
}
