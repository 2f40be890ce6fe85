import type { JsonErrorPlace } from "../json-error";

/** Whose exports can be read. */
export const billVendors = ["openai", "anthropic", "openrouter", "azure"] as const;
export type BillVendor = (typeof billVendors)[number];

/** The most rows of an export. */
export const MAX_BILL_ROWS = 200_000;

/** The largest export. Unit: megabytes. */
export const MAX_BILL_MEGABYTES = 20;

/** What an export says of one model on one day. Null: it does not say. */
export interface BillRow {
  /** In UTC, as `2026-11-21`. */
  day: string;
  /** The model by the vendor's name, or what else was billed. */
  model: string;
  /** All tokens of prompts, cached ones included. */
  inputTokens: number | null;
  /** Those of the input that were read from the cache. */
  cachedInputTokens: number | null;
  /** Those of the input that were written to the cache. */
  cacheWriteTokens: number | null;
  outputTokens: number | null;
  requests: number | null;
  /** Decimal text in the currency of the export. */
  amount: string | null;
}

/** An export that was read: one row for each day and model. */
export interface ProviderBill {
  vendor: BillVendor;
  unit: { tokens: boolean; money: boolean };
  /** Such as `USD`; null without amounts. */
  currency: string | null;
  /** By day, then by model. */
  rows: BillRow[];
  /** Rows of the export that belong to no model, such as other services of Azure. */
  leftOut: number;
}

/** Where a value stands: in a row of a spreadsheet, or in a JSON text. */
export type BillPlace = { row: number; column: string } | { path: string };

/** What a value should have been. */
export type BillExpectation = "day" | "count" | "amount" | "currency";

/** Why a text cannot be compared. */
export type BillProblem =
  | { kind: "empty" | "noRows" }
  | ({ kind: "json" | "jsonEnd" } & JsonErrorPlace)
  /** No export that is known has such columns or members. */
  | { kind: "unknown"; found: string[] }
  /** It is nearly one. */
  | { kind: "missing"; vendor: BillVendor; missing: string[] }
  | { kind: "value"; place: BillPlace; found: string; expected: BillExpectation }
  /** The export was not made by model. */
  | { kind: "noModel"; vendor: BillVendor; place: BillPlace }
  | { kind: "tooMany"; count: number }
  | { kind: "currencies"; found: string[] }
  | { kind: "vendors"; found: BillVendor[] };

/** Ends the reading of an export. */
export class BillError extends Error {
  constructor(readonly problem: BillProblem) {
    super(problem.kind);
  }
}

/** What an export or a part of it says, before it is summed up. */
export interface BillEntry extends BillRow {
  currency: string | null;
}

/** The entry of a day and model, with nothing else told. */
export function emptyEntry(day: string, model: string): BillEntry {
  return {
    day,
    model,
    inputTokens: null,
    cachedInputTokens: null,
    cacheWriteTokens: null,
    outputTokens: null,
    requests: null,
    amount: null,
    currency: null,
  };
}
