type Expected = "value" | "firstValue" | "name" | "firstName" | "colon" | "separator" | "nothing";

/** How far a text was read. */
interface Reading {
  text: string;
  at: number;
  /** The brackets that are still to come. */
  closers: string[];
  expected: Expected;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)?/y;
const STRING_WITHOUT_END = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const LONGEST_FOUND = 12;

/** The place where a text stops being JSON. Units: both count from 1. */
export interface JsonErrorPlace {
  line: number;
  column: number;
  /** What stands there; empty where the text ends too early. */
  found: string;
}

/** Where a text stops being JSON; browsers say it in different words, or not at all. */
export function jsonErrorPlace(text: string): JsonErrorPlace {
  const reading: Reading = { text, at: 0, closers: [], expected: "value" };
  do {
    reading.at = endOf(SPACE, reading);
  } while (reading.at < text.length && readToken(reading));
  const lines = text.slice(0, reading.at).split("\n");
  return {
    line: lines.length,
    column: [...(lines.at(-1) ?? "")].length + 1,
    found: foundAt(text, reading.at),
  };
}

/** A word, else one character; those that cannot be seen as JSON writes them. */
function foundAt(text: string, at: number): string {
  const found = /^(?:\w+|.)/su.exec(text.slice(at))?.[0] ?? "";
  return JSON.stringify(found.slice(0, LONGEST_FOUND)).slice(1, -1).replace('\\"', '"');
}

/** Reads one token; false, and nothing is read, where it cannot stand. */
function readToken(reading: Reading): boolean {
  const { text, at, closers, expected } = reading;
  const closer = closers.at(-1);
  if (text[at] === closer && ["firstValue", "firstName", "separator"].includes(expected)) {
    closers.pop();
    return pass(reading, at + 1, afterValue(closers));
  }
  switch (expected) {
    case "nothing":
      return false;
    case "colon":
      return text[at] === ":" && pass(reading, at + 1, "value");
    case "separator":
      return text[at] === "," && pass(reading, at + 1, closer === "}" ? "name" : "value");
    case "name":
    case "firstName":
      return text[at] === '"' && readString(reading, "colon");
    case "value":
    case "firstValue":
      return readValue(reading);
  }
}

function readValue(reading: Reading): boolean {
  const { text, at, closers } = reading;
  if (text[at] === '"') return readString(reading, afterValue(closers));
  if (text[at] === "[" || text[at] === "{") {
    closers.push(text[at] === "[" ? "]" : "}");
    return pass(reading, at + 1, text[at] === "[" ? "firstValue" : "firstName");
  }
  const end = endOf(SCALAR, reading);
  return end > at && pass(reading, end, afterValue(closers));
}

/** A string with something in it that JSON does not allow is read up to that. */
function readString(reading: Reading, next: Expected): boolean {
  reading.at = endOf(STRING_WITHOUT_END, reading);
  return reading.text[reading.at] === '"' && pass(reading, reading.at + 1, next);
}

function pass(reading: Reading, at: number, expected: Expected): true {
  reading.at = at;
  reading.expected = expected;
  return true;
}

function afterValue(closers: readonly string[]): Expected {
  return closers.length === 0 ? "nothing" : "separator";
}

/** Where a pattern that begins at the place of a reading ends. */
function endOf(pattern: RegExp, { text, at }: Reading): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
