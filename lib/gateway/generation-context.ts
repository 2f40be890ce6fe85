import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { costMicroCents, type PriceVersion } from "@/lib/billing/price";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { type PricedTool, pricedTools, type Usage } from "@/lib/kernel/usage";
import type { CatalogModel, RoutedNode } from "@/lib/router/catalog";
import type { GatewayRequest } from "./exchange";
import type { Operation } from "./operation";
import type { Gateway } from "./runtime";

/** One authenticated request: what all its stages work with. */
export interface GenerationContext {
  readonly operation: Operation;
  readonly gateway: Gateway;
  readonly call: GatewayRequest;
  readonly key: GatewayKey;
  readonly log: RequestLogBuilder;
  /** Stores the answer beside its settlement; null: it is not stored. */
  keeper: AnswerKeeper | null;
}

/** Stores one answer. */
export interface AnswerKeeper {
  /** `wire`: the end of the answer. Resolves with the text to send in its place. Never rejects. */
  keep(wire: string, nodeId: string | null): Promise<string>;
}

/** Model name of requests whose model is no alias. Source: docs/contract.md#s5. */
const UNKNOWN_MODEL = "(unknown)";

/** What one generation leaves behind for its log entry, gathered while it runs. */
export class RequestLogBuilder {
  readonly attempts: StoredAttempt[] = [];
  /** Milliseconds from arrival at which each stage ended. */
  readonly timeline: Record<string, number> = {};
  /** What was dropped or changed. */
  readonly warnings: string[] = [];
  /** Null until the name is resolved. */
  model: CatalogModel | null = null;
  stream = false;
  ttftMs: number | null = null;
  nodeId: string | null = null;
  /** The prices of the node that answered; null: not known. */
  #nodePrice: PriceVersion | null = null;
  readonly #receivedAtMs: number;
  readonly #nowMs: () => number;
  #lastMs = 0;
  #lastNowMs: number;

  /** `receivedAtMs`: by the same monotonic clock as `nowMs`. */
  constructor(receivedAtMs: number, nowMs: () => number) {
    this.#receivedAtMs = receivedAtMs;
    this.#lastNowMs = receivedAtMs;
    this.#nowMs = nowMs;
  }

  /** The alias as the log shows it. */
  get alias(): string {
    return this.model?.alias ?? UNKNOWN_MODEL;
  }

  /** Reads the clock: milliseconds since the request arrived, to the hundredth. */
  elapsedMs(): number {
    this.#lastNowMs = this.#nowMs();
    this.#lastMs = hundredths(this.#lastNowMs - this.#receivedAtMs);
    return this.#lastMs;
  }

  /** What `elapsedMs` gave last; for stages between which nothing waits. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The moment at which the clock was read last. Units: milliseconds of the monotonic clock. */
  get lastNowMs(): number {
    return this.#lastNowMs;
  }

  /** A node answers. */
  answeredBy({ node, route }: RoutedNode): void {
    this.nodeId = node.id;
    this.#nodePrice = route.cost;
  }

  /**
   * What the node that answered charges; null when it is not known: without prices, or when it ran a tool that has none.
   * Units: micro-cents. Source: docs/contract.md#margin.
   */
  nodeCostMicroCents(usage: Usage): bigint | null {
    const price = this.#nodePrice;
    if (price === null) return null;
    const { calls } = usage;
    const isPriced = (tool: PricedTool) => !calls?.[tool] || price.perCall[tool] !== undefined;
    return calls === undefined || pricedTools.every(isPriced) ? costMicroCents(usage, price) : null;
  }

  /** A stage has ended now. */
  mark(stage: string): void {
    this.timeline[stage] = this.elapsedMs();
  }

  /** A stage has ended when the clock was read last. */
  markLast(stage: string): void {
    this.timeline[stage] = this.#lastMs;
  }

  /** Notes what was dropped or changed, each code once. */
  warn(codes: Iterable<string>): void {
    for (const code of codes) if (!this.warnings.includes(code)) this.warnings.push(code);
  }
}

/** Milliseconds between two moments that `elapsedMs` gave, to the hundredth. */
export function betweenMs(earlierMs: number, laterMs: number): number {
  return hundredths(laterMs - earlierMs);
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
