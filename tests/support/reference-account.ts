import type { LimitValues } from "@/lib/db/schema/accounts";
import { ReferenceLimiter, type Reservation } from "./reference-limiter";

/** A call that the reference has admitted. */
export interface ReferenceCall {
  key: number;
  ofKey: Reservation;
  ofAccount: Reservation;
}

/** Limits of a request: those of its key, and those of all keys of the account. */
export interface BothLimits {
  key: LimitValues;
  account: LimitValues;
}

const BUSY_MS = 1_000;

/**
 * Keys of one account by brute force: every level is counted by itself, and a request passes when both let it pass.
 * Written from the rules (docs/reliability.md#account-limits), not from the limiter.
 */
export class ReferenceAccount {
  readonly account = new ReferenceLimiter();
  readonly keys = [new ReferenceLimiter(), new ReferenceLimiter(), new ReferenceLimiter()];
  readonly running: ReferenceCall[] = [];

  /** Returns the call, or how long it waits and for whose limit. */
  admit(now: number, key: number, limits: BothLimits, tokens: number) {
    const ofKey = this.#waitMs(now, this.#key(key), limits.key, tokens, this.runningOf(key));
    const ofAccount = this.#waitMs(now, this.account, limits.account, tokens, this.running.length);
    const waitMs = Math.max(ofKey, ofAccount);
    const level = ofAccount >= ofKey ? ("account" as const) : ("key" as const);
    if (waitMs > 0) return { call: null, waitMs, level };
    const call = {
      key,
      ofKey: this.#key(key).count(now, limits.key, tokens),
      ofAccount: this.account.count(now, limits.account, tokens),
    };
    this.running.push(call);
    return { call, waitMs: 0, level };
  }

  runningOf(key: number): number {
    return this.running.filter((call) => call.key === key).length;
  }

  /** The call ends, and has used so many tokens. */
  end(now: number, call: ReferenceCall, actual: number): void {
    this.running.splice(this.running.indexOf(call), 1);
    this.#key(call.key).correct(now, call.ofKey, actual);
    this.account.correct(now, call.ofAccount, actual);
  }

  #key(index: number): ReferenceLimiter {
    const found = this.keys[index];
    if (found === undefined) throw new Error(`there is no key ${index}`);
    return found;
  }

  #waitMs(
    now: number,
    level: ReferenceLimiter,
    limits: LimitValues,
    tokens: number,
    running: number,
  ): number {
    const { concurrent } = limits;
    const busy = concurrent != null && running >= concurrent ? BUSY_MS : 0;
    return Math.max(busy, level.waitMs(now, limits, tokens));
  }
}
