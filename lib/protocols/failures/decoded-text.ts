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
export function decodeText(original: string): DecodedText {
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
export function lowerAscii(text: string): string {
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
export function undecodedText(text: string): DecodedText {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  return { text: lowerAscii(text), starts, ends: starts.map((at) => at + 1) };
}
