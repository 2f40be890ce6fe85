import { copyOf } from "@/lib/kernel/text";

const unsafe = /["\\\p{Cc}]/u;

/**
 * Recognises frames that differ from an earlier frame in one string only, without parsing them. The caller parses
 * frames of any other form.
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

  /** Makes a fast path from a frame, its wire text, and the field whose string varies. */
  static learn(data: string, wire: string, field: string, text: string): DeltaFastPath | null {
    const [before, after] = around(data, field, text) ?? [];
    const [wireBefore, wireAfter] = around(wire, field, text) ?? [];
    if (before === undefined || after === undefined || wireBefore === undefined || wireAfter === undefined)
      return null;
    return new DeltaFastPath(copyOf(before), copyOf(after), copyOf(wireBefore), copyOf(wireAfter));
  }

  /** The wire text for the frame, or null for a frame of another form; sets `text`. */
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

/** The text before and after the string of a field that occurs once. */
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
