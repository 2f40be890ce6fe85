import type { LimitLevel } from "@/lib/accounts/account-limits";
import type { LimitValues } from "@/lib/db/schema/accounts";
import {
  type AccountTicket,
  type Admission,
  BUSY_RETRY_MS,
  type LimitName,
  type LimitState,
  type LimitTicket,
  type RateName,
} from "./limiter";

/** The parts of a window that a level uses. Units: milliseconds, tokens. */
interface LevelWindow {
  readonly touchedMs: number;
  readonly violated: RateName;
  waitMs(now: number, limits: LimitValues, tokens: number): number;
  tokenWaitMs(now: number, limits: LimitValues, tokens: number): number;
  record(now: number, limits: LimitValues, tokens: number): number;
  recordTokens(now: number, limits: LimitValues, tokens: number): number;
  state(now: number, limits: LimitValues): LimitState;
}

/** A window with its limits and the number of running calls. */
export interface Level {
  /** The id of the key or the account. */
  id: string;
  window: LevelWindow;
  limits: LimitValues;
  running: number;
}

/** How long a request has to wait at a level, and for which limit; 0: it is within the limits. Units: milliseconds. */
export type LevelWait = readonly [waitMs: number, violated: LimitName];

/**
 * Tokens that a request reserves: at most the limit, so that a single larger request still fits an empty window.
 * Source: docs/reliability.md#s2-8.
 */
export function reservation(limits: LimitValues, tokens: number): number {
  return limits.tpm === null ? tokens : Math.min(tokens, limits.tpm);
}

/** How long a call has to wait at a level. */
export function callWait({ window, limits, running }: Level, now: number, tokens: number): LevelWait {
  const rate = window.waitMs(now, limits, tokens);
  const isFull = limits.concurrent != null && running >= limits.concurrent;
  return isFull && rate < BUSY_RETRY_MS ? [BUSY_RETRY_MS, "concurrent"] : [rate, window.violated];
}

/** How long the tokens of a counted call have to wait at a level. */
export function tokenWait({ window, limits }: Level, now: number, tokens: number): LevelWait {
  return [window.tokenWaitMs(now, limits, tokens), "tpm"];
}

/** The refusal when one of the two levels requires a wait; null: both allow it. */
export function refusalOf(
  key: Level,
  account: Level | null,
  waitOf: (level: Level) => LevelWait,
  now: number,
): Admission | null {
  const ofKey = waitOf(key);
  const ofAccount = account && waitOf(account);
  const longest = longerWait(ofKey[0], ofAccount?.[0] ?? 0);
  const wait = longest === "account" && ofAccount ? ofAccount : ofKey;
  return wait[0] === 0 ? null : refusal(key, account, longest, wait, now);
}

/**
 * The level that refuses: the one with the longer wait, or the account when both are equal. Units: the same for both
 * waits.
 */
export function longerWait(ofKey: number, ofAccount: number): LimitLevel {
  return ofAccount > 0 && ofAccount >= ofKey ? "account" : "key";
}

/** The refusal of a request that has to wait. */
export function refusal(
  key: Omit<Level, "id">,
  account: Level | null,
  level: LimitLevel,
  [waitMs, violated]: LevelWait,
  now: number,
): Admission {
  return {
    allowed: false,
    violated,
    level,
    retryAfterMs: Math.ceil(waitMs),
    state: stateOf(key, now),
    accountState: account && stateOf(account, now),
  };
}

/** The admission of a ticket. */
export function allowed(ticket: LimitTicket, key: Level, account: Level | null, now: number): Admission {
  return {
    allowed: true,
    ticket,
    state: stateOf(key, now),
    accountState: account && stateOf(account, now),
  };
}

/** The state of a level, with its running calls where these are limited. */
export function stateOf({ window, limits, running }: Omit<Level, "id">, now: number): LimitState {
  const state = window.state(now, limits);
  const { concurrent } = limits;
  return concurrent == null ? state : { ...state, concurrent: { limit: concurrent, used: running } };
}

/** The part of a ticket that was counted in the window of an account. */
export function accountTicket({ id, window, limits }: Level, bucket: number, tokens: number): AccountTicket {
  return { id, reserved: reservation(limits, tokens), bucket, countedAtMs: window.touchedMs, store: null };
}
