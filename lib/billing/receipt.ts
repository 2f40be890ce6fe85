import { centsDecimal, MICRO_CENTS_PER_CENT } from "@/lib/kernel/money";

const NANO_CENTS_PER_CENT = MICRO_CENTS_PER_CENT * 1000n;

/** The input of a receipt: the stored counts and the price version of the request. */
export interface ReceiptInput {
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroCents: bigint;
  wouldHaveCostMicroCents: bigint | null;
  heldMicroCents: bigint;
  billingSource: string;
  priceVersion: number;
  /** Null: the version was deleted, or no price was looked up. */
  price: ReceiptPrice | null;
}

/** A price version. Units: nano-cents per token. */
export interface ReceiptPrice {
  inputNanoCents: bigint;
  outputNanoCents: bigint;
  cacheReadNanoCents: bigint | null;
  cacheWriteNanoCents: bigint | null;
}

/**
 * The calculation of a cost: one line per kind of token, their exact sum, and the total after rounding up once. When
 * nothing was billed, the lines show the cost that would have been billed. Units: cents as decimal text. Source:
 * docs/contract.md#s5, docs/reliability.md#s2-2.
 */
export function receiptOf(input: ReceiptInput) {
  const lines = input.price === null ? [] : linesOf(input, input.price);
  const sumNanoCents = lines.reduce((sum, line) => sum + line.nanoCents, 0n);
  return {
    unit: "cents",
    priceVersion: input.priceVersion,
    billed: input.billingSource !== "none",
    billingSource: input.billingSource,
    lines: lines.map(({ nanoCents, ...line }) => ({ ...line, amount: nanoCentsDecimal(nanoCents) })),
    sum: nanoCentsDecimal(sumNanoCents),
    total: centsDecimal(input.costMicroCents),
    wouldHaveCost:
      input.wouldHaveCostMicroCents === null ? null : centsDecimal(input.wouldHaveCostMicroCents),
    held: centsDecimal(input.heldMicroCents),
  };
}

function linesOf(input: ReceiptInput, price: ReceiptPrice) {
  const uncached = Math.max(0, input.promptTokens - input.cacheReadTokens - input.cacheWriteTokens);
  return [
    lineOf("input", uncached, price.inputNanoCents),
    lineOf("cacheRead", input.cacheReadTokens, price.cacheReadNanoCents ?? price.inputNanoCents),
    lineOf("cacheWrite", input.cacheWriteTokens, price.cacheWriteNanoCents ?? price.inputNanoCents),
    lineOf("output", input.completionTokens, price.outputNanoCents),
  ].filter((line) => line.tokens > 0 || line.kind === "input" || line.kind === "output");
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

function nanoCentsDecimal(nanoCents: bigint): string {
  const fraction = (nanoCents % NANO_CENTS_PER_CENT).toString().padStart(9, "0").replace(/0+$/, "");
  const whole = (nanoCents / NANO_CENTS_PER_CENT).toString();
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
