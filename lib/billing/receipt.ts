import { decimalOf } from "@/lib/kernel/decimal-text";
import { centsDecimal, NANO_PER_MICRO } from "@/lib/kernel/money";
import { callLines, type HostedCalls, promptTokens, type Usage } from "@/lib/kernel/usage";
import { requestMicroCents } from "@/lib/shared/prices/cost";
import { type EffectivePrice, effectivePrice, FACTOR_SCALE } from "@/lib/shared/prices/effective-price";
import { type Prices, type Rates, rateOf } from "@/lib/shared/prices/price-version";
import { type PricedAs, termsOf } from "@/lib/shared/prices/priced-as";
import { savingMicroCents } from "@/lib/shared/prices/saving";
import { countsOf, parentKinds, type TokenKind, tokenKinds } from "@/lib/shared/prices/token-kinds";

/** The input of a receipt: the stored counts and the price version of the request. */
export interface ReceiptInput {
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** Null: no tool was run. */
  hostedCalls: HostedCalls | null;
  pricedAs: PricedAs | null;
  costMicroCents: bigint;
  wouldHaveCostMicroCents: bigint | null;
  heldMicroCents: bigint;
  billingSource: string;
  priceVersion: number;
  /** Null: the version was deleted, or no price was looked up. */
  price: Prices | null;
}

/** Decimals of a cent in the amount of a line: those of a nano-cent and of two factors. */
const DIGITS = 17;

/** Parts of a micro-cent in these digits. */
const PER_MICRO = NANO_PER_MICRO * FACTOR_SCALE;

/**
 * The calculation of a cost: one line per kind of token that has a price of its own, per tool that was run and for the request itself,
 * their exact sum, and the total after rounding up once. When nothing was billed, the lines show the cost that would have been
 * billed. Units: cents as decimal text.
 * Source: docs/contract.md#s5, docs/reliability.md#s2-2.
 */
export function receiptOf(input: ReceiptInput) {
  const billed = input.billingSource !== "none";
  const { price } = input;
  const usage = usageOf(input);
  const terms = termsOf(input.pricedAs);
  const effective = price && effectivePrice(price, terms, promptTokens(usage));
  const lines = price === null || effective === null ? [] : linesOf(usage, price, effective);
  const sum = lines.reduce((total, line) => total + line.exact, 0n);
  return {
    unit: "cents" as const,
    priceVersion: input.priceVersion,
    billed,
    billingSource: input.billingSource,
    tier: effective && tierOf(effective),
    lines: lines.map(({ exact, ...line }) => ({ ...line, amount: decimalOf(exact, DIGITS) })),
    sum: decimalOf(sum, DIGITS),
    cacheSaving: price === null || !billed ? null : centsDecimal(savingMicroCents(usage, price, terms)),
    total: centsDecimal(input.costMicroCents),
    wouldHaveCost:
      input.wouldHaveCostMicroCents === null ? null : centsDecimal(input.wouldHaveCostMicroCents),
    held: centsDecimal(input.heldMicroCents),
  };
}

/** What chose the rates; null: nothing, the standard rates apply. `factor` as decimal text. */
function tierOf({ service, window, above, factor }: EffectivePrice) {
  if (service === null && window === null && above === null) return null;
  return { service, window, above, factor: decimalOf(factor, FACTOR_DIGITS) };
}

const FACTOR_DIGITS = 8;

function usageOf(input: ReceiptInput): Usage {
  const { cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite, completionTokens: output } = input;
  const inputUncached = Math.max(0, input.promptTokens - cacheRead - cacheWrite);
  const usage: Usage = { inputUncached, cacheRead, cacheWrite, output, reasoning: input.reasoningTokens };
  if (input.pricedAs?.parts !== undefined) usage.parts = input.pricedAs.parts;
  if (input.hostedCalls !== null) usage.calls = input.hostedCalls;
  return usage;
}

function linesOf(usage: Usage, prices: Prices, effective: EffectivePrice) {
  const { perCall } = prices;
  const perRequest = requestMicroCents(usage, prices);
  const calls = callLines(usage.calls ?? {}, perCall).map(({ microCents, ...line }) => ({
    ...line,
    exact: microCents * PER_MICRO,
  }));
  const request =
    perRequest === 0n
      ? []
      : [
          {
            kind: "request" as const,
            calls: 1,
            centsPerCall: centsDecimal(perRequest),
            exact: perRequest * PER_MICRO,
          },
        ];
  return [...tokenLines(usage, effective), ...calls, ...request];
}

/** Tokens of a kind without a price of its own stand in the line of the kind whose price they have. */
function tokenLines(usage: Usage, { rates, factor }: EffectivePrice) {
  const counts = countsOf(usage);
  const tokensOf = new Map<TokenKind, number>();
  for (const kind of tokenKinds) {
    const line = lineOf(rates, kind);
    tokensOf.set(line, (tokensOf.get(line) ?? 0) + counts[kind]);
  }
  return tokenKinds.flatMap((kind) => {
    const tokens = tokensOf.get(kind) ?? 0;
    if (tokens === 0 && kind !== "input" && kind !== "output") return [];
    const rate = rateOf(rates, kind) * factor;
    const centsPerMillion = Number(decimalOf(rate, RATE_DIGITS));
    return [{ kind, tokens, centsPerMillion, exact: BigInt(tokens) * rate }];
  });
}

/** Decimals of the price of a million tokens. */
const RATE_DIGITS = 11;

/** The kind in whose line tokens of a kind stand; caches have one also where they have the price of the input. */
function lineOf(rates: Rates, kind: TokenKind): TokenKind {
  if (kind === "input" || kind === "output" || kind === "cacheRead" || kind === "cacheWrite") return kind;
  return rates[kind] === null ? lineOf(rates, parentKinds[kind]) : kind;
}
