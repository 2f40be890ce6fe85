import type { AccountLevel } from "@/lib/accounts/account-limits";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { BucketSum } from "./bucket-sum";
import { IdleMap } from "./idle-map";
import {
  accountTicket,
  allowed,
  callWait,
  type Level,
  refusal,
  refusalOf,
  reservation,
  stateOf,
  tokenWait,
} from "./levels";
import {
  type Admission,
  type AdmitRequest,
  isPlain,
  type Limiter,
  type LimiterStatus,
  type LimitState,
  type LimitTicket,
  type MonotonicClock,
  type RateName,
  type StoreReservation,
} from "./limiter";
import { type Place, Places } from "./places";
import { SlidingLog } from "./sliding-log";

const TOKEN_BUCKETS = 61;
const REQUEST_BUCKETS = 601;
const REQUEST_BUCKET_MS = 100;
/**
 * RPM limits up to this use an exact log; higher ones, or none, use 100 ms buckets. Source: docs/reliability.md#s2-8.
 */
export const EXACT_RPM = 6_000;

/** A window without entries for this long equals a new one. */
export const IDLE_MS = 62_000;

function countsInBuckets(limits: LimitValues): boolean {
  return limits.rpm === null || limits.rpm > EXACT_RPM;
}

/**
 * The three sliding windows of one key, or of all keys of an account, without I/O or a clock. Exact log for QPS and RPM, one-second buckets for TPM.
 * A change of limits keeps the counts. Units: milliseconds, tokens. Source: docs/reliability.md#s2-8, #d8.
 */
export class KeyWindow {
  readonly #log = new SlidingLog();
  readonly #tokens = new BucketSum(TOKEN_BUCKETS, SECOND_MS);
  #requests: BucketSum | null = null;
  #lastSecond = 0;
  #latest = 0;
  /** The limit that refused the last refused request. */
  violated: RateName = "qps";

  /** When this window was last used. */
  get touchedMs(): number {
    return this.#latest;
  }

  /** Counts the request and returns 0, or counts nothing and returns the time until it would fit. */
  admit(now: number, limits: LimitValues, tokens: number): number {
    const wait = this.waitMs(now, limits, tokens);
    if (wait === 0) this.record(now, limits, tokens);
    return wait;
  }

  /** Time until a request of this size fits; 0 when it fits now. Counts nothing. */
  waitMs(now: number, limits: LimitValues, tokens: number): number {
    this.#advance(now, limits);
    const qps = this.#qpsWait(limits.qps);
    const rpm = this.#rpmWait(limits.rpm);
    const tpm = this.#tpmWait(limits.tpm, reservation(limits, tokens));
    const wait = Math.max(qps, rpm, tpm);
    if (wait > 0) this.violated = wait === qps ? "qps" : wait === rpm ? "rpm" : "tpm";
    return wait;
  }

  /** Time until the tokens of a counted request fit; 0 when they fit now. Counts nothing. */
  tokenWaitMs(now: number, limits: LimitValues, tokens: number): number {
    this.#advance(now, limits);
    const wait = this.#tpmWait(limits.tpm, reservation(limits, tokens));
    if (wait > 0) this.violated = "tpm";
    return wait;
  }

  /** Counts tokens regardless of the limits and returns their bucket. */
  recordTokens(now: number, limits: LimitValues, tokens: number): number {
    const bucket = this.#advance(now, limits);
    this.#tokens.add(bucket, reservation(limits, tokens));
    return bucket;
  }

  /** Counts a request regardless of the limits and returns the bucket of its tokens. */
  record(now: number, limits: LimitValues, tokens: number): number {
    const bucket = this.recordTokens(now, limits, tokens);
    if (this.#requests !== null) this.#requests.add(this.#requests.advance(this.#latest), 1);
    if (this.#requests === null || limits.qps !== null) {
      this.#log.push(this.#latest);
      this.#lastSecond += 1;
    }
    return bucket;
  }

  /** Removes a request recorded at `time` from all counts. */
  withdraw(time: number, bucket: number, reserved: number): void {
    if (this.#log.remove(time) && time > this.#latest - SECOND_MS) this.#lastSecond -= 1;
    this.#requests?.add(Math.floor(time / REQUEST_BUCKET_MS), -1);
    this.#tokens.add(bucket, -reserved);
  }

  /** Adds `delta` tokens to their bucket; if that has expired, a positive delta goes to the current one. */
  correct(now: number, bucket: number, delta: number): void {
    this.#latest = Math.max(this.#latest, now);
    const current = this.#tokens.advance(this.#latest);
    if (!this.#tokens.add(bucket, delta) && delta > 0) this.#tokens.add(current, delta);
  }

  /** The current use of these limits. Units: whole milliseconds, rounded up. */
  state(now: number, limits: LimitValues): LimitState {
    this.#advance(now, limits);
    const newest = this.#log.newest(1);
    const requests = this.#requests;
    const log = this.#log;
    const logged = log.size > 0;
    return {
      qps: {
        limit: limits.qps,
        used: requests !== null && limits.qps === null ? requests.recent(10) : this.#lastSecond,
        resetMs: logged ? Math.max(0, Math.ceil(newest + SECOND_MS - this.#latest)) : 0,
      },
      rpm: {
        limit: limits.rpm,
        used: requests?.total ?? log.size,
        resetMs: Math.ceil(
          requests?.resetMs(this.#latest) ?? (logged ? newest + MINUTE_MS - this.#latest : 0),
        ),
      },
      tpm: {
        limit: limits.tpm,
        used: this.#tokens.total,
        resetMs: Math.ceil(this.#tokens.resetMs(this.#latest)),
      },
    };
  }

  #advance(now: number, limits: LimitValues): number {
    this.#latest = Math.max(this.#latest, now);
    const inBuckets = countsInBuckets(limits);
    if (inBuckets !== (this.#requests !== null)) this.#convert(inBuckets);
    this.#requests?.advance(this.#latest);
    this.#log.prune(this.#latest - (inBuckets ? SECOND_MS : MINUTE_MS));
    if (this.#lastSecond > this.#log.size) this.#lastSecond = this.#log.size;
    while (this.#lastSecond > 0 && this.#log.newest(this.#lastSecond) <= this.#latest - SECOND_MS) {
      this.#lastSecond -= 1;
    }
    return this.#tokens.advance(this.#latest);
  }

  #qpsWait(limit: number | null): number {
    if (limit === null || this.#lastSecond < limit) return 0;
    return limit < 1 ? SECOND_MS : this.#log.newest(limit) + SECOND_MS - this.#latest;
  }

  #rpmWait(limit: number | null): number {
    if (limit === null) return 0;
    if (this.#requests !== null) {
      const excess = this.#requests.total + 1 - limit;
      return excess <= 0 ? 0 : this.#requests.waitMs(this.#latest, excess);
    }
    if (this.#log.size < limit) return 0;
    return limit < 1 ? MINUTE_MS : this.#log.newest(limit) + MINUTE_MS - this.#latest;
  }

  #tpmWait(limit: number | null, tokens: number): number {
    if (limit === null) return 0;
    if (limit < 1) return MINUTE_MS;
    const excess = this.#tokens.total + tokens - limit;
    return excess <= 0 ? 0 : this.#tokens.waitMs(this.#latest, excess);
  }

  /**
   * Converts the counts of the last minute between log and buckets; a bucket's requests get the bucket's end as time.
   */
  #convert(toBuckets: boolean): void {
    if (!toBuckets) {
      this.#rebuildLog();
      return;
    }
    const requests = new BucketSum(REQUEST_BUCKETS, REQUEST_BUCKET_MS);
    requests.advance(this.#latest);
    for (let n = this.#log.size; n >= 1; n--) {
      requests.add(Math.floor(this.#log.newest(n) / REQUEST_BUCKET_MS), 1);
    }
    this.#requests = requests;
  }

  #rebuildLog(): void {
    const counts = this.#requests;
    this.#requests = null;
    if (counts === null) return;
    this.#log.prune(Number.POSITIVE_INFINITY);
    let surplus = Math.max(0, counts.total - EXACT_RPM);
    counts.forEach((endMs, amount) => {
      const kept = Math.max(0, amount - surplus);
      surplus -= amount - kept;
      for (let i = 0; i < kept; i++) this.#log.push(Math.min(endMs, this.#latest));
    });
    this.#lastSecond = this.#log.size;
  }
}

/** Most windows in memory; about 700 bytes each. */
const MAX_KEYS = 200_000;

/** Exact limits of one process. Source: docs/reliability.md#s2-8, #account-limits. */
export class MemoryLimiter implements Limiter {
  readonly #windows: IdleMap<KeyWindow>;
  readonly #now: MonotonicClock;
  readonly #places: Places;

  constructor(now: MonotonicClock = () => performance.now(), maxKeys = MAX_KEYS, places = new Places()) {
    this.#now = now;
    this.#places = places;

    this.#windows = new IdleMap(maxKeys, IDLE_MS, () => new KeyWindow());
  }

  admit(request: AdmitRequest): Admission {
    const { keyId, limits, tokens, nowMs: now = this.#now() } = request;
    if (!isPlain(request)) return this.admitLevels(request, this.placeOf(request), now);
    const window = this.#windows.get(keyId, now);
    const wait = window.waitMs(now, limits, tokens);
    if (wait > 0) return refusal({ window, limits, running: 0 }, null, "key", [wait, window.violated], now);
    const ticket = this.#recordIn(window, now, request, null);
    return { allowed: true, ticket, state: window.state(now, limits), accountState: null };
  }

  /** As `admit`, where calls at once or the account are limited; `place` is taken when the call is admitted. */
  admitLevels(request: AdmitRequest, place: Place | null, now = this.#now()): Admission {
    const { tokens } = request;
    const key = this.#levelOf(request.keyId, request.limits, now);
    const account = this.#accountOf(request);
    const refused = refusalOf(key, account, (level) => callWait(level, now, tokens), now);
    if (refused !== null) return refused;
    const ticket = this.#recordLevels(request, key, account, now);
    place?.hold();
    return allowed({ ...ticket, place }, this.#counted(key), account && this.#counted(account), now);
  }

  enlarge(ticket: LimitTicket, request: AdmitRequest): Admission {
    this.refund(ticket);
    const now = this.#now();
    const { tokens } = request;
    const key = this.#levelOf(request.keyId, request.limits, now);
    const account = this.#accountOf(request);
    const refused = refusalOf(key, account, (level) => tokenWait(level, now, tokens), now);
    if (refused !== null) return refused;
    const larger = {
      ...ticket,
      bucket: key.window.recordTokens(now, key.limits, tokens),
      reserved: reservation(key.limits, tokens),
      account: account && {
        ...accountTicket(account, account.window.recordTokens(now, account.limits, tokens), tokens),
        store: ticket.account?.store ?? null,
      },
      open: true,
    };
    return allowed(larger, key, account, now);
  }

  /** The place that a call takes when it is admitted; null: neither its key nor its account limits calls at once. */
  placeOf({ keyId, limits, account }: AdmitRequest): Place | null {
    const ofKey = limits.concurrent != null;
    const ofAccount = account?.limits.concurrent != null;
    return ofKey || ofAccount
      ? this.#places.make(ofKey ? keyId : null, account && ofAccount ? account.id : null, account?.id)
      : null;
  }

  /** Counts a request that the shared store admitted, so that the local window is current when the store fails. */
  record(
    request: AdmitRequest,
    store: StoreReservation | null,
    accountStore: StoreReservation | null = null,
    place: Place | null = null,
  ): LimitTicket {
    const now = this.#now();
    if (isPlain(request)) return this.#recordIn(this.#windows.get(request.keyId, now), now, request, store);
    const key = this.#levelOf(request.keyId, request.limits, now);
    const ticket = this.#recordLevels(request, key, this.#accountOf(request), now);
    place?.hold();
    return { ...ticket, store, account: ticket.account && { ...ticket.account, store: accountStore }, place };
  }

  correct(ticket: LimitTicket, actualTokens: number, nowMs?: number): void {
    this.correctNow(ticket, actualTokens, nowMs);
  }

  /** As `correct`; false when the ticket was used before. */
  correctNow(ticket: LimitTicket, actualTokens: number, now = this.#now()): boolean {
    if (!ticket.open) return false;
    ticket.open = false;
    this.#windows.get(ticket.keyId, now).correct(now, ticket.bucket, actualTokens - ticket.reserved);
    const { account } = ticket;
    if (account !== null)
      this.#windows.get(account.id, now).correct(now, account.bucket, actualTokens - account.reserved);
    return true;
  }

  refund(ticket: LimitTicket): void {
    this.correctNow(ticket, 0);
  }

  /** Undoes an admission entirely, request count included. */
  withdraw(ticket: LimitTicket, admittedAtMs: number): void {
    ticket.open = false;
    this.#windows.find(ticket.keyId)?.withdraw(admittedAtMs, ticket.bucket, ticket.reserved);
    const { account } = ticket;
    if (account !== null)
      this.#windows.find(account.id)?.withdraw(account.countedAtMs, account.bucket, account.reserved);
    ticket.place?.release();
  }

  /** When the newest request of a key was counted, on the local clock; `withdraw` needs it. */
  lastTouchedMs(keyId: string): number {
    return this.#windows.find(keyId)?.touchedMs ?? 0;
  }

  async peek(keyId: string, limits: LimitValues): Promise<LimitState> {
    const window = this.#windows.find(keyId) ?? new KeyWindow();
    return stateOf({ window, limits, running: this.#places.count(keyId) }, this.#now());
  }

  async peekAccount(account: AccountLevel | null): Promise<LimitState | null> {
    return account && this.peek(account.id, account.limits);
  }

  status(): LimiterStatus {
    return { backend: "memory", degraded: false, keys: this.#windows.size };
  }

  async close(): Promise<void> {}

  #levelOf(id: string, limits: LimitValues, now: number): Level {
    return { id, window: this.#windows.get(id, now), limits, running: this.#places.count(id) };
  }

  /** The level after a call has taken its place. */
  #counted(level: Level): Level {
    return { ...level, running: this.#places.count(level.id) };
  }

  #accountOf({ account }: AdmitRequest): Level | null {
    if (!account) return null;
    const { id, limits } = account;
    // `get` could delete the key's window, which was obtained before and may still look idle.
    return { id, window: this.#windows.obtain(id), limits, running: this.#places.count(id) };
  }

  /** Counts a request at both levels; its place is not taken here. */
  #recordLevels({ tokens }: AdmitRequest, key: Level, account: Level | null, now: number): LimitTicket {
    return {
      keyId: key.id,
      reserved: reservation(key.limits, tokens),
      bucket: key.window.record(now, key.limits, tokens),
      store: null,
      account: account && accountTicket(account, account.window.record(now, account.limits, tokens), tokens),
      place: null,
      open: true,
    };
  }

  #recordIn(
    window: KeyWindow,
    now: number,
    { keyId, limits, tokens }: AdmitRequest,
    store: StoreReservation | null,
  ): LimitTicket {
    const bucket = window.record(now, limits, tokens);
    const reserved = reservation(limits, tokens);
    return { keyId, reserved, bucket, store, account: null, place: null, open: true };
  }
}
