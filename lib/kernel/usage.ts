import { centsDecimal } from "./money";

/** The origin of the token counts of a request. Source: docs/contract.md#s5. */
export type UsageSource = "upstream" | "estimated" | "none";

/** Tools that a node runs and bills by the call, beside tokens. Source: docs/responses.md#s3-6. */
export const pricedTools = ["webSearch", "fileSearch", "codeInterpreter", "imageGeneration"] as const;

/** One of these tools. */
export type PricedTool = (typeof pricedTools)[number];

/** True for the name of such a tool. */
export function isPricedTool(name: string): name is PricedTool {
  return pricedTools.some((tool) => tool === name);
}

/** How often a node has run each tool; absent: never. */
export type HostedCalls = Partial<Record<PricedTool, number>>;

/** What a call of each tool costs; absent: the tool may not be used. Units: micro-cents per call. */
export type CallPrices = Readonly<Partial<Record<PricedTool, bigint>>>;

/** Service tiers of a vendor that may have prices of their own. Source: docs/prices.md#service-tiers. */
export const pricedServices = ["priority", "flex", "batch"] as const;

/** One of these tiers. */
export type PricedService = (typeof pricedServices)[number];

/** The tier by which a node has served a request; `other`: one that can have no price. */
export type ServedTier = PricedService | "standard" | "other";

/**
 * Tokens that some vendors bill at rates of their own, as parts of the counts of a request: one-hour cache writes of
 * `cacheWrite`, audio and images of `inputUncached` and of `output`.
 */
export const tokenParts = ["cacheWrite1h", "audioInput", "imageInput", "audioOutput", "imageOutput"] as const;

/** One of these parts. */
export type TokenPart = (typeof tokenParts)[number];

/** Counts of these parts; absent: none. Units: tokens. */
export type TokenParts = Partial<Record<TokenPart, number>>;

/**
 * Canonical token counts of one request, independent of protocols; metering and billing use them.
 * The four counts are disjoint; `reasoning` is a part of `output`. Source: docs/protocols.md#s11-1.
 */
export interface Usage {
  inputUncached: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  /** Absent: none was reported. */
  parts?: TokenParts;
  /** The service tier by which the node says that it has served the request; absent: it said none. */
  served?: ServedTier;
  /** Absent: no tool was run. */
  calls?: HostedCalls;
}

/** Zero tokens of every kind. */
export const NO_USAGE: Readonly<Usage> = Object.freeze({
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
});

/** All prompt tokens, cached ones included. Source: docs/contract.md#s5 (`promptTokens`). */
export function promptTokens(usage: Usage): number {
  return usage.inputUncached + usage.cacheRead + usage.cacheWrite;
}

/** Tools that a node may run and bill by the call; no more than these calls are held and billed. */
export interface OfferedCalls {
  tools: readonly PricedTool[];
  /** Tools that run as a part of others and cost nothing. */
  included?: readonly PricedTool[];
  /** The most calls of all of them together. */
  maxCalls: number;
}

/** The most calls of one tool that are billed or held for one request. Source: docs/reliability.md#s2-2. */
export const MAX_CALLS = 10_000;

/** The limit of calls for requests that name none. Source: docs/responses.md#s3-6. */
const USUAL_CALLS = 10;

/**
 * The calls that a request offers to a node; `limit` is the request's own. `told` is the limit to send to the node; null:
 * none, because the request has its own or the tools are free. Source: docs/responses.md#s3-6.
 */
export function offerCalls(
  tools: readonly PricedTool[],
  limit: number | null | undefined,
  prices: CallPrices,
): { offered: OfferedCalls; told: number | null } {
  const isFree = tools.every((tool) => (prices[tool] ?? 0n) === 0n);
  const told = limit != null || isFree ? null : USUAL_CALLS;
  return { offered: { tools, maxCalls: Math.min(MAX_CALLS, limit ?? told ?? MAX_CALLS) }, told };
}

/** Counts the calls of one answer in their order: those that were offered are billed, up to the limit. */
export class CallCount {
  /** Undefined: none. */
  billed: HostedCalls | undefined;
  /** Calls of tools that were not offered, or beyond the limit. */
  unbilled = 0;
  readonly #offered: OfferedCalls | undefined;
  #count = 0;
  readonly #seen: HostedCalls = {};
  readonly #unbilledOf: HostedCalls = {};

  /** `offered` undefined: the node was offered no such tool. */
  constructor(offered?: OfferedCalls) {
    this.#offered = offered;
  }

  /** Takes the next call of the answer. */
  add(tool: PricedTool): void {
    const offered = this.#offered;
    if (offered?.included?.includes(tool) === true) return;
    this.#seen[tool] = (this.#seen[tool] ?? 0) + 1;
    if (offered === undefined || !offered.tools.includes(tool) || this.#count >= offered.maxCalls) {
      this.unbilled += 1;
      this.#unbilledOf[tool] = (this.#unbilledOf[tool] ?? 0) + 1;
      return;
    }
    this.#count += 1;
    this.billed = { ...this.billed, [tool]: (this.billed?.[tool] ?? 0) + 1 };
  }

  /** Takes the node's own count of a tool's calls in the whole answer, in place of those that were seen. */
  setTotal(tool: PricedTool, total: number): void {
    const most = Math.min(total, MAX_CALLS);
    for (let seen = this.#seen[tool] ?? 0; seen < most; seen += 1) this.add(tool);
    for (let seen = this.#seen[tool] ?? 0; seen > most; seen -= 1) this.#takeBack(tool);
  }

  #takeBack(tool: PricedTool): void {
    this.#seen[tool] = (this.#seen[tool] ?? 0) - 1;
    const unbilled = this.#unbilledOf[tool] ?? 0;
    if (unbilled > 0) {
      this.unbilled -= 1;
      this.#unbilledOf[tool] = unbilled - 1;
      return;
    }
    this.#count -= 1;
    const { [tool]: billed = 0, ...others } = this.billed ?? {};
    const left = billed > 1 ? { ...others, [tool]: billed - 1 } : others;
    this.billed = Object.keys(left).length === 0 ? undefined : left;
  }
}

/** The columns of a price version that hold what a call costs. Units: micro-cents per call. */
export type CallPriceColumns = { readonly [Tool in PricedTool as `${Tool}MicroCents`]: bigint | null };

/** The prices per call of a stored price version. */
export function callPricesOf(row: CallPriceColumns): CallPrices {
  const prices: Partial<Record<PricedTool, bigint>> = {};
  for (const tool of pricedTools) {
    const microCents = row[`${tool}MicroCents`];
    if (microCents !== null) prices[tool] = microCents;
  }
  return prices;
}

/** Prices per call as APIs show them; null: the tool may not be used. Units: micro-cents per call. */
export function callPriceRecord(prices: CallPrices): Record<PricedTool, number | null> {
  const show = (tool: PricedTool) => (prices[tool] === undefined ? null : Number(prices[tool]));
  return {
    webSearch: show("webSearch"),
    fileSearch: show("fileSearch"),
    codeInterpreter: show("codeInterpreter"),
    imageGeneration: show("imageGeneration"),
  };
}

/** What the calls of a request cost; calls of a tool without a price cost nothing. Units: micro-cents. */
export function callsMicroCents(calls: HostedCalls | undefined, prices: CallPrices): bigint {
  let microCents = 0n;
  if (calls === undefined) return microCents;
  for (const tool of pricedTools) microCents += billable(calls[tool]) * (prices[tool] ?? 0n);
  return microCents;
}

/**
 * The amount to hold for the calls that a request may cause. All tools share one limit, so the cost is greatest when
 * every call is of the dearest tool.
 * Units: micro-cents. Source: docs/responses.md#s3-6.
 */
export function heldForOffer({ tools, maxCalls }: OfferedCalls, prices: CallPrices): bigint {
  let dearest = 0n;
  for (const tool of tools) {
    const price = prices[tool] ?? 0n;
    if (price > dearest) dearest = price;
  }
  return dearest * billable(maxCalls);
}

/** The same for a request that one of several nodes will answer: the greatest amount of all nodes. */
export function heldCallsMicroCents(planned: readonly PlannedCalls[], prices: CallPrices): bigint {
  let most = 0n;
  for (const { prepared } of planned) {
    if (prepared.offeredCalls === undefined) continue;
    const held = heldForOffer(prepared.offeredCalls, prices);
    if (held > most) most = held;
  }
  return most;
}

/** The calls that one node would be offered. */
interface PlannedCalls {
  readonly prepared: { readonly offeredCalls?: OfferedCalls };
}

/** The lines of a receipt for the tools that were run and have a price. */
export function callLines(calls: HostedCalls, prices: CallPrices) {
  return pricedTools.flatMap((kind) => {
    const price = prices[kind];
    const count = billable(calls[kind]);
    if (price === undefined || count === 0n) return [];
    return [
      {
        kind,
        calls: Number(count),
        centsPerCall: centsDecimal(price),
        microCents: count * price,
      },
    ];
  });
}

function billable(calls: number | undefined): bigint {
  return BigInt(Math.min(MAX_CALLS, calls ?? 0));
}
