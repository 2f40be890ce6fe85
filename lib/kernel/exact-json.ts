import { invalid } from "./errors";

/**
 * JSON that is read and written again without a change to its values. JavaScript's numbers are doubles: integers above
 * 2^53, `19.90` and `1E400` would be written as other numbers, and member names that are numbers move to the front.
 * Such a number, or name, is kept as a text with a mark before it while the value is in memory; `printJson` writes it
 * unchanged.
 * Source: docs/protocols.md#s6-4.
 */

/**
 * The mark before a kept text. Only this thread knows its random part, so that no text of a client or a node is
 * mistaken for a kept one; kept texts leave the thread only through `printJson`.
 */
const MARK = `\uFDD0${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")}:`;

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

export interface JsonBounds {
  maxDepth: number;
  maxValues: number;
}

export interface JsonShape {
  /** How many members the outermost object has, counting repeated names. */
  members: number;
  /** What parsing would change: numbers, and names with their quotes. */
  literals: readonly Span[];
  /** The text of the outermost member `model`, with its quotes; null: there is none, or its name is escaped. */
  model: Span | null;
}

const MARK_START = MARK.charCodeAt(0);
const unbounded: JsonBounds = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const SMALL_E = 0x65;
const LOWER_CASE = 0x20;
const MODEL_NAME = '"model"';

/**
 * Scans a JSON text before it is parsed: refuses too many levels or values cheaply, and finds what parsing would change.
 * Throws: INVALID_REQUEST beyond the bounds. Source: docs/reliability.md#s3-10.
 */
export function scanJson(text: string, { maxDepth, maxValues }: JsonBounds = unbounded): JsonShape {
  const literals: Span[] = [];
  let depth = 0;
  let values = 1;
  let members = 1;
  let model: Span | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      if (isDigit(text.charCodeAt(index + 1)) && isNumberName(text, index, end))
        literals.push({ start: index, end: end + 1 });
      if (depth === 1 && text.startsWith(MODEL_NAME, index)) model = textAfterColon(text, end + 1) ?? model;
      index = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw invalid("body", `The JSON is nested deeper than ${maxDepth} levels.`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (code === COMMA) {
      values += 1;
      if (depth === 1) members += 1;
      if (values > maxValues) throw invalid("body", `The JSON has more than ${maxValues} values.`);
    } else if (isDigit(code) || code === MINUS) {
      const digits = endOfDigits(text, index);
      const end = endOfNumber(text, digits);
      const isSmall = end === digits && end - index <= SAFE_DIGITS;
      const isZero = code === MINUS && text.charCodeAt(index + 1) === ZERO;
      if ((!isSmall || isZero) && isReprinted(text, index, end)) literals.push({ start: index, end });
      index = end - 1;
    }
  }
  return { members, literals, model };
}

/** The text with its quotes that is the value of the name before; null: another value, or no name. */
function textAfterColon(text: string, from: number): Span | null {
  const colon = afterSpace(text, from);
  if (text[colon] !== ":") return null;
  const start = afterSpace(text, colon + 1);
  return text[start] === '"' ? { start, end: endOfString(text, start) + 1 } : null;
}

/** Index of the closing quote; strings are searched natively because they make up most of a body. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Index after the digits; `start` is the first digit or a minus sign. */
function endOfDigits(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

const numberRest = /[\d.eE+-]*/y;

/** `digits`: where the digits before the point or the exponent end. */
function endOfNumber(text: string, digits: number): number {
  const next = text.charCodeAt(digits);
  if (next !== POINT && (next | LOWER_CASE) !== SMALL_E) return digits;
  numberRest.lastIndex = digits;
  numberRest.test(text);
  return numberRest.lastIndex;
}

/** Doubles hold every integer of so many digits exactly. */
const SAFE_DIGITS = 15;
const validNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** True for a number that JavaScript writes differently. The parser refuses what is not a number or not a value. */
function isReprinted(text: string, start: number, end: number): boolean {
  const number = text.slice(start, end);
  return validNumber.test(number) && String(Number(number)) !== number && !isBefore(text, end, ":");
}

/** The most digits of a name that JavaScript treats as an array index. */
const MAX_INDEX_DIGITS = 10;
const indexName = /^(?:0|[1-9]\d*)$/;

function isNumberName(text: string, start: number, end: number): boolean {
  const length = end - start - 1;
  if (length > MAX_INDEX_DIGITS || !isBefore(text, end + 1, ":")) return false;
  return indexName.test(text.slice(start + 1, end));
}

/** True when the next character that is not white space is this one. */
function isBefore(text: string, from: number, character: string): boolean {
  return text[afterSpace(text, from)] === character;
}

/** Index of the next character that is not white space. */
function afterSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Members whose value the client or the model defines, in all protocols. */
const argumentMembers: ReadonlySet<string> = new Set(["input", "arguments", "args", "functionResponse"]);
/** Members with a schema: its names are compared with each other, so they must not carry the mark. */
const schemaMembers: ReadonlySet<string> = new Set([
  "parameters",
  "input_schema",
  "schema",
  "parametersJsonSchema",
  "responseJsonSchema",
  "responseSchema",
]);

/**
 * As `JSON.parse`, but keeps what parsing would change in arguments and schemas. `literals`: the result of `scanJson`.
 * Throws: SyntaxError.
 */
export function parseExact(text: string, literals: readonly Span[] = scanJson(text).literals): unknown {
  if (literals.length === 0) return JSON.parse(text);
  return withPlainNumbers(parseMarked(text, literals), null);
}

/** The value of a JSON text of arguments, with everything kept that parsing would change; undefined for other texts. */
export function parseValue(text: string): unknown {
  try {
    return parseMarked(text, scanJson(text).literals);
  } catch {
    return undefined;
  }
}

function parseMarked(text: string, literals: readonly Span[]): unknown {
  let marked = "";
  let from = 0;
  for (const { start, end } of literals) {
    const kept = text.slice(start, end);
    marked += `${text.slice(from, start)}"${MARK}${kept.startsWith('"') ? kept.slice(1) : `${kept}"`}`;
    from = end;
  }
  return JSON.parse(marked + text.slice(from));
}

/** Restores plain numbers and names outside of arguments; in schemas only names. */
function withPlainNumbers(value: unknown, name: string | null): unknown {
  if (typeof value === "string") return isKept(value) ? Number(value.slice(MARK.length)) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => withPlainNumbers(entry, null));
  if (name !== null && argumentMembers.has(name)) return value;
  if (name !== null && schemaMembers.has(name)) return withPlainNames(value);
  return mapMembers(value, withPlainNumbers);
}

/** Restores plain names; kept numbers stay. */
function withPlainNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(withPlainNames) : mapMembers(value, withPlainNames);
}

function mapMembers(value: object, map: (member: unknown, name: string) => unknown): Record<string, unknown> {
  const mapped: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const own = key.startsWith(MARK) ? key.slice(MARK.length) : key;
    setOwn(mapped, own, map(member, own));
  }
  return mapped;
}

/** True for a number that is kept as a text. */
export function isKept(text: string): boolean {
  return text.charCodeAt(0) === MARK_START && text.startsWith(MARK);
}

/** Sets a member of any name, also of one that objects inherit. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}

const keptText = new RegExp(`"${MARK}([^"]+)"(:)?`, "g");

/** As `JSON.stringify`; writes kept texts unchanged. */
export function printJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes(MARK)) return json;
  return json.replace(keptText, (_all, kept: string, colon: string | undefined) =>
    colon === undefined ? kept : `"${kept}"${colon}`,
  );
}
