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
/** Of longer secrets the beginning decides, and what follows it without a space goes with it. */
const MAX_EXACT = 256;
/** From so many characters on, half of a credential is a secret too: nodes cut and mask what they echo. */
const LEAST_HALVED = 20;

/**
 * The literal secrets of one node: whole, URL-encoded, escaped in JSON or HTML, and as base64, also inside a longer
 * text that was encoded whole. Made once for a node. Source: contract B2.
 */
export class LiteralSecrets {
  readonly #secrets: RegExp | null;
  readonly #alone: RegExp | null;
  readonly #hosts: RegExp | null;
  readonly #encodedHosts: RegExp | null;

  constructor({ credentials, headerValues, hosts }: SecretTexts) {
    const long = (texts: readonly string[]) => texts.filter((text) => text.length >= LEAST_ANYWHERE);
    const secrets = longestFirst([...long(credentials), ...long(headerValues)]);
    const halves = longestFirst(credentials.filter((text) => text.length >= LEAST_HALVED)).map(halved);
    this.#secrets = anyOf([...secrets.flatMap((text) => [anyForm(text), ...encoded(text)]), ...halves]);
    const short = credentials.filter((text) => text.length >= LEAST_ALONE && text.length < LEAST_ANYWHERE);
    const alone = longestFirst(short).map((text) => `(?<![A-Za-z0-9])${escaped(text)}(?![A-Za-z0-9])`);
    this.#alone = alone.length === 0 ? null : new RegExp(alone.join("|"), "g");
    const names = longestFirst(hosts);
    this.#hosts = anyOf(names.map(anyPlace));
    this.#encodedHosts = anyOf(long(names).flatMap(encoded));
  }

  /** The text without them. */
  strike(text: string): string {
    const clean = replaced(replaced(text, this.#secrets, KEY), this.#alone, KEY);
    return replaced(replaced(clean, this.#hosts, HOST), this.#encodedHosts, HOST);
  }
}

function replaced(text: string, pattern: RegExp | null, instead: string): string {
  return pattern === null ? text : text.replace(pattern, instead);
}

function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

function anyOf(patterns: readonly string[]): RegExp | null {
  return patterns.length === 0 ? null : new RegExp(patterns.join("|"), "gi");
}

/** The secret, each of its characters as itself or in an encoding of its own. */
function anyForm(text: string): string {
  const characters = text.match(/\\+|[^\\]/gu) ?? []; // a run of backslashes is one: escapes make it longer
  const exact = characters.slice(0, MAX_EXACT).map(anyCharacter).join("");
  return characters.length > MAX_EXACT ? `${exact}[^\\s"'<>]*` : exact;
}

function halved(text: string): string {
  return `${anyForm(text.slice(0, Math.ceil(text.length / 2)))}[^\\s"'<>,;]*`;
}

/** What may stand before a host: no letter of a longer name, unless it belongs to an escape. */
const BEFORE_HOST = "(?:(?<![a-z0-9-])|(?<=%(?:25){0,3}[0-9a-f]{2}|\\\\u[0-9a-f]{4}|\\\\[bfnrt]))";

/** A host with scheme, port and path, not as a part of another name. */
function anyPlace(host: string): string {
  const name = host.includes(":") ? `\\[?${anyForm(host)}\\]?` : anyForm(host);
  const end = host.includes(".") || host.includes(":") ? "(?![a-z0-9-])" : "(?![a-z0-9-]|\\.[a-z0-9])";
  return `(?:\\b(?:https?|wss?)(?::|%3A)(?:/|%2F|\\\\/){2})?${BEFORE_HOST}${name}${end}(?:(?::|%3A)\\d{1,5})?(?:/[^\\s"'<>)\\]]*)?`;
}

function anyCharacter(character: string): string {
  if (character.startsWith("\\")) return "(?:\\\\{1,8}u005c|\\\\|%(?:25){0,3}5c|&#(?:x5c|92);){1,64}";
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, "0");
  const percent = [...new TextEncoder().encode(character)]
    .map((byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, "0")}`)
    .join("");
  const forms = [percent, `\\\\{1,8}u${hex.padStart(4, "0")}`];
  if (/^[a-z0-9]$/i.test(character)) return `(?:${character}|${forms.join("|")})`;
  forms.push(`\\\\{1,8}x${hex}`, `&(?:amp;){0,3}#(?:x0{0,4}${hex}|0{0,4}${code});`);
  const named = htmlNames[character];
  if (named !== undefined) forms.push(`&(?:amp;){0,3}${named};`);
  forms.push(character === " " ? "[\\s+]" : `\\\\{0,8}${escaped(character)}`);
  return `(?:${forms.join("|")})`;
}

const htmlNames: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};

/**
 * Base64 of the secret at each of the three places where it may begin in an encoded text. The characters that also
 * hold bits of its neighbours are left out of the comparison. Source: contract B2.
 */
function encoded(text: string): string[] {
  const bytes = new TextEncoder().encode(text).subarray(0, MAX_EXACT);
  return [0, 1, 2].map((before) => {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const whole = Math.floor((shifted.length * 8) / 6);
    const core = base64(shifted).slice(Math.ceil((before * 8) / 6), whole);
    const first = `[a-z0-9+/_-]{0,${before === 0 ? 0 : before + 1}}`;
    const rest = text.length > MAX_EXACT ? "[a-z0-9+/_-]*" : "[a-z0-9+/_-]{0,2}";
    return `${first}${[...core].map(base64Character).join("")}${rest}(?:=|%(?:25){0,3}3D|\\\\{1,8}u003d){0,2}`;
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Both alphabets. */
function base64Character(character: string): string {
  if (character === "+") return `(?:-|${anyCharacter("+")})`;
  if (character === "/") return `(?:_|${anyCharacter("/")})`;
  return character;
}

function escaped(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
