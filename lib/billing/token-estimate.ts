import { countNonAscii } from "@/lib/kernel/count-non-ascii";
import { isKept, printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { PromptFields } from "@/lib/protocols/adapters/client-request";
import { MAX_TOKENS } from "@/lib/shared/prices/cost";

const TOKENS_PER_MESSAGE = 8;

const TOKENS_PER_IMAGE = 1_600;

const TOKENS_BASE = 64;

const MARGIN_PERCENT = 10n;

/** Encoded bytes of a document or recording per token; overestimates. */
const ENCODED_BYTES_PER_TOKEN = 40;

/** Characters of a request by their cost in tokens, images, and encoded bytes of files. */
interface Tally {
  ascii: number;
  other: number;
  images: number;
  encoded: number;
}

/**
 * Estimates the prompt tokens of a request for its hold. The estimate is high; the settlement releases the difference.
 * Reads the fields of the client's protocol that become prompt.
 * Units: tokens, at most 100,000,000. Source: docs/reliability.md#s2-4.
 */
export function estimateInputTokens(body: Readonly<JsonObject>, fields: PromptFields): number {
  const tally: Tally = { ascii: 0, other: 0, images: 0, encoded: 0 };
  for (const field of fields.content) tallyContent(body[field], tally);
  for (const field of fields.json) {
    if (body[field] !== undefined) tallyText(printJson(body[field]), tally);
  }
  const turns = body[fields.turns];
  const counted =
    estimateTextTokens(tally) +
    countTokenIds(turns) +
    countTurns(turns) * TOKENS_PER_MESSAGE +
    tally.images * TOKENS_PER_IMAGE +
    Math.ceil(tally.encoded / ENCODED_BYTES_PER_TOKEN) +
    TOKENS_BASE;
  return Math.min(MAX_TOKENS, counted + Number((BigInt(counted) * MARGIN_PERCENT + 99n) / 100n));
}

/** Token ids of an input that is a list of them, or a list of such lists; each is one token. */
export function countTokenIds(turns: unknown): number {
  if (!Array.isArray(turns)) return 0;
  if (typeof turns[0] === "number") return turns.length;
  if (!Array.isArray(turns[0])) return 0;
  return turns.reduce((sum: number, ids: unknown) => sum + (Array.isArray(ids) ? ids.length : 0), 0);
}

/** A list of token ids is one input. */
function countTurns(turns: unknown): number {
  if (!Array.isArray(turns)) return 0;
  return typeof turns[0] === "number" ? 1 : turns.length;
}

/**
 * Tokens of a text by its characters: a third of a token for ASCII, one and a half for others.
 * Source: docs/reliability.md#s2-4.
 */
export function estimateTextTokens(characters: { ascii: number; other: number }): number {
  return Math.ceil(characters.ascii / 3) + Math.ceil(1.5 * characters.other);
}

/** Counts ASCII and other UTF-16 units of a text. */
export function countCharacters(text: string): { ascii: number; other: number } {
  const other = countNonAscii(text);
  return { ascii: text.length - other, other };
}

function tallyContent(value: unknown, tally: Tally): void {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part === "string") {
      if (!isKept(part)) tallyText(part, tally);
    } else if (Array.isArray(part)) for (const item of part) pending.push(item);
    else if (typeof part === "object" && part !== null) tallyObject(part, tally, pending);
  }
}

/** Types of parts and items that are a picture. */
export const IMAGE_TYPES: ReadonlySet<unknown> = new Set([
  "image",
  "image_url",
  "input_image",
  "computer_screenshot",
  "image_generation_call",
]);

/** Queues the fields of an object; an image counts once, an encoded file by its size. */
function tallyObject(part: object, tally: Tally, pending: unknown[]): void {
  const type = "type" in part ? part.type : null;
  if (IMAGE_TYPES.has(type)) {
    tally.images++;
    return;
  }
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === "string" && (name === "data" || name === "file_data")) tally.encoded += value.length;
    else if (name !== "type" && name !== "role" && name !== "cache_control") pending.push(value);
  }
}

function tallyText(text: string, tally: Tally): void {
  const { ascii, other } = countCharacters(text);
  tally.ascii += ascii;
  tally.other += other;
}
