import { parseExact } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { copyOf } from "@/lib/kernel/text";
import { ProtocolError } from "@/lib/protocols/generation/events";

/** One server-sent event. Shape: `event` is null when the frame named none. */
export interface SseFrame {
  event: string | null;
  data: string;
}

/** One line may hold a picture, a file in the arguments of a call, or a whole answer: as much as a whole answer. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Turns bytes into server-sent events, however they are cut.
 *
 * Throws: ProtocolError when a line or an event has more than 32 Mi characters.
 * Source: docs/protocols.md#s12-1, docs/reliability.md#s4-4.
 */
export class SseDecoder {
  readonly #text = new TextDecoder("utf-8");
  /** The last bytes ended with an ASCII character, so that no character is cut. */
  #isWhole = false;
  #partial = "";
  #skipLineFeed = false;
  #event: string | null = null;
  #data: string | null = null;
  #frames: SseFrame[] = [];
  /** Takes the next bytes; returns the events that they completed. */
  push(bytes: Buffer): SseFrame[] {
    this.#scan(this.#decode(bytes));
    return this.#take();
  }

  /** Takes the end of the bytes; a last event without its blank line counts when its data is whole. */
  end(): SseFrame[] {
    this.#scan(this.#text.decode());
    if (this.#partial !== "") this.#line(this.#partial, 0, this.#partial.length);
    this.#partial = "";
    if (this.#data !== null && isWhole(this.#data)) this.#dispatch();
    this.#data = null;
    return this.#take();
  }

  /** Where no character is cut, a Buffer decodes its bytes in less time than a decoder that keeps cut ones. */
  #decode(bytes: Buffer): string {
    if (bytes.length === 0) return ""; // undici gives none when it goes on after a pause
    const wasWhole = this.#isWhole;
    this.#isWhole = (bytes[bytes.length - 1] ?? 0) < 0x80;
    return wasWhole && this.#isWhole ? bytes.toString() : this.#text.decode(bytes, { stream: true });
  }

  #take(): SseFrame[] {
    const frames = this.#frames;
    if (frames.length > 0) this.#frames = [];
    return frames;
  }

  #scan(text: string): void {
    if (text === "") return;
    let from = 0;
    if (this.#skipLineFeed) {
      this.#skipLineFeed = false;
      if (text.charCodeAt(0) === 10) from = 1;
    }
    let feed = text.indexOf("\n", from);
    let carriage = text.indexOf("\r", from);
    while (feed !== -1 || carriage !== -1) {
      const isCarriage = carriage !== -1 && (feed === -1 || carriage < feed);
      const to = isCarriage ? carriage : feed;
      if (this.#partial === "") this.#line(text, from, to);
      else {
        const line = this.#partial + text.slice(from, to);
        this.#partial = "";
        this.#line(line, 0, line.length);
      }
      from = to + 1;
      if (isCarriage) {
        if (from === text.length) this.#skipLineFeed = true;
        else if (text.charCodeAt(from) === 10) from += 1;
        carriage = text.indexOf("\r", from);
      }
      if (feed < from && feed !== -1) feed = text.indexOf("\n", from);
    }
    if (from < text.length) this.#partial += from === 0 ? text : copyOf(text.slice(from));
    if (this.#partial.length > MAX_CHARACTERS) throw tooLong("A line");
  }

  /** Takes the line of `text` between two offsets. */
  #line(text: string, from: number, to: number): void {
    if (to - from > MAX_CHARACTERS) throw tooLong("A line");
    if (from === to) this.#dispatch();
    else if (text.startsWith("data:", from)) this.#addData(fieldValue(text, from + 5, to));
    else if (text.startsWith("event:", from)) this.#event = fieldValue(text, from + 6, to);
    else if (to - from <= 5) this.#bareField(text.slice(from, to));
  }

  /** A field without a colon has no value. */
  #bareField(name: string): void {
    if (name === "data") this.#addData("");
    else if (name === "event") this.#event = "";
  }

  #addData(field: string): void {
    let value = field;
    while (value.startsWith("data:")) value = fieldValue(value, 5, value.length);
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    if (this.#data.length > MAX_CHARACTERS) throw tooLong("An event");
  }

  #dispatch(): void {
    if (this.#data !== null) this.#frames.push({ event: this.#event || null, data: this.#data });
    this.#event = null;
    this.#data = null;
  }
}

function tooLong(what: string): ProtocolError {
  return new ProtocolError(`${what} of the stream is too long`, { bound: true });
}

/** What stands behind the colon of a field, without the one space that may follow it. */
function fieldValue(text: string, from: number, to: number): string {
  return text.slice(text.charCodeAt(from) === 32 ? from + 1 : from, to);
}

function isWhole(data: string): boolean {
  if (data.trim() === "[DONE]") return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/**
 * The JSON objects of one frame's data: one, or more where a server glued them together.
 *
 * Throws: ProtocolError when the data is not made of JSON objects. Source: docs/protocols.md#s12-1.
 */
export function parsePayloads(data: string): JsonObject[] {
  const whole = parse(data);
  if (whole !== undefined) return [checked(whole)];
  return splitPayloads(data).map((part) => checked(parse(part)));
}

/** The data of one frame cut where one JSON object ends and the next begins. Source: docs/protocols.md#s12-1. */
export function splitPayloads(data: string): string[] {
  const parts: string[] = [];
  let rest = data.trim();
  while (rest !== "") {
    const end = new JsonScan().push(rest);
    if (end === -1) return [...parts, rest];
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return parts;
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function checked(value: unknown): JsonObject {
  if (!isObject(value)) throw new ProtocolError("The upstream sent an event that is not a JSON object");
  return value;
}

/** Content type of every stream of server-sent events. */
export const eventStreamType = "text/event-stream; charset=utf-8";

/** Keep-alive that every client ignores: a comment. Source: docs/protocols.md#s12-6. */
export const commentPing = ": ping\n\n";

/**
 * Follows a JSON text that arrives in fragments, without keeping it: says when the first value that is
 * an object has been closed. It balances brackets; it does not validate.
 */
export class JsonScan {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** True once the outermost object is closed. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Takes the next fragment; returns the offset just behind the closing bracket, or -1 while it is open. */
  push(text: string): number {
    for (let at = 0; at < text.length; at += 1) {
      if (this.#step(text.charCodeAt(at))) return at + 1;
    }
    return -1;
  }

  #step(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === 92) this.#escaped = true;
      else if (code === 34) this.#inString = false;
      return false;
    }
    if (code === 34) this.#inString = true;
    else if (code === 123 || code === 91) this.#depth += 1;
    else if (code === 125 || code === 93) {
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#complete = true;
        return true;
      }
    }
    return false;
  }
}

const unsafe = /["\\\p{Cc}]/u;

/**
 * Recognises frames that differ from an earlier frame in one string only, so that they need no parsing. The caller
 * parses frames of any other form.
 */
export class DeltaFastPath {
  readonly #before: string;
  readonly #after: string;
  readonly #wireBefore: string;
  readonly #wireAfter: string;
  /** The string of the frame that `match` has just recognised. */
  text = "";

  private constructor(before: string, after: string, wireBefore: string, wireAfter: string) {
    this.#before = before;
    this.#after = after;
    this.#wireBefore = wireBefore;
    this.#wireAfter = wireAfter;
  }

  /** Learns from a frame, the wire text made of it, and the field whose string varies. */
  static learn(data: string, wire: string, field: string, text: string): DeltaFastPath | null {
    const [before, after] = around(data, field, text) ?? [];
    const [wireBefore, wireAfter] = around(wire, field, text) ?? [];
    if (before === undefined || after === undefined || wireBefore === undefined || wireAfter === undefined)
      return null;
    return new DeltaFastPath(copyOf(before), copyOf(after), copyOf(wireBefore), copyOf(wireAfter));
  }

  /** Wire text for the frame, or null when it has another form; sets `text`. */
  match(data: string): string | null {
    const end = data.length - this.#after.length;
    if (end <= this.#before.length || !data.startsWith(this.#before) || !data.endsWith(this.#after))
      return null;
    const middle = data.slice(this.#before.length, end);
    if (unsafe.test(middle)) {
      const text = unescaped(middle);
      if (text === null || text === "") return null;
      this.text = text;
    } else this.text = middle;
    return this.#wireBefore + middle + this.#wireAfter;
  }
}

/** What stands before and after the string of a field that occurs once. */
function around(data: string, field: string, text: string): [string, string] | null {
  const name = `"${field}":`;
  const at = data.indexOf(name);
  if (at === -1 || data.includes(name, at + 1)) return null;
  const start = data.indexOf('"', at + name.length) + 1;
  if (start === 0 || data.slice(at + name.length, start - 1).trim() !== "") return null;
  const end = closingQuote(data, start);
  return end !== -1 && unescaped(data.slice(start, end)) === text
    ? [data.slice(0, start), data.slice(end)]
    : null;
}

function closingQuote(data: string, start: number): number {
  for (let at = start; at < data.length; at += 1) {
    const code = data.charCodeAt(at);
    if (code === 34) return at;
    if (code === 92) at += 1;
  }
  return -1;
}

function unescaped(json: string): string | null {
  try {
    const value: unknown = JSON.parse(`"${json}"`);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
