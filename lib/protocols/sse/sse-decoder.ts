import { copyOf } from "@/lib/kernel/text";
import { ProtocolError } from "@/lib/protocols/generation/events";

/** One server-sent event. Shape: `event` is null when the frame has no name. */
export interface SseFrame {
  event: string | null;
  data: string;
}

/**
 * The most characters of one line: as many as of a whole answer, because a line may hold a picture, a file in the
 * arguments of a call, or a whole answer.
 */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The most characters of an object between the events; longer ones are skipped. */
const MAX_OBJECT_CHARACTERS = 65_536;

/**
 * Converts bytes into server-sent events, regardless of the split into chunks; a JSON object between them is one too.
 *
 * Throws: ProtocolError when a line or an event has more than 32 Mi characters.
 * Source: docs/protocols.md#s12-1, docs/reliability.md#s4-4.
 */
export class SseDecoder {
  readonly #text = new TextDecoder("utf-8");
  /** The last bytes ended with an ASCII character, so that no character is split. */
  #isWhole = false;
  #partial = "";
  #skipLineFeed = false;
  #event: string | null = null;
  #data: string | null = null;
  /** The lines so far of an object that stands between the events. */
  #object: string | null = null;
  #frames: SseFrame[] = [];

  /** No frame of this form ends an answer. */
  get failure(): null {
    return null;
  }

  /** Handles the next bytes; returns the events that they completed. */
  push(bytes: Buffer): SseFrame[] {
    this.#scan(this.#decode(bytes));
    return this.#take();
  }

  /** Handles the end of the bytes; a last event without its blank line is returned if its data is complete. */
  end(): SseFrame[] {
    this.#scan(this.#text.decode());
    if (this.#partial !== "") this.#line(this.#partial, 0, this.#partial.length);
    this.#partial = "";
    if (this.#data !== null && isWhole(this.#data)) this.#dispatch();
    this.#data = null;
    this.#object = null;
    return this.#take();
  }

  /** A Buffer decodes complete characters faster than a decoder that stores split ones. */
  #decode(bytes: Buffer): string {
    if (bytes.length === 0) return ""; // undici gives none when it resumes after a pause
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

  /** Handles the line of `text` between two offsets. */
  #line(text: string, from: number, to: number): void {
    if (to - from > MAX_CHARACTERS) throw tooLong("A line");
    if (from === to) this.#dispatch();
    else if (text.startsWith("data:", from)) this.#addData(fieldValue(text, from + 5, to));
    else if (text.startsWith("event:", from)) this.#event = fieldValue(text, from + 6, to);
    else if (this.#object !== null || text.startsWith("{", from)) this.#addToObject(text.slice(from, to));
    else if (to - from <= 5) this.#bareField(text.slice(from, to));
  }

  /** A field without a colon has no value. */
  #bareField(name: string): void {
    if (name === "data") this.#addData("");
    else if (name === "event") this.#event = "";
  }

  /** Some nodes write the error that ends an answer as a JSON object between the events, on one line or on many. */
  #addToObject(line: string): void {
    const object = this.#object === null ? line : `${this.#object}\n${line}`;
    const isOver = line.endsWith("}") && isWhole(object);
    if (isOver) this.#frames.push({ event: null, data: object });
    this.#object = isOver || object.length > MAX_OBJECT_CHARACTERS ? null : object;
  }

  #addData(field: string): void {
    let value = field;
    while (value.startsWith("data:")) value = fieldValue(value, 5, value.length);
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    if (this.#data.length > MAX_CHARACTERS) throw tooLong("An event");
  }

  #dispatch(): void {
    this.#object = null;
    if (this.#data !== null) this.#frames.push({ event: this.#event || null, data: this.#data });
    this.#event = null;
    this.#data = null;
  }
}

function tooLong(what: string): ProtocolError {
  return new ProtocolError(`${what} of the stream is too long`, { bound: true });
}

/** The text after the colon of a field, without the one space that may follow the colon. */
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
