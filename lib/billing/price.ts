import { type CallPrices, callsMicroCents, ceilDiv, NANO_PER_MICRO, type Usage } from "@/lib/kernel/usage";

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

/** A price version without its number. */
export type ReceiptPrice = Omit<PriceVersion, "version">;
