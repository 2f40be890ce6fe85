import { isKept, printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json";
import {
  type CallPrices,
  callLines,
  callsMicroCents,
  ceilDiv,
  centsDecimal,
  countNonAscii,
  type HostedCalls,
  NANO_PER_MICRO,
  nanoCentsDecimal,
  type Usage,
} from "@/lib/kernel/usage";
import type { PromptFields } from "@/lib/protocols/request-adapter";

/** Largest count of tokens of one kind in one request. Source: docs/reliability.md#s2-2. */
export const MAX_TOKENS = 100_000_000;

/** Largest price. Units: nano-cents per token. Source: docs/reliability.md#s2-2. */
export const MAX_NANO_CENTS = 1_000_000_000_000n;

/** One insert-only version of an alias's prices. Units: nano-cents per token (= cents per 1M tokens x 1000). */
export interface PriceVersion {
  version: number;
  inputNanoCents: bigint;
  outputNanoCents: bigint;
  /** Null: the input price. */
  cacheReadNanoCents: bigint | null;
  /** Null: the input price. */
  cacheWriteNanoCents: bigint | null;
  perCall: CallPrices;
}

/**
 * The cost of one request, rounded up once; reasoning is part of the output. At most 4.4e17, far inside 64 bits.
 * Units: micro-cents. Throws: RangeError for counts or prices out of bounds; input validation refuses these earlier.
 * Source: docs/reliability.md#s2-2.
 */
export function costMicroCents(usage: Usage, price: PriceVersion): bigint {
  return ceilDiv(tokenNanoCents(usage, price), NANO_PER_MICRO) + callsMicroCents(usage.calls, price.perCall);
}

/**
 * How much less a request costs than with the input price for all of its input; below 0 when writing to the cache cost
 * more than reading from it saved. Units: micro-cents. Throws: RangeError as `costMicroCents`. Source: docs/contract.md#cache-saving.
 */
export function savingMicroCents(usage: Usage, price: ReceiptPrice | undefined): bigint {
  if (price === undefined || usage.cacheRead + usage.cacheWrite === 0) return 0n;
  const { inputNanoCents: input, cacheReadNanoCents, cacheWriteNanoCents } = price;
  const nanoCents = tokenNanoCents(usage, price);
  const saved =
    tokens(usage.cacheRead) * (input - (cacheReadNanoCents ?? input)) +
    tokens(usage.cacheWrite) * (input - (cacheWriteNanoCents ?? input));
  return ceilDiv(nanoCents + saved, NANO_PER_MICRO) - ceilDiv(nanoCents, NANO_PER_MICRO);
}

function tokenNanoCents(usage: Usage, price: ReceiptPrice): bigint {
  return (
    tokens(usage.inputUncached) * rate(price.inputNanoCents) +
    tokens(usage.cacheRead) * rate(price.cacheReadNanoCents ?? price.inputNanoCents) +
    tokens(usage.cacheWrite) * rate(price.cacheWriteNanoCents ?? price.inputNanoCents) +
    tokens(usage.output) * rate(price.outputNanoCents)
  );
}

/**
 * The amount to hold for the tokens of a request: its whole estimated prompt at the higher of the input and cache write prices, and
 * all the output it may produce. Units: tokens in, micro-cents out. Throws: RangeError as `costMicroCents`.
 * Source: docs/reliability.md#s2-4.
 */
export function holdMicroCents(inputTokens: number, maxTokens: number, price: PriceVersion): bigint {
  const { inputNanoCents, cacheWriteNanoCents, outputNanoCents } = price;
  const cacheWrite = cacheWriteNanoCents ?? inputNanoCents;
  const higherInputNanoCents = cacheWrite > inputNanoCents ? cacheWrite : inputNanoCents;
  const nanoCents =
    tokens(inputTokens) * rate(higherInputNanoCents) + tokens(maxTokens) * rate(outputNanoCents);
  return ceilDiv(nanoCents, NANO_PER_MICRO);
}

/** Output tokens that an amount pays for, at most 100,000,000. Units: micro-cents in, tokens out. */
export function affordableOutput(microCents: bigint, { outputNanoCents }: PriceVersion): number {
  if (outputNanoCents === 0n) return MAX_TOKENS;
  return Math.min(MAX_TOKENS, Number((microCents * NANO_PER_MICRO) / outputNanoCents));
}

function tokens(count: number): bigint {
  if (!Number.isInteger(count) || count < 0 || count > MAX_TOKENS) {
    throw new RangeError(`impossible count of tokens: ${count}`);
  }
  return BigInt(count);
}

function rate(nanoCents: bigint): bigint {
  if (nanoCents < 0n || nanoCents > MAX_NANO_CENTS) throw new RangeError(`impossible price: ${nanoCents}`);
  return nanoCents;
}

/** The input of a receipt: the stored counts and the price version of the request. */
export interface ReceiptInput {
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Null: no tool was run. */
  hostedCalls: HostedCalls | null;
  costMicroCents: bigint;
  wouldHaveCostMicroCents: bigint | null;
  heldMicroCents: bigint;
  billingSource: string;
  priceVersion: number;
  /** Null: the version was deleted, or no price was looked up. */
  price: ReceiptPrice | null;
}

/** A price version without its number. */
export type ReceiptPrice = Omit<PriceVersion, "version">;

/**
 * The calculation of a cost: one line per kind of token and per tool that was run, their exact sum, and the total after
 * rounding up once. When nothing was billed, the lines show the cost that would have been billed. Units: cents as
 * decimal text.
 * Source: docs/contract.md#s5, docs/reliability.md#s2-2.
 */
export function receiptOf(input: ReceiptInput) {
  const billed = input.billingSource !== "none";
  const lines = input.price === null ? [] : linesOf(input, input.price);
  const sumNanoCents = lines.reduce((sum, line) => sum + line.nanoCents, 0n);
  return {
    unit: "cents" as const,
    priceVersion: input.priceVersion,
    billed,
    billingSource: input.billingSource,
    lines: lines.map(({ nanoCents, ...line }) => ({ ...line, amount: nanoCentsDecimal(nanoCents) })),
    sum: nanoCentsDecimal(sumNanoCents),
    cacheSaving:
      input.price === null || !billed ? null : centsDecimal(savingMicroCents(usageOf(input), input.price)),
    total: centsDecimal(input.costMicroCents),
    wouldHaveCost:
      input.wouldHaveCostMicroCents === null ? null : centsDecimal(input.wouldHaveCostMicroCents),
    held: centsDecimal(input.heldMicroCents),
  };
}

function usageOf({ promptTokens, cacheReadTokens: cacheRead, ...input }: ReceiptInput): Usage {
  const { cacheWriteTokens: cacheWrite, completionTokens: output } = input;
  const inputUncached = Math.max(0, promptTokens - cacheRead - cacheWrite);
  return { inputUncached, cacheRead, cacheWrite, output, reasoning: 0 };
}

function linesOf(input: ReceiptInput, price: ReceiptPrice) {
  const tokenLines = [
    lineOf("input", usageOf(input).inputUncached, price.inputNanoCents),
    lineOf("cacheRead", input.cacheReadTokens, price.cacheReadNanoCents ?? price.inputNanoCents),
    lineOf("cacheWrite", input.cacheWriteTokens, price.cacheWriteNanoCents ?? price.inputNanoCents),
    lineOf("output", input.completionTokens, price.outputNanoCents),
  ].filter((line) => line.tokens > 0 || line.kind === "input" || line.kind === "output");
  return [...tokenLines, ...callLines(input.hostedCalls ?? {}, price.perCall)];
}

function lineOf(kind: "input" | "cacheRead" | "cacheWrite" | "output", tokens: number, nanoCents: bigint) {
  return {
    kind,
    tokens,
    centsPerMillion: centsPerMillion(nanoCents),
    nanoCents: BigInt(tokens) * nanoCents,
  };
}

/** Nano-cents per token as cents per 1M tokens; exact, because prices have at most 3 decimals. */
export function centsPerMillion(nanoCents: bigint): number {
  return Number(nanoCents) / 1000;
}

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

const MAX_RUN = 256;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}(?=\\S)`, "g");

/**
 * Splits a text so that no part has a run of more than 256 characters without whitespace: the time of byte-pair
 * encoding grows with the square of a run. Never splits a surrogate pair. Source: docs/performance.md#s1.
 */
export function splitLongRuns(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(LONG_RUN)) {
    let end = match.index + match[0].length;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(from, end));
    from = end;
  }
  parts.push(text.slice(from));
  return parts;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
