import { rowOf } from "@/lib/kernel/json-object";
/** The texts of a node's configuration that no message may contain. */
export interface SecretTexts {
  /** Credentials of any length, and header values that are long enough to be credentials. */
  credentials: readonly string[];
  headerValues: readonly string[];
  /** Host names and addresses, without port. */
  hosts: readonly string[];
}

const KEY = "[key]";
const HOST = "[host]";
/** A shorter secret is replaced only without an adjacent letter or digit; one below the second length never is. */
const MIN_LENGTH = 6;
const MIN_STANDALONE_LENGTH = 3;
/**
 * From this length on the first half of a credential is replaced too, because nodes cut and mask the texts that they
 * repeat.
 */
const MIN_HALVED_LENGTH = 20;

/** A part of a text to replace; `end` is exclusive. */
interface Range {
  start: number;
  end: number;
}

/** A text to search for, in lower case. `extent`: the range to replace for a match; null: the match does not count. */
interface Needle {
  text: string;
  label: string;
  extent(text: string, range: Range): Range | null;
}

/**
 * The literal secrets of one node: whole, URL-encoded, escaped in JSON or HTML, and as base64, also as a part of a
 * longer encoded text. Made once for a node. Source: docs/contract.md#b2.
 */
export class LiteralSecrets {
  /** Needles for the unchanged text. */
  readonly #plain: readonly Needle[];
  /** Needles for the text without its escapes. */
  readonly #decoded: readonly Needle[];
  readonly #base64: readonly Needle[];
  readonly #standalone: readonly string[];

  constructor({ credentials, headerValues, hosts }: SecretTexts) {
    const whole = unique([...credentials, ...headerValues]).filter(isLong);
    // The node may have read a backslash of the secret as an escape before it repeated the secret.
    const secrets = unique([...whole, ...whole.map((text) => text.replaceAll("\\", "")).filter(isLong)]);
    const halves = unique(credentials.filter((text) => text.length >= MIN_HALVED_LENGTH)).map(firstHalf);
    const needles = (form: (text: string) => string) => [
      ...secrets.map(form).filter(isLong).flatMap(spaceForms).map(secretNeedle),
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
    this.#standalone = unique(
      credentials.filter((text) => text.length >= MIN_STANDALONE_LENGTH && !isLong(text)),
    );
  }

  /** The text without the secrets. */
  strike(text: string): string {
    const decoded = decodeText(text);
    const oneAlphabet = decoded.text.replaceAll("-", "+").replaceAll("_", "/");
    const found = [
      ...search(undecodedText(text), this.#plain),
      ...search(decoded, this.#decoded),
      ...search({ ...decoded, text: oneAlphabet }, this.#base64),
      ...this.#standalone.flatMap((word) => standalone(text, word)),
    ];
    return found.length === 0 ? text : replaceRanges(text, found);
  }
}

type Found = Range & { label: string };

function search(seen: DecodedText, needles: readonly Needle[]): Found[] {
  const found: Found[] = [];
  for (const { text, label, extent } of needles) {
    let next = 0;
    for (let at = seen.text.indexOf(text); at !== -1; at = seen.text.indexOf(text, next)) {
      const range = extent(seen.text, { start: at, end: at + text.length });
      next = range?.end ?? at + 1;
      if (range === null) continue;
      const start = seen.starts[range.start] ?? 0;
      found.push({ label, start, end: seen.ends[range.end - 1] ?? start });
    }
  }
  return found;
}

/** Matches of a short secret without an adjacent letter or digit. */
function standalone(text: string, word: string): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = text.charAt(at - 1) + text.charAt(at + word.length);
    if (!/[A-Za-z0-9]/.test(around)) found.push({ label: KEY, start: at, end: at + word.length });
  }
  return found;
}

/** Replaces the ranges; overlapping ones become one. */
function replaceRanges(text: string, found: Found[]): string {
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
  return text.length >= MIN_LENGTH;
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** The text, and the text with `+` for spaces, as HTML forms encode them. */
function spaceForms(text: string): string[] {
  return text.includes(" ") ? [text, text.replaceAll(" ", "+")] : [text];
}

function secretNeedle(text: string): Needle {
  return { text, label: KEY, extent: (_text, range) => range };
}

/** Also replaces the rest of the word that begins with the half. */
function halfNeedle(half: string): Needle {
  return {
    text: half,
    label: KEY,
    extent: (text, { start, end }) => ({ start, end: skipForward(text, end, /[^\s"'<>,;]/) }),
  };
}

/** Also replaces scheme, port and path. A host inside a longer name does not count. */
function hostNeedle(host: string): Needle {
  const isName = !host.includes(".") && !host.includes(":");
  return {
    text: host,
    label: HOST,
    extent: (text, { start, end }) => {
      const longer = /[a-z0-9-]/;
      if (longer.test(text.charAt(start - 1)) || longer.test(text.charAt(end))) return null;
      if (isName && /^\.[a-z0-9]/.test(text.slice(end, end + 2))) return null;
      const [open, close] = text.charAt(start - 1) === "[" && text.charAt(end) === "]" ? [1, 1] : [0, 0];
      const scheme = /(?:https?|wss?):\/\/$/.exec(text.slice(Math.max(0, start - 10), start - open));
      const port = /^:\d{1,5}/.exec(text.slice(end + close, end + close + 6));
      const after = end + close + (port?.[0].length ?? 0);
      return {
        start: start - open - (scheme?.[0].length ?? 0),
        end: text.charAt(after) === "/" ? skipForward(text, after, /[^\s"'<>)\]]/) : after,
      };
    },
  };
}

/**
 * Base64 of a secret for each of the three offsets at which it may begin in an encoded text. The characters that also
 * encode bits of adjacent bytes are not compared, but are replaced too.
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
      extent: (all, { start, end }) => {
        const last = skipForward(all, end, /[a-z0-9+/]/, 2);
        const begin = shared === 0 ? start : skipBackward(all, start, /[a-z0-9+/]/, shared);
        return { start: begin, end: skipForward(all, last, /=/, 2) };
      },
    };
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The first index from `at` on with a character that does not match, at most `most` further. */
function skipForward(text: string, at: number, one: RegExp, most = text.length): number {
  let end = at;
  while (end < text.length && end - at < most && one.test(text.charAt(end))) end += 1;
  return end;
}

function skipBackward(text: string, at: number, one: RegExp, most: number): number {
  let start = at;
  while (start > 0 && at - start < most && one.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * A text without escapes, backslashes and invisible characters, in lower case, and the origin of each character. Shape:
 * one character for each UTF-8 byte; the character at `i` was `starts[i]` to `ends[i]` in the original.
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
/** Invisible characters, and NUL, which stored texts leave out: without them the text around them is one word. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are among them
  /[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;
const encoder = new TextEncoder();

/**
 * Decodes the escapes of a text, so that a secret is found in any of them.
 * Source: docs/contract.md#b2.
 */
function decodeText(original: string): DecodedText {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (letters: string, start: number, end: number) => {
    if (letters === "\\") return; // a backslash that remains belongs to an escape of an escape
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
    add(decodedEscape(match), match.index, from);
  }
  addPlain(from, original.length);
  return { text: lowerAscii(pieces.join("").replace(/\s/g, " ")), starts, ends };
}

/** ASCII letters in lower case; the length does not change. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The decoded escape. A percent escape encodes a byte, any other a character. */
function decodedEscape([, percent, unicode, hex, htmlHex, html, name, letter]: RegExpMatchArray): string {
  if (percent !== undefined) return percent === "00" ? "" : String.fromCharCode(Number.parseInt(percent, 16));
  const code = unicode ?? hex ?? htmlHex;
  if (code !== undefined) return bytesOf(String.fromCharCode(Number.parseInt(code, 16)));
  if (html !== undefined) return bytesOf(String.fromCharCode(Number(html)));
  if (name !== undefined) return rowOf(htmlNames, name.toLowerCase()) ?? "";
  if (letter === undefined) return "&";
  return LINE_ESCAPES.includes(letter) ? " " : bytesOf(letter);
}

function bytesOf(character: string): string {
  if (INVISIBLE.test(character)) return "";
  return character.charCodeAt(0) < 0x80 ? character : String.fromCharCode(...encoder.encode(character));
}

/** A text in lower case; its escapes are not decoded. */
function undecodedText(text: string): DecodedText {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  return { text: lowerAscii(text), starts, ends: starts.map((at) => at + 1) };
}
