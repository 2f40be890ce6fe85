import type { AccountLevel, LimitLevel } from "@/lib/accounts/account-limits";
import type { LimitValues } from "@/lib/db/schema/accounts";
import type { Place } from "./places";

/** The name of one of the limits over time. Source: docs/spec.md#s8. */
export type RateName = "qps" | "rpm" | "tpm";

/** The name of a limit of calls. Source: docs/contract.md#account-limits. */
export type LimitName = RateName | "concurrent";

/** The use of one limit; `resetMs`: whole milliseconds until its window is empty. */
export interface LimitUse {
  /** Null: no limit. */
  limit: number | null;
  used: number;
  resetMs: number;
}

/** The limits of a key or an account, as headers and pages show them. */
export interface LimitState extends Record<RateName, LimitUse> {
  /** Calls that run now; absent where they are not limited. */
  concurrent?: { limit: number; used: number };
}

/** Identifies an admission to correct its token reservation; valid for one correction. */
export interface LimitTicket {
  readonly keyId: string;
  /** Tokens counted in this process. */
  readonly reserved: number;
  /** One-second bucket of the local clock that holds them. */
  readonly bucket: number;
  /** The reservation in the shared store; null when the store was not used. */
  readonly store: StoreReservation | null;
  /** What the account's limits have counted for it; null: the account has no limits. */
  readonly account: AccountTicket | null;
  /** The call's place among those that run at once; null: their number is not limited. */
  readonly place: Place | null;
  /** False once corrected or refunded. */
  open: boolean;
}

/** What an admission counts in the windows of the account. */
export interface AccountTicket {
  readonly id: string;
  readonly reserved: number;
  readonly bucket: number;
  /** When it was counted, on the local clock. */
  readonly countedAtMs: number;
  readonly store: StoreReservation | null;
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
  /** The limits of the account, which hold for all its keys together; null or absent: it has none. */
  account?: AccountLevel | null;
  tokens: number;
  /** The moment, by the monotonic clock of this process; without it the clock is read. */
  nowMs?: number;
}

/**
 * The result of admission. `state`: of the key; `accountState`: of the account if it has limits. A refusal names the
 * limit with the longest wait; when both waits are equal, that of the account. Units: milliseconds.
 */
export type Admission =
  | { allowed: true; ticket: LimitTicket; state: LimitState; accountState: LimitState | null }
  | {
      allowed: false;
      violated: LimitName;
      level: LimitLevel;
      retryAfterMs: number;
      state: LimitState;
      accountState: LimitState | null;
    };

/**
 * When a call may be retried after too many were running; it is not known when one of them ends. Units: milliseconds.
 * Source: docs/reliability.md#account-limits.
 */
export const BUSY_RETRY_MS = 1_000;

/**
 * Counts requests and tokens per key, and per account if it has limits, all or nothing; refused requests are not
 * counted. An admission that took a place among the calls at once keeps it until the place is released.
 * No method rejects because a shared store is unreachable. Source: docs/reliability.md#s2-8.
 */
export interface Limiter {
  /** Returns a promise only when a shared store is used. */
  admit(request: AdmitRequest): Admission | Promise<Admission>;
  /**
   * Replaces the reservation of an admitted request by a larger one, all or nothing, and returns another ticket. A
   * refusal releases the request's tokens; in both cases the request stays counted once, and `ticket` is no longer
   * valid.
   */
  enlarge(ticket: LimitTicket, request: AdmitRequest): Admission | Promise<Admission>;
  /** Replaces the reservation by the actual token count; a second call for a ticket does nothing. */
  correct(ticket: LimitTicket, actualTokens: number, nowMs?: number): void | Promise<void>;
  /** Releases the tokens; the request itself stays counted (QPS, RPM). */
  refund(ticket: LimitTicket): void | Promise<void>;
  /** The current state of a key of this account; counts nothing. */
  peek(keyId: string, limits: LimitValues, account?: AccountLevel | null): Promise<LimitState>;
  /** The current state of an account, over all its keys; null: it has no limits. */
  peekAccount(account: AccountLevel | null): Promise<LimitState | null>;
  /** The backend in use, for health and metrics. */
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

/** For each limit over time, the state with less remaining. */
export function tighter(key: LimitState, account: LimitState): LimitState {
  return {
    qps: tighterUse(key.qps, account.qps),
    rpm: tighterUse(key.rpm, account.rpm),
    tpm: tighterUse(key.tpm, account.tpm),
  };
}

function tighterUse(key: LimitUse, account: LimitUse): LimitUse {
  if (account.limit === null) return key;
  return key.limit === null || account.limit - account.used < key.limit - key.used ? account : key;
}

/** True when neither calls at once nor the account is limited, so that no place and no account window is needed. */
export function isPlain({ limits, account }: AdmitRequest): boolean {
  return account == null && limits.concurrent == null;
}

/** The reservation of a ticket is corrected to at most these tokens, and stays open. Units: tokens. */
export function reducedTicket(ticket: LimitTicket, tokens: number): LimitTicket {
  const { account, store } = ticket;
  const reserved = Math.min(ticket.reserved, tokens);
  return {
    ...ticket,
    reserved,
    store: store && { ...store, reserved },
    account: account && reducedAccount(account, tokens),
    open: true,
  };
}

function reducedAccount(account: AccountTicket, tokens: number): AccountTicket {
  const reserved = Math.min(account.reserved, tokens);
  return { ...account, reserved, store: account.store && { ...account.store, reserved } };
}
