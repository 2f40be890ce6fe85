import { LRUCache } from "lru-cache";
import type { LimitValues } from "@/lib/db/schema/accounts";

/** The name of one of the three limits. Source: docs/spec.md#s8. */
export type LimitName = "qps" | "rpm" | "tpm";

/** The use of one limit; `resetMs`: whole milliseconds until its window is empty. */
export interface LimitUse {
  /** Null: no limit. */
  limit: number | null;
  used: number;
  resetMs: number;
}

/** All three limits of a key, as headers and pages show them. */
export type LimitState = Record<LimitName, LimitUse>;

/** Identifies an admission to correct its token reservation; valid for one correction. */
export interface LimitTicket {
  readonly keyId: string;
  /** Tokens counted in this process. */
  readonly reserved: number;
  /** One-second bucket of the local clock that holds them. */
  readonly bucket: number;
  /** The reservation in the shared store; null when the store was not used. */
  readonly store: StoreReservation | null;
  /** False once corrected or refunded. */
  open: boolean;
}

/** Tokens counted in the shared store, in a one-second bucket of its clock. */
export interface StoreReservation {
  bucket: number;
  reserved: number;
}

/** A request for admission. Units: `tokens` = estimated input + maximum output. */
export interface AdmitRequest {
  keyId: string;
  limits: LimitValues;
  tokens: number;
  /** The moment, by the monotonic clock of this process; without it the clock is read. */
  nowMs?: number;
}

/** The result of admission. A refusal names the limit that takes longest to clear. Units: milliseconds. */
export type Admission =
  | { allowed: true; ticket: LimitTicket; state: LimitState }
  | { allowed: false; violated: LimitName; retryAfterMs: number; state: LimitState };

/**
 * Counts requests and tokens per key, all or nothing; refused requests are not counted.
 * No method rejects because a shared store is unreachable. Source: docs/reliability.md#s2-8.
 */
export interface Limiter {
  /** A promise only where a shared store is asked. */
  admit(request: AdmitRequest): Admission | Promise<Admission>;
  /**
   * Replaces the reservation of an admitted request by a larger one, all or nothing, and returns another ticket. Refused,
   * its tokens are given back; either way the request stays counted once, and `ticket` is used up.
   */
  enlarge(ticket: LimitTicket, request: AdmitRequest): Admission | Promise<Admission>;
  /** Replaces the reservation by the actual token count; a second call for a ticket does nothing. */
  correct(ticket: LimitTicket, actualTokens: number, nowMs?: number): void | Promise<void>;
  /** Releases the tokens; the request itself stays counted (QPS, RPM). */
  refund(ticket: LimitTicket): void | Promise<void>;
  /** The current state of a key; counts nothing. */
  peek(keyId: string, limits: LimitValues): Promise<LimitState>;
  /** Which backend answers, for health and metrics. */
  status(): LimiterStatus;
  close(): Promise<void>;
}

/** `degraded`: the shared store is unavailable and the local share is enforced. */
export interface LimiterStatus {
  backend: "memory" | "redis";
  degraded: boolean;
  /** Keys held in this process. */
  keys: number;
}

/** Monotonic milliseconds. */
export type MonotonicClock = () => number;

type Refusal = Extract<Admission, { allowed: false }>;

interface Entry {
  refusal: Refusal;
  tokens: number;
  expiresMs: number;
}

const MAX_KEYS = 10_000;

/**
 * The shared store's last refusal of each key, for times without an answer of the store: until the refusal's wait is
 * over, requests of the same or a larger size are refused. Units: milliseconds of the local clock.
 */
export class Refusals {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEYS });

  /** Stores a refusal of the store. */
  remember({ keyId, tokens }: AdmitRequest, refusal: Refusal, nowMs: number): void {
    this.#entries.set(keyId, { refusal, tokens, expiresMs: nowMs + refusal.retryAfterMs });
  }

  /** Deletes a key's refusal after the store has admitted a request of the key. */
  forget(keyId: string): void {
    this.#entries.delete(keyId);
  }

  /** The refusal that applies to a request now; null without one. */
  find({ keyId, tokens }: AdmitRequest, nowMs: number): Refusal | null {
    const entry = this.#entries.get(keyId);
    if (entry === undefined) return null;
    const remainingMs = Math.ceil(entry.expiresMs - nowMs);
    if (remainingMs <= 0) {
      this.#entries.delete(keyId);
      return null;
    }
    if (entry.refusal.violated === "tpm" && tokens < entry.tokens) return null;
    return { ...entry.refusal, retryAfterMs: remainingMs };
  }
}
