/** What must never be seen of a node, as it stands in the configuration. */
export interface SecretTexts {
  /** Credentials of any length, and header values that are long enough to be one. */
  credentials: readonly string[];
  headerValues: readonly string[];
  /** Names and addresses without port. */
  hosts: readonly string[];
}

const KEY = "[key]";
const HOST = "[host]";
/** Shorter ones are replaced only where they stand alone, still shorter ones are words. */
const LEAST_ANYWHERE = 6;
const LEAST_ALONE = 3;
/** From so many characters on, half of a credential is a secret too: nodes cut and mask what they echo. */
const LEAST_HALVED = 20;

/** A part of a text that is to go; `end` is not in it. */
interface Range {
  start: number;
  end: number;
}

/** Something to look for in a text of small letters. `reach`: what goes with it, null when it is not meant. */
interface Needle {
  text: string;
  label: string;
  reach(text: string, range: Range): Range | null;
}

/**
 * The literal secrets of one node: whole, URL-encoded, escaped in JSON or HTML, and as base64, also inside a longer
 * text that was encoded whole. Made once for a node. Source: docs/contract.md#b2.
 */
export class LiteralSecrets {
  /** Looked for in the text as it is. */
  readonly #plain: readonly Needle[];
  /** Looked for in the text without its escapes. */
  readonly #decoded: readonly Needle[];
  readonly #base64: readonly Needle[];
  readonly #alone: readonly string[];

  constructor({ credentials, headerValues, hosts }: SecretTexts) {
    const whole = unique([...credentials, ...headerValues]).filter(isLong);
    // A backslash and its letter may have been taken for an escape before.
    const secrets = unique([...whole, ...whole.map((text) => text.replaceAll("\\", "")).filter(isLong)]);
    const halves = unique(credentials.filter((text) => text.length >= LEAST_HALVED)).map(firstHalf);
    const needles = (form: (text: string) => string) => [
      ...secrets.map(form).filter(isLong).flatMap(spaced).map(secretNeedle),
      ...halves.map(form).filter(isLong).map(halfNeedle),
      ...unique(hosts)
        .map(form)
        .filter((text) => text !== "")
        .map(hostNeedle),
    ];
    this.#plain = needles(lowerAscii);
    this.#decoded = needles((text) => decodeText(text).text);
    this.#base64 = [
      ...secrets.flatMap((text) => base64Needles(text, KEY)),
      ...unique(hosts.filter(isLong)).flatMap((text) => base64Needles(text, HOST)),
    ];
    this.#alone = unique(credentials.filter((text) => text.length >= LEAST_ALONE && !isLong(text)));
  }

  /** The text without them. */
  strike(text: string): string {
    const decoded = decodeText(text);
    const oneAlphabet = decoded.text.replaceAll("-", "+").replaceAll("_", "/");
    const found = [
      ...search(undecodedText(text), this.#plain),
      ...search(decoded, this.#decoded),
      ...search({ ...decoded, text: oneAlphabet }, this.#base64),
      ...this.#alone.flatMap((word) => alone(text, word)),
    ];
    return found.length === 0 ? text : without(text, found);
  }
}

type Found = Range & { label: string };

function search(seen: DecodedText, needles: readonly Needle[]): Found[] {
  const found: Found[] = [];
  for (const { text, label, reach } of needles) {
    let next = 0;
    for (let at = seen.text.indexOf(text); at !== -1; at = seen.text.indexOf(text, next)) {
      const range = reach(seen.text, { start: at, end: at + text.length });
      next = range?.end ?? at + 1;
      if (range === null) continue;
      const start = seen.starts[range.start] ?? 0;
      found.push({ label, start, end: seen.ends[range.end - 1] ?? start });
    }
  }
  return found;
}

/** Where a short word stands between other characters than letters and digits. */
function alone(text: string, word: string): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = text.charAt(at - 1) + text.charAt(at + word.length);
    if (!/[A-Za-z0-9]/.test(around)) found.push({ label: KEY, start: at, end: at + word.length });
  }
  return found;
}

/** Replaces the parts; of those that overlap, all that they cover. */
function without(text: string, found: Found[]): string {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let clean = "";
  let from = 0;
  for (const { start, end, label } of found) {
    if (start >= from) clean += text.slice(from, start) + label;
    from = Math.max(from, end);
  }
  return clean + text.slice(from);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function isLong(text: string): boolean {
  return text.length >= LEAST_ANYWHERE;
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** Forms write a space as `+`. */
function spaced(text: string): string[] {
  return text.includes(" ") ? [text, text.replaceAll(" ", "+")] : [text];
}

function secretNeedle(text: string): Needle {
  return { text, label: KEY, reach: (_text, range) => range };
}

/** With what follows it without a space. */
function halfNeedle(half: string): Needle {
  return {
    text: half,
    label: KEY,
    reach: (text, { start, end }) => ({ start, end: pass(text, end, /[^\s"'<>,;]/) }),
  };
}

/** With scheme, port and path, not as a part of another name. */
function hostNeedle(host: string): Needle {
  const isName = !host.includes(".") && !host.includes(":");
  return {
    text: host,
    label: HOST,
    reach: (text, { start, end }) => {
      const longer = /[a-z0-9-]/;
      if (longer.test(text.charAt(start - 1)) || longer.test(text.charAt(end))) return null;
      if (isName && /^\.[a-z0-9]/.test(text.slice(end, end + 2))) return null;
      const [open, close] = text.charAt(start - 1) === "[" && text.charAt(end) === "]" ? [1, 1] : [0, 0];
      const scheme = /(?:https?|wss?):\/\/$/.exec(text.slice(Math.max(0, start - 10), start - open));
      const port = /^:\d{1,5}/.exec(text.slice(end + close, end + close + 6));
      const after = end + close + (port?.[0].length ?? 0);
      return {
        start: start - open - (scheme?.[0].length ?? 0),
        end: text.charAt(after) === "/" ? pass(text, after, /[^\s"'<>)\]]/) : after,
      };
    },
  };
}

/**
 * Base64 of a secret at each of the three places where it may begin in an encoded text. The characters that also hold
 * bits of its neighbours are not compared, and go with it.
 */
function base64Needles(text: string, label: string): Needle[] {
  const bytes = new TextEncoder().encode(text);
  return [0, 1, 2].map((before) => {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const shared = Math.ceil((before * 8) / 6);
    const core = base64(shifted).slice(shared, Math.floor((shifted.length * 8) / 6));
    return {
      text: lowerAscii(core),
      label,
      reach: (all, { start, end }) => {
        const last = pass(all, end, /[a-z0-9+/]/, 2);
        const begin = shared === 0 ? start : passBack(all, start, /[a-z0-9+/]/, shared);
        return { start: begin, end: pass(all, last, /=/, 2) };
      },
    };
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The first place from `at` on where there is no such character, or `most` further. */
function pass(text: string, at: number, one: RegExp, most = text.length): number {
  let end = at;
  while (end < text.length && end - at < most && one.test(text.charAt(end))) end += 1;
  return end;
}

function passBack(text: string, at: number, one: RegExp, most: number): number {
  let start = at;
  while (start > 0 && at - start < most && one.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * A text without its escapes, any backslash and what nobody sees, in small letters, and where each of its characters
 * came from. Shape: one character for each UTF-8 byte; the character at `i` stands for `starts[i]` to `ends[i]` of the original.
 */
export interface DecodedText {
  text: string;
  starts: number[];
  ends: number[];
}

/** URL encoding, escapes of JSON and HTML, each also applied several times. */
const escapes =
  /%(?:25){0,8}([0-9a-f]{2})|\\{1,16}(?:u([0-9a-f]{4})|x([0-9a-f]{2}))|&(?:amp;){0,8}#(?:x0{0,4}([0-9a-f]{1,4})|0{0,4}([0-9]{1,5}));|&(?:amp;){0,8}(lt|gt|quot|apos);|&(?:amp;){1,8}|\\{1,16}([^\\])/gi;

const htmlNames: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'" };
const LINE_ESCAPES = "bfnrt";
/** Nobody sees them, and NUL is left out where a text is stored: what stands on both sides of them reads as one. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are among them
  /[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;
const encoder = new TextEncoder();

/**
 * Takes the escapes out of a text, so that what is written in any of these ways reads alike.
 * Source: docs/contract.md#b2.
 */
function decodeText(original: string): DecodedText {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (letters: string, start: number, end: number) => {
    if (letters === "\\") return; // what is left of them is an escape of an escape
    for (let at = 0; at < letters.length; at += 1) {
      starts.push(start);
      ends.push(end);
    }
    pieces.push(letters);
  };
  const addPlain = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) add(bytesOf(original.charAt(at)), at, at + 1);
  };
  let from = 0;
  for (const match of original.matchAll(escapes)) {
    addPlain(from, match.index);
    from = match.index + match[0].length;
    add(meaningOf(match), match.index, from);
  }
  addPlain(from, original.length);
  return { text: lowerAscii(pieces.join("").replace(/\s/g, " ")), starts, ends };
}

/** Capitals of ASCII as small letters; the length stays. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A percent escape is a byte already, the others stand for a character. */
function meaningOf([, percent, unicode, hex, htmlHex, html, name, letter]: RegExpMatchArray): string {
  if (percent !== undefined) return percent === "00" ? "" : String.fromCharCode(Number.parseInt(percent, 16));
  const code = unicode ?? hex ?? htmlHex;
  if (code !== undefined) return bytesOf(String.fromCharCode(Number.parseInt(code, 16)));
  if (html !== undefined) return bytesOf(String.fromCharCode(Number(html)));
  if (name !== undefined) return htmlNames[name.toLowerCase()] ?? "";
  if (letter === undefined) return "&";
  return LINE_ESCAPES.includes(letter) ? " " : bytesOf(letter);
}

function bytesOf(character: string): string {
  if (UNSEEN.test(character)) return "";
  return character.charCodeAt(0) < 0x80 ? character : String.fromCharCode(...encoder.encode(character));
}

/** A text as it is, but for its capitals. */
function undecodedText(text: string): DecodedText {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  return { text: lowerAscii(text), starts, ends: starts.map((at) => at + 1) };
}
