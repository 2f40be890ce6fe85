import { callLines, centsDecimal, type HostedCalls, nanoCentsDecimal, type Usage } from "@/lib/kernel/usage";
import { type ReceiptPrice, savingMicroCents } from "./price";

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
