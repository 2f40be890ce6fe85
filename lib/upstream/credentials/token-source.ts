import type { Clock } from "@/lib/kernel/clock";
import { CredentialError } from "./credential-error";
import type { Access, Obtained } from "./exchange";

/** What a token source works with. */
export interface TokenSourceOptions {
  /** Gets access; ends when the signal does. Rejects: CredentialError. */
  exchange: (signal: AbortSignal) => Promise<Obtained>;
  clock: Clock;
  /** Runs a function once after a time. Units: milliseconds. Returns what cancels it. */
  startTimer: (ms: number, run: () => void) => () => void;
  /** A refresh failed while access is still valid. */
  onWarning: (error: CredentialError) => void;
}

/** Access that was got, and until when it is used. Units: milliseconds of the monotonic clock. */
interface Held extends Obtained {
  gotAtMs: number;
  refreshAtMs: number;
  endsAtMs: number;
}

const EXCHANGE_LIMIT_MS = 3_000;
const REFRESH_SHARE = 0.8;
const REFRESH_AHEAD_MS = 5 * 60_000;
/** Access that has nearly ended might end on its way. */
const END_SHARE = 0.1;
const END_MARGIN_MS = 10_000;
const LEAST_BACKOFF_MS = 1_000;
const MOST_BACKOFF_MS = 60_000;
/** Access so young was not refused because of its age. */
const YOUNG_MS = 10_000;

/**
 * Access with one credential: one exchange at a time, however many ask. It is refreshed in the background when it is
 * used after 80 % of its life or 5 minutes before its end, whichever is earlier, but not in the first half of its life.
 * After failures there is a pause of 1 s, which doubles up to 60 s.
 *
 * Source: docs/clouds.md#refresh.
 */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #held: Held | null = null;
  #recent: readonly Access[] = [];
  #flight: Promise<Obtained> | null = null;
  #lastError: CredentialError | null = null;
  #failures = 0;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  /** The newest two that were got: answers to calls with the one before may still come. A new list at each change. */
  get recent(): readonly Access[] {
    return this.#recent;
  }

  /** What is held and valid, without waiting; null: `get` has to be awaited. */
  ready(): Obtained | null {
    const held = this.#held;
    if (held === null) return null;
    const nowMs = this.#options.clock.nowMs();
    if (nowMs >= held.endsAtMs) return null;
    if (nowMs >= held.refreshAtMs && this.#flight === null && nowMs >= this.#retryAtMs) {
      this.#exchange().catch(ignore);
    }
    return held;
  }

  /** What is valid; waits for an exchange when nothing is, for 3 s at most. Rejects: CredentialError. */
  async get(): Promise<Obtained> {
    const ready = this.ready();
    if (ready !== null) return ready;
    if (this.#flight === null && this.#lastError !== null && this.#isPausing()) throw this.#lastError;
    return this.#exchange();
  }

  /**
   * What to try once more with after a node refused `rejected`: what was got since, or else the result of an exchange.
   * Null when there is nothing better: what does not expire, what is younger than 10 s, a failed exchange.
   */
  async refreshAfterRejection(rejected: Access): Promise<Obtained | null> {
    const held = this.#held;
    if (held !== null && isSame(held.access, rejected)) {
      const ageMs = this.#options.clock.nowMs() - held.gotAtMs;
      if (held.lifeMs === null || (this.#flight === null && (ageMs < YOUNG_MS || this.#isPausing())))
        return null;
      await this.#exchange().catch(ignore);
    }
    const found = await this.get().catch(() => null);
    return found === null || isSame(found.access, rejected) ? null : found;
  }

  #isPausing(): boolean {
    return this.#options.clock.nowMs() < this.#retryAtMs;
  }

  /** Joins the exchange that runs, or starts one. Rejects: CredentialError. */
  #exchange(): Promise<Obtained> {
    this.#flight ??= this.#limited().then(
      (obtained) => this.#succeed(obtained),
      (error: unknown) => this.#fail(error),
    );
    return this.#flight;
  }

  /** One exchange, given up after 3 s whatever it does. */
  #limited(): Promise<Obtained> {
    const abort = new AbortController();
    return new Promise<Obtained>((resolve, reject) => {
      const cancel = this.#options.startTimer(EXCHANGE_LIMIT_MS, () => {
        abort.abort();
        reject(new CredentialError("timeout"));
      });
      this.#options.exchange(abort.signal).then(resolve, reject).finally(cancel);
    });
  }

  #succeed(obtained: Obtained): Obtained {
    const gotAtMs = this.#options.clock.nowMs();
    const lifeMs = obtained.lifeMs ?? Number.POSITIVE_INFINITY;
    const aheadMs = Math.min(lifeMs * REFRESH_SHARE, lifeMs - REFRESH_AHEAD_MS);
    this.#held = {
      ...obtained,
      gotAtMs,
      refreshAtMs: gotAtMs + Math.max(aheadMs, lifeMs / 2),
      endsAtMs: gotAtMs + lifeMs - Math.min(lifeMs * END_SHARE, END_MARGIN_MS),
    };
    this.#recent = [obtained.access, ...this.#recent.slice(0, 1)];
    this.#flight = null;
    this.#lastError = null;
    this.#failures = 0;
    this.#retryAtMs = Number.NEGATIVE_INFINITY;
    return this.#held;
  }

  #fail(reason: unknown): never {
    const error = reason instanceof CredentialError ? reason : new CredentialError("internal");
    const pauseMs = Math.min(LEAST_BACKOFF_MS * 2 ** this.#failures, MOST_BACKOFF_MS);
    this.#flight = null;
    this.#lastError = error;
    this.#failures++;
    const nowMs = this.#options.clock.nowMs();
    this.#retryAtMs = nowMs + pauseMs;
    if (this.#held !== null && nowMs < this.#held.endsAtMs) this.#options.onWarning(error);
    throw error;
  }
}

/** The failure was told by a warning. */
function ignore(): void {}

function isSame(a: Access, b: Access): boolean {
  switch (a.type) {
    case "aws":
      return (
        b.type === "aws" &&
        a.keys.sessionToken === b.keys.sessionToken &&
        a.keys.accessKeyId === b.keys.accessKeyId
      );
    case "bearer":
      return b.type === "bearer" && a.token === b.token;
    case "key":
      return b.type === "key" && a.key === b.key;
  }
}
