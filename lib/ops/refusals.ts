import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import type { RefusalCount, RefusalName } from "@/lib/kernel/refusals";

/** What refusals are written to. */
export interface RefusalsOptions {
  /** Adds one to the metric of a reason. */
  count(reason: RefusalName): void;
  /** Writes one line of the process's log. */
  warn(fields: { refused: Partial<Record<RefusalName, number>> }, message: string): void;
  /** The present time. */
  date(): Date;
}

/** The names of refusals whose error has no name. */
const nameOfCode: Partial<Record<ErrorCode, RefusalName>> = {
  PAYLOAD_TOO_LARGE: "body-size",
  QUOTA_EXCEEDED: "quota",
  RATE_LIMITED: "rate-limits",
  NO_AVAILABLE_NODE: "no-node",
  INTERNAL_ERROR: "malfunction",
};

/**
 * Refusals that callers cause themselves: they get the error and the request log has it, so the process's log does not.
 */
const CALLERS_OWN: ReadonlySet<RefusalName> = new Set([
  "body-size",
  "free-calls",
  "rate-limits",
  "account-limits",
  "quota",
  "budget",
]);

/** How long a refusal counts as recent. Units: minutes. */
const RECENT_MINUTES = 60;

interface Minute {
  /** Minutes since 1970. */
  number: number;
  counts: Map<RefusalName, { count: number; last: Date }>;
}

/**
 * Counts every refusal of the process by its reason: in the metrics, for the administration, and in the process's log,
 * which gets at most one line a second. Source: docs/contract.md#refusals.
 */
export class Refusals {
  readonly #options: RefusalsOptions;
  #minutes: Minute[] = [];
  #untold: Partial<Record<RefusalName, number>> = {};
  #timer: NodeJS.Timeout | null = null;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** Counts an error that was sent, if it is a refusal: not a mistake of the caller, nor a failure of a node. */
  sent({ code, details }: GatewayError): void {
    const name = details.refusal ?? nameOfCode[code];
    if (name !== undefined) this.add(name);
  }

  /** Counts a refusal. */
  add(name: RefusalName): void {
    this.#options.count(name);
    this.#remember(name);
    if (CALLERS_OWN.has(name)) return;
    this.#untold[name] = (this.#untold[name] ?? 0) + 1;
    if (this.#timer === null) this.#tell();
  }

  /** The refusals of the last hour, the most frequent reason first. */
  recent(): RefusalCount[] {
    const oldest = this.#minute() - RECENT_MINUTES;
    const sums = new Map<RefusalName, RefusalCount>();
    for (const { number, counts } of this.#minutes) {
      if (number <= oldest) continue;
      for (const [reason, { count, last }] of counts)
        sums.set(reason, { reason, count: (sums.get(reason)?.count ?? 0) + count, last });
    }
    return [...sums.values()].sort((one, other) => other.count - one.count);
  }

  /** Writes what has not been written yet; nothing is counted afterwards. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tell();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Writes the refusals since the last line, and delays the next line by a second. */
  #tell(): void {
    this.#timer = null;
    if (Object.keys(this.#untold).length === 0) return;
    this.#options.warn({ refused: this.#untold }, "requests were refused");
    this.#untold = {};
    this.#timer = setTimeout(() => this.#tell(), SECOND_MS);
    this.#timer.unref();
  }

  #remember(name: RefusalName): void {
    const number = this.#minute();
    let minute = this.#minutes.at(-1);
    if (minute?.number !== number) {
      minute = { number, counts: new Map() };
      this.#minutes = [...this.#minutes.slice(1 - RECENT_MINUTES), minute];
    }
    const count = (minute.counts.get(name)?.count ?? 0) + 1;
    minute.counts.set(name, { count, last: this.#options.date() });
  }

  #minute(): number {
    return Math.floor(this.#options.date().getTime() / MINUTE_MS);
  }
}
