import type { LiteralSecrets } from "./literal-secrets";

type Patterns = readonly (readonly [pattern: RegExp, instead: string])[];

/** Keys in the forms of vendors. */
const keys: Patterns = [
  [/\b(?:bearer|basic)\s+[\w.~+/-]+=*/gi, "[key]"],
  [/\b(?:sk|pk|rk|gsk|xai|tgw|hf)[-_][\w*.-]{4,}/g, "[key]"],
  [/\bkey[-_](?=[\w*-]*[\d*])[\w*-]{6,}/g, "[key]"],
  [/\bAIza[\w-]{20,}/g, "[key]"],
];

/** Ids of accounts and requests. */
const ids: Patterns = [
  [
    /\b(?:org|organization|proj|project|acct|wrkspc|req|request)[-_](?=[A-Za-z]*\d)[A-Za-z0-9]{8,}\b/g,
    "[id]",
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "[id]"],
];

/** Addresses of any host. */
const hosts: Patterns = [
  [/\b(?:https?|wss?):\/\/[^\s"'<>)\]]+/gi, "[url]"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, "[host]"],
  [
    /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|dev|cloud|internal|local|lan|cn)\b(?::\d+)?(?:\/[^\s"']*)?/gi,
    "[host]",
  ],
  [/\blocalhost(?::\d+)?\b/gi, "[host]"],
];

const url = /((?:https?|wss?):\/\/[^\s"'<>)\]]+)/i;

const MAX_BYTES = 2048;
const MAX_READ_CHARACTERS = 16 * 1024;
/** The longest word that is removed whole when the reading limit cuts it, because it may be a secret. */
const MAX_CUT_WORD = 4 * 1024;

/** The data that is needed to clean an upstream's text. */
export interface Cleaning {
  alias: string;
  upstreamModel: string;
  /** The secrets of the node that sent the text. */
  secrets: LiteralSecrets;
  /** The text is about the caller's request: addresses in it are the caller's own, except the node's. */
  aboutRequest?: boolean;
}

/**
 * An upstream's text for clients: without the node's own secrets, keys and account ids, with the alias in place of the
 * upstream's model id, in at most 2 KiB. Addresses are removed too, unless the caller may have named them. Source:
 * docs/protocols.md#s13-3, docs/contract.md#b2.
 */
export function sanitise(message: string, cleaning: Cleaning): string {
  const { aboutRequest = false, secrets } = cleaning;
  const text = withAlias(secrets.strike(readable(message)), cleaning);
  if (!aboutRequest) return cut(replaceAll(text, [...hosts, ...keys, ...ids]));
  const parts = text
    .split(url)
    .map((part, index) => replaceAll(part, index % 2 === 1 ? keys : [...keys, ...ids]));
  return cut(parts.join(""));
}

/** The part of a message that is read, without the word at which the limit cuts it. */
function readable(message: string): string {
  if (message.length <= MAX_READ_CHARACTERS) return message;
  let end = MAX_READ_CHARACTERS;
  while (end > MAX_READ_CHARACTERS - MAX_CUT_WORD && !/[\s"'<>]/.test(message.charAt(end - 1))) end -= 1;
  return message.slice(0, end);
}

function withAlias(text: string, { alias, upstreamModel }: Cleaning): string {
  if (upstreamModel === "" || upstreamModel === alias) return text;
  const name = upstreamModel.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${name}(?![A-Za-z0-9])`, "g"), () => alias);
}

function replaceAll(text: string, patterns: Patterns): string {
  return patterns.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}

function cut(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_BYTES) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES - 3));
  return `${kept.replace(/\uFFFD+$/, "")}…`;
}
