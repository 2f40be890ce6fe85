import { compareCodes } from "../collate";
import { sumDecimals } from "../decimal";
import { type BillEntry, BillError, type BillRow, type BillVendor, type ProviderBill } from "./bill";

/** One row for each day and model. Throws: BillError for amounts in more than one currency. */
export function sumBill(vendor: BillVendor, entries: Iterable<BillEntry>, leftOut: number): ProviderBill {
  const rows = new Map<string, BillRow>();
  const currencies = new Set<string>();
  for (const { currency, ...row } of entries) {
    if (currency !== null) currencies.add(currency);
    const id = `${row.day} ${row.model}`;
    const known = rows.get(id);
    rows.set(id, known === undefined ? row : addRows(known, row));
  }
  if (currencies.size > 1) throw new BillError({ kind: "currencies", found: [...currencies].sort() });
  const all = [...rows.values()];
  const [currency = null] = currencies;
  return {
    vendor,
    unit: {
      tokens: all.some((row) => row.inputTokens !== null || row.outputTokens !== null),
      money: all.some((row) => row.amount !== null),
    },
    currency,
    rows: all.sort((a, b) => compareCodes(a.day, b.day) || compareCodes(a.model, b.model)),
    leftOut,
  };
}

/**
 * Several exports as one, such as the tokens and the costs of a month, or its halves. Throws: BillError for those of
 * different vendors, or in different currencies.
 */
export function joinBills(bills: readonly ProviderBill[]): ProviderBill {
  const vendors = [...new Set(bills.map(({ vendor }) => vendor))];
  const [vendor] = vendors;
  if (vendor === undefined) throw new BillError({ kind: "empty" });
  if (vendors.length > 1) throw new BillError({ kind: "vendors", found: vendors });
  const entries = bills.flatMap(({ rows, currency }) =>
    rows.map((row) => ({ ...row, currency: row.amount === null ? null : currency })),
  );
  return sumBill(
    vendor,
    entries,
    bills.reduce((sum, { leftOut }) => sum + leftOut, 0),
  );
}

function addRows(a: BillRow, b: BillRow): BillRow {
  return {
    day: a.day,
    model: a.model,
    inputTokens: addCounts(a.inputTokens, b.inputTokens),
    cachedInputTokens: addCounts(a.cachedInputTokens, b.cachedInputTokens),
    cacheWriteTokens: addCounts(a.cacheWriteTokens, b.cacheWriteTokens),
    outputTokens: addCounts(a.outputTokens, b.outputTokens),
    requests: addCounts(a.requests, b.requests),
    amount: addAmounts(a.amount, b.amount),
  };
}

/** The sum of what is known; null: neither is. */
export function addCounts(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

/** The same of decimal texts. */
export function addAmounts(a: string | null, b: string | null): string | null {
  if (a === null) return b;
  return b === null ? a : sumDecimals([a, b]);
}
