/** Digits after the decimal point; sufficient for prices times tokens. */
const SCALE = 12;
const ONE = 10n ** BigInt(SCALE);

/** A decimal string or number as an integer of 10^-12. Throws: on any other text. */
export function toScaled(value: string | number): bigint {
  const text = typeof value === "number" ? plainNumber(value) : value.trim();
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new RangeError(`not a decimal: ${text}`);
  const [, sign, whole = "0", fraction = ""] = match;
  const scaled = BigInt(whole) * ONE + BigInt(fraction.slice(0, SCALE).padEnd(SCALE, "0"));
  return sign === "-" ? -scaled : scaled;
}

/** The decimal string of an integer of 10^-12, without trailing zeros. */
export function fromScaled(scaled: bigint): string {
  const absolute = scaled < 0n ? -scaled : scaled;
  const fraction = (absolute % ONE).toString().padStart(SCALE, "0").replace(/0+$/, "");
  const text = fraction === "" ? `${absolute / ONE}` : `${absolute / ONE}.${fraction}`;
  return scaled < 0n ? `-${text}` : text;
}

/** The exact sum of decimal strings. */
export function sumDecimals(values: Iterable<string>): string {
  let total = 0n;
  for (const value of values) total += toScaled(value);
  return fromScaled(total);
}

/** Moves the decimal point two places to the left, as text: cents to yuan. */
export function centsToYuan(cents: string | number): string {
  const negative = toScaled(cents) < 0n;
  const text = (typeof cents === "number" ? plainNumber(cents) : cents.trim()).replace("-", "");
  const [whole = "0", fraction = ""] = text.split(".");
  const padded = whole.padStart(3, "0");
  const joined = `${padded.slice(0, -2)}.${padded.slice(-2)}${fraction}`;
  const trimmed = joined.replace(/^0+(?=\d)/, "").replace(/\.?0+$/, "");
  return negative ? `-${trimmed}` : trimmed;
}

/** Yuan as typed, in units of 10^-`digits` yuan; null for what is no amount, and for what a number cannot hold exactly. */
export function yuanToUnits(input: string, digits: number): number | null {
  const typed = withoutGroups(input.replace(/^\s*[¥￥]/, ""));
  if (typed === "" || !/^\d{0,10}(?:\.\d{1,10})?$/.test(typed)) return null;
  const exact = fromScaled(toScaled(`0${typed}`) * 10n ** BigInt(digits));
  const units = Number(exact);
  return fromScaled(toScaled(units)) === exact ? units : null;
}

/** Yuan as typed to whole cents; null when it is not an amount of at most two decimals. */
export function yuanToCents(input: string): number | null {
  const cents = yuanToUnits(input, 2);
  return Number.isInteger(cents) ? cents : null;
}

/** Yuan as typed, with up to 8 decimals, to cents as decimal text; null when it is not an amount. */
export function yuanToExactCents(input: string): string | null {
  const typed = withoutGroups(input.replace(/^\s*[¥￥]/, ""));
  return /^\d{1,10}(?:\.\d{1,8})?$/.test(typed) ? fromScaled(toScaled(typed) * 100n) : null;
}

/** A typed number, of full-width digits too, without thousands separators. A comma that is not followed by three digits stays. */
export function withoutGroups(input: string): string {
  const typed = input.normalize("NFKC").trim();
  return /^\d{1,3}(?:[,\s]\d{3})+(?:\.\d*)?$/.test(typed) ? typed.replace(/[,\s]/g, "") : typed;
}

/** The smallest part of a whole that is more than nothing. */
const SHARE_UNITS = 10n ** 12n;

/** A share for drawing and percentages; not for money. */
export function ratio(part: string | number, whole: string | number): number {
  const total = toScaled(whole);
  if (total === 0n) return 0;
  return Number((toScaled(part) * SHARE_UNITS) / total) / Number(SHARE_UNITS);
}

/** A float for the height of a bar; not for money. */
export function toChartNumber(value: string): number {
  return Number(value);
}

function plainNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError("not a finite number");
  const text = String(value);
  return text.includes("e") ? value.toFixed(SCALE) : text;
}

/** Micro-cents as exact decimal text of cents. */
export function centsOfMicroCents(microCents: number): string {
  return fromScaled(toScaled(microCents) / 1_000_000n);
}
