import { fromScaled, toScaled } from "../decimal";
import { type BillEntry, emptyEntry } from "./bill";
import type { BillFormat } from "./bill-format";
import type { SourceEntry } from "./bill-source";
import { amountAt, currencyAt, dayAt, firstOf } from "./bill-values";

const DAY = ["date", "usagedatetime", "usagedate", "usage_date"];
const METER = ["metername", "meter_name", "meter"];
const COST = ["costinbillingcurrency", "pretaxcost", "cost"];
const CURRENCY = ["billingcurrency", "billingcurrencycode", "currency"];
const QUANTITY = ["quantity", "usagequantity"];

/** Cost and usage details of Cost Management, and what its cost analysis saves. Source: docs/prices.md#bill-formats. */
export const azureBills: readonly BillFormat[] = [
  { vendor: "azure", needs: [DAY, METER, COST, CURRENCY], read: readCharge },
];

/** Words of a meter that say what it counts. */
const INPUT = /^(inp|inpt|in|input)$/;
const OUTPUT = /^(outp|outpt|opt|out|output)$/;
const CACHED = /^(cached|cache|cchd|cd)$/;
/** Words of a meter that say where and how it is sold. */
const SALE =
  /^(glbl|gl|global|regnl|rgnl|regional|dz|dzn|dzone|data|zone|shortco|longco|batch|pp|prty|priority|tokens?|1k|1m)$/;

/** Meters of tokens have that word in their names; any other is of another service. */
function readCharge(entry: SourceEntry): BillEntry | "other" {
  const words = entry
    .text(firstOf(entry, METER))
    .toLowerCase()
    .split(/[\s-]+/);
  if (!words.some((word) => /^tokens?$/.test(word))) return "other";
  const is = (kind: RegExp) => words.some((word) => kind.test(word));
  const tokens = tokensOf(entry);
  const isOutput = is(OUTPUT);
  return {
    ...emptyEntry(dayAt(entry, firstOf(entry, DAY)), modelOf(words)),
    inputTokens: isOutput ? null : tokens,
    cachedInputTokens: is(CACHED) && !isOutput ? tokens : null,
    outputTokens: isOutput ? tokens : null,
    amount: amountAt(entry, firstOf(entry, COST)),
    currency: currencyAt(entry, firstOf(entry, CURRENCY)),
  };
}

/** The words of a meter such as `gpt 4.1 nano 0414 cached Inp glbl Tokens` that name the model. Some meters leave GPT out. */
function modelOf(words: readonly string[]): string {
  const kept = words.filter((word) => ![INPUT, OUTPUT, CACHED, SALE].some((other) => other.test(word)));
  const name = kept.join("-");
  return /^\d/.test(name) ? `gpt-${name}` : name;
}

/** The quantity is in units such as `1K`. Null: the file has no quantity, or no unit. */
function tokensOf(entry: SourceEntry): number | null {
  const quantity = amountAt(entry, firstOf(entry, QUANTITY));
  const [, count, size = ""] = /^(\d{1,6})\s*([KM]?)\b/i.exec(entry.text("unitofmeasure")) ?? [];
  if (quantity === null || count === undefined) return null;
  const zeros = size === "" ? 0 : size.toUpperCase() === "K" ? 3 : 6;
  const tokens = toScaled(quantity) * BigInt(count) * 10n ** BigInt(zeros);
  return Math.round(Number(fromScaled(tokens)));
}
