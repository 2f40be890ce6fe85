const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Longer names are never looked for. Units: bytes, with quotes and escapes. */
const LONGEST_NAME = 256;

/** A JSON object of which some members were taken out. */
export interface TakenMembers {
  /** The values of the members that were asked for, as JSON; of a repeated name the last one. */
  values: ReadonlyMap<string, Buffer>;
  /** The other members as they came, with commas between them, without brackets. */
  rest: readonly Buffer[];
}

/** Which outermost members are taken out, and which are only read. */
export interface MemberNames {
  taken: ReadonlySet<string>;
  read: ReadonlySet<string>;
}

/**
 * Takes members out of the outermost object of a JSON text without parsing it: what is left keeps every byte. Checks
 * the outermost object only; the values may be no JSON. Null: the text is not an object.
 */
export function takeMembers(json: Buffer, { taken, read }: MemberNames): TakenMembers | null {
  const values = new Map<string, Buffer>();
  const rest: Buffer[] = [];
  let at = afterSpace(json, 0);
  if (json[at] !== OPEN_BRACE) return null;
  at = afterSpace(json, at + 1);
  if (json[at] === CLOSE_BRACE) return isEnd(json, at + 1) ? { values, rest } : null;
  /** Where the members begin that stay together; -1: the one before was taken. */
  let runStart = -1;
  for (;;) {
    const start = at;
    if (json[at] !== QUOTE) return null;
    const nameEnd = endOfString(json, at);
    at = afterSpace(json, nameEnd);
    if (json[at] !== COLON) return null;
    const valueStart = afterSpace(json, at + 1);
    const end = endOfValue(json, valueStart);
    if (end === -1) return null;
    const name = nameOf(json, start, nameEnd);
    const isTaken = taken.has(name);
    if (isTaken || read.has(name)) values.set(name, json.subarray(valueStart, end));
    if (isTaken && runStart !== -1) rest.push(json.subarray(runStart, lastEnd(json, start)));
    if (isTaken) runStart = -1;
    else if (runStart === -1) runStart = start;
    at = afterSpace(json, end);
    if (json[at] === CLOSE_BRACE) {
      if (runStart !== -1) rest.push(json.subarray(runStart, end));
      return isEnd(json, at + 1) ? { values, rest } : null;
    }
    if (json[at] !== COMMA) return null;
    at = afterSpace(json, at + 1);
  }
}

/** The end of the member before the one that begins at `start`: before the comma. */
function lastEnd(json: Buffer, start: number): number {
  return json.lastIndexOf(COMMA, start - 1);
}

function isEnd(json: Buffer, at: number): boolean {
  return afterSpace(json, at) === json.length;
}

function afterSpace(json: Buffer, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

/** After the closing quote; `start`: the opening one. */
function endOfString(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end === -1 ? json.length : end + 1;
}

function isEscaped(json: Buffer, index: number): boolean {
  let backslashes = 0;
  while (json[index - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** After the value; -1: there is none. Brackets are counted, not matched. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const code = json[at];
    if (code === QUOTE) {
      at = endOfString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET))
      return at === start ? -1 : lastOfPlain(json, at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return -1;
}

/** The end of a number or word before the space that follows it. */
function lastOfPlain(json: Buffer, end: number): number {
  let at = end;
  while (at > 0 && isSpace(json[at - 1])) at -= 1;
  return at;
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function nameOf(json: Buffer, start: number, end: number): string {
  if (end - start > LONGEST_NAME) return "";
  const text = json.toString("utf8", start, end);
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return ""; // not JSON; whoever parses the rest tells
  }
}
