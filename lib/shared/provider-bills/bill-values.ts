import { SECOND_MS } from "@/lib/kernel/durations";
import { BillError, type BillExpectation, type BillVendor } from "./bill";
import type { SourceEntry } from "./bill-source";

/** `toScaled` keeps so many decimals; what follows them is cut. */
const MAX_DECIMALS = 12;

/** The first of these names that an entry says something under. */
export function firstOf(entry: SourceEntry, names: readonly string[]): string {
  return names.find((name) => entry.text(name) !== "") ?? names[0] ?? "";
}

/** The day in UTC. Throws: BillError for what is none. */
export function dayAt(entry: SourceEntry, name: string): string {
  const day = dayOf(entry.text(name));
  return day ?? refuse(entry, name, "day");
}

/** Whole tokens or requests, which can be written as `12.0` or with commas between thousands; null: nothing is said. Throws: BillError for others. */
export function countAt(entry: SourceEntry, name: string): number | null {
  const text = entry.text(name);
  if (text === "") return null;
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.0*)?$/.test(text) ? text.replaceAll(",", "") : text;
  const count = /^\d+(?:[.,]0{0,2})?$/.test(plain) ? Number.parseInt(plain, 10) : Number.NaN;
  return Number.isSafeInteger(count) ? count : refuse(entry, name, "count");
}

/** A decimal text without an exponent; null: nothing is said. Throws: BillError for what is no number. */
export function amountAt(entry: SourceEntry, name: string): string | null {
  const text = entry.text(name);
  if (text === "") return null;
  return decimalOf(text) ?? refuse(entry, name, "amount");
}

/** A code such as `USD`. Throws: BillError for what is none. */
export function currencyAt(entry: SourceEntry, name: string): string {
  const code = entry.text(name).toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : refuse(entry, name, "currency");
}

/** Throws: BillError, always: the entry does not say of which model it is. */
export function refuseModel(vendor: BillVendor, entry: SourceEntry, name: string): never {
  throw new BillError({ kind: "noModel", vendor, place: entry.place(name) });
}

function refuse(entry: SourceEntry, name: string, expected: BillExpectation): never {
  throw new BillError({ kind: "value", place: entry.place(name), found: entry.text(name), expected });
}

/** The day of a time in UTC: Unix seconds, or a date that begins with the year, or with month and day as Azure does. */
function dayOf(text: string): string | null {
  if (/^\d{9,11}(?:\.0*)?$/.test(text)) return dayOfMs(Number.parseInt(text, 10) * SECOND_MS);
  const [, month, date, year] = /^(\d{2})\/(\d{2})\/(\d{4})(?!\d)/.exec(text) ?? [];
  const iso = year === undefined ? text : `${year}-${month}-${date}`;
  const [day] = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(iso) ?? [];
  if (day === undefined || dayOfMs(Date.parse(day)) !== day) return null;
  // A time that names another zone can be of another day in UTC.
  return /T.*[+-]\d{2}:\d{2}$/.test(iso) ? dayOfMs(Date.parse(iso)) : day;
}

function dayOfMs(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** `1.5E-3` is `0.0015`; a spreadsheet of a country with decimal commas writes `0,0015`. Null for what is no number. */
export function decimalOf(text: string): string | null {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)(\d{1,20})(?:[.,](\d{1,100}))?(?:e([+-]?\d{1,5}))?$/i.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point > 40) return /[1-9]/.test(digits) ? null : "0";
  const padded = "0".repeat(Math.min(Math.max(-point, 0), MAX_DECIMALS)) + digits.padEnd(point, "0");
  const at = Math.max(point, 0);
  const decimals = padded.slice(at, at + MAX_DECIMALS).replace(/0+$/, "");
  const value = `${padded.slice(0, at).replace(/^0+(?=\d)/, "") || "0"}${decimals === "" ? "" : `.${decimals}`}`;
  return value === "0" ? value : `${sign}${value}`;
}
