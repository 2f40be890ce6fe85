import { ProtocolError } from "@/lib/protocols/failures/protocol-error";

/** One server-sent event. Shape: `event` is null when the frame named none. */
export interface SseFrame {
  event: string | null;
  data: string;
}

const MAX_LINE_CHARACTERS = 1024 * 1024;
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Turns bytes into server-sent events, however they are cut.
 *
 * Throws: ProtocolError when a line passes 1 MiB or an event 8 MiB.
 * Source: docs/protocols.md#s12-1, docs/reliability.md#s4-4.
 */
export class SseDecoder {
  readonly #text = new TextDecoder("utf-8");
  #partial = "";
  #skipLineFeed = false;
  #event: string | null = null;
  #data: string | null = null;
  #frames: SseFrame[] = [];

  /** Takes the next bytes; returns the events that they completed. */
  push(bytes: Uint8Array): SseFrame[] {
    this.#scan(this.#text.decode(bytes, { stream: true }));
    return this.#take();
  }

  /** Takes the end of the bytes; a last event without its blank line counts when its data is whole. */
  end(): SseFrame[] {
    this.#scan(this.#text.decode());
    if (this.#partial !== "") this.#line(this.#partial);
    this.#partial = "";
    if (this.#data !== null && isWhole(this.#data)) this.#dispatch();
    this.#data = null;
    return this.#take();
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
      this.#line(this.#partial === "" ? text.slice(from, to) : this.#partial + text.slice(from, to));
      this.#partial = "";
      from = to + 1;
      if (isCarriage) {
        if (from === text.length) this.#skipLineFeed = true;
        else if (text.charCodeAt(from) === 10) from += 1;
        carriage = text.indexOf("\r", from);
      }
      if (feed < from && feed !== -1) feed = text.indexOf("\n", from);
    }
    if (from < text.length) this.#partial += from === 0 ? text : text.slice(from);
    if (this.#partial.length > MAX_LINE_CHARACTERS)
      throw new ProtocolError("A line of the stream is too long");
  }

  #line(line: string): void {
    if (line.length > MAX_LINE_CHARACTERS) throw new ProtocolError("A line of the stream is too long");
    if (line === "") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    let value = colon === -1 ? "" : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (field === "event") {
      this.#event = value;
      return;
    }
    while (value.startsWith("data:")) value = value.slice(value.charCodeAt(5) === 32 ? 6 : 5);
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    if (this.#data.length > MAX_EVENT_CHARACTERS)
      throw new ProtocolError("An event of the stream is too long");
  }

  #dispatch(): void {
    if (this.#data !== null) this.#frames.push({ event: this.#event || null, data: this.#data });
    this.#event = null;
    this.#data = null;
  }
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
