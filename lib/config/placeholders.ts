/** A placeholder of a file, which a token replaces in the text. */
interface Placeholder {
  /** As written. */
  written: string;
  /** What a literal `$${…}` means; null for one that is replaced by a value of the environment. */
  literal: string | null;
}

/** The first character of a token; all characters of tokens are of private use. */
const START = "\uE000";
const FILL = "\uE001";
const DIGITS_FROM = 0xe100;
const BASE = 1_024;
const WRITTEN = /\$\$\{(?:[^}"'\r\n]*\})?|\$\{[^}\r\n]*\}/g;
const TOKEN = /\uE000([\uE100-\uE4FF])([\uE100-\uE4FF])\uE001*/g;
const FORM = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}$/;

/**
 * The placeholders of a YAML text. They are read before the text is parsed, because braces have a meaning inside of
 * `{ }`: each becomes a token of the same length, which YAML reads as letters, so that lines and columns stay the same.
 * Source: docs/contract.md#s3.
 */
export class Placeholders {
  readonly #found: Placeholder[] = [];
  /** The text with tokens. */
  readonly text: string;

  constructor(text: string) {
    this.text = text.replace(WRITTEN, (written) => {
      if (this.#found.length >= BASE * BASE) return written;
      const index = this.#found.push({
        written,
        literal: written.startsWith("$$") ? written.slice(1) : null,
      });
      const digits = [Math.floor((index - 1) / BASE), (index - 1) % BASE];
      const token = START + String.fromCharCode(...digits.map((digit) => DIGITS_FROM + digit));
      return token.padEnd(written.length, FILL);
    });
  }

  /** True for a text with tokens that are replaced by values of the environment. */
  isIn(text: string): boolean {
    return [...text.matchAll(TOKEN)].some((found) => this.#of(found)?.literal === null);
  }

  /** The text as it was written. */
  restore(text: string): string {
    return text.replace(TOKEN, (...found) => this.#of(found)?.written ?? String(found[0]));
  }

  /** The text with the environment's values in it; `missing` is called for each placeholder without a value. */
  fill(
    text: string,
    environment: Readonly<Record<string, string | undefined>>,
    missing: (problem: string) => void,
  ): string {
    return text.replace(TOKEN, (...found) => {
      const placeholder = this.#of(found);
      if (placeholder === undefined) return String(found[0]);
      if (placeholder.literal !== null) return placeholder.literal;
      const { written } = placeholder;
      const [, name, otherwise] = FORM.exec(written) ?? [];
      if (name === undefined) {
        missing(
          `${written} is no placeholder; write \${NAME}, \${NAME:-default}, or $${written} for the text itself`,
        );
        return "";
      }
      const value = environment[name] || otherwise;
      if (value === undefined) missing(`${written} is not set in the environment`);
      return value ?? "";
    });
  }

  #of([, high, low]: readonly unknown[]): Placeholder | undefined {
    const digit = (character: unknown) => String(character).charCodeAt(0) - DIGITS_FROM;
    return this.#found[digit(high) * BASE + digit(low)];
  }
}

/** A plain value of the environment as YAML reads a number, a boolean or nothing; undefined for any other text. */
export function typedValue(text: string): number | boolean | undefined {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
