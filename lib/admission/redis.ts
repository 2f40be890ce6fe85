import type { AccountLevel } from "@/lib/accounts/account-limits";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { Leases } from "./leases";
import { longerWait } from "./levels";
import {
  type AccountTicket,
  type Admission,
  type AdmitRequest,
  isPlain,
  type Limiter,
  type LimiterStatus,
  type LimitName,
  type LimitState,
  type LimitTicket,
  type MonotonicClock,
  type RateName,
} from "./limiter";
import { MemoryLimiter } from "./memory";
import type { Place } from "./places";
import { type LimitOperation, type LimitReply, RedisCalls, type RedisCallsOptions } from "./redis-calls";
import { connectRedis, type RedisConnection } from "./redis-connection";
import { isClusterRefusal } from "./redis-trouble";
import { Refusals } from "./refusals";
import { StoreBreaker } from "./store-breaker";

const TIMEOUT_MS = 50;
/** How long the check of a new connection may take; no request waits for it. */
const CHECK_MS = 2_000;
/** Enough keys that, in a cluster, some belong to another node. */
const CHECKED_KEYS = 16;
/** How long the limiter counts as degraded after some keys were refused. Units: milliseconds. */
const PARTIAL_MS = 60_000;
const NAMES: readonly LimitName[] = ["qps", "rpm", "tpm", "concurrent"];

/** Dependencies of a shared limiter. */
export interface RedisLimiterOptions {
  /** The number of live processes, this one included. */
  liveReplicas: () => number;
  /** Called when the store becomes unavailable (`false`) or available again (`true`). */
  onAvailability?: (available: boolean, cause: unknown) => void;
  onError?: (error: unknown) => void;
  now?: MonotonicClock;
  /** How long a request waits for the store at most; 50 ms when absent. */
  timeoutMs?: number;
  /** Replaces the server's clock, in microseconds. Tests only. */
  serverTimeUs?: () => number;
}

/**
 * Limits shared by all replicas: one script call for all requests of a turn, on the server's clock. While Redis is unavailable, this
 * process enforces its share of each limit on its local windows, and the last refusals of Redis, including those that
 * arrived after the timeout of their request. Source: docs/reliability.md#s2-8, #d9.
 */
export class RedisLimiter implements Limiter {
  readonly #local: MemoryLimiter;
  readonly #breaker = new StoreBreaker();
  readonly #refusals = new Refusals();
  readonly #now: MonotonicClock;
  readonly #calls: RedisCalls;
  readonly #checks: RedisCalls;
  readonly #leases: Leases;
  #partialUntil = Number.NEGATIVE_INFINITY;
  /** Calls that the end of the connection breaks off are no trouble of the store. */
  #isClosed = false;
  readonly #connection: RedisConnection;
  readonly #options: RedisLimiterOptions;

  constructor(connection: RedisConnection, options: RedisLimiterOptions) {
    this.#connection = connection;
    this.#options = options;

    this.#now = options.now ?? (() => performance.now());
    const callOptions: Omit<RedisCallsOptions, "timeoutMs"> = {
      ...(options.serverTimeUs ? { serverTimeUs: options.serverTimeUs } : {}),
      succeeded: () => {
        if (this.#breaker.succeeded(this.#now())) options.onAvailability?.(true, null);
      },
      failed: (error) => {
        if (this.#isClosed) return;
        if (isClusterRefusal(error)) this.#partialUntil = this.#now() + PARTIAL_MS;
        else if (this.#breaker.failed(this.#now())) options.onAvailability?.(false, error);
      },
      onError: (error) => {
        if (!this.#isClosed) options.onError?.(error);
      },
    };
    this.#calls = new RedisCalls(connection, {
      ...callOptions,
      timeoutMs: () => options.timeoutMs ?? TIMEOUT_MS,
    });
    this.#checks = new RedisCalls(connection, { ...callOptions, timeoutMs: () => CHECK_MS });
    this.#leases = new Leases(this.#calls, () => !this.#breaker.isOpen);
    this.#local = new MemoryLimiter(this.#now, undefined, this.#leases.places);
    connection.onReconnect(() => {
      this.#breaker.storeMayHaveLostState(this.#now());
      void this.check();
    });
    connection.onError((error) => {
      if (this.#isClosed) return;
      options.onError?.(error);
      if (!this.#breaker.isOpen) void this.check();
    });
  }

  admit(request: AdmitRequest): Admission | Promise<Admission> {
    if (this.#breaker.isOpen) {
      this.#probe();
      return this.#admitLocally(request, this.#local.placeOf(request));
    }
    const place = this.#local.placeOf(request);
    if (this.#breaker.enforcesBoth(this.#now())) return this.#admitBoth(request, place);
    return this.#askStore(request, place).then((verdict) => {
      if (verdict === null) return this.#admitLocally(request, place);
      if (!verdict.allowed) return verdict;
      const { store, account } = verdict.ticket;
      return { ...verdict, ticket: this.#local.record(request, store, account?.store, place) };
    });
  }

  async enlarge(ticket: LimitTicket, request: AdmitRequest): Promise<Admission> {
    const { keyId, limits, account, tokens } = request;
    const { store } = ticket;
    if (store === null || this.#breaker.isOpen) return this.#local.enlarge(ticket, this.#share(request));
    // Both operations are sent in one call.
    this.#correctStore(ticket, 0);
    const reply = await this.#calls.run(operationOf("enlarge", request, null));
    if (reply === null) return this.#local.enlarge({ ...ticket, store: null }, this.#share(request));
    const verdict = admissionOf(reply, request);
    if (!verdict.allowed) {
      this.#local.refund(ticket);
      return verdict;
    }
    const unlimited = account ? { ...account, limits: { ...account.limits, tpm: null } } : null;
    const local = this.#local.enlarge(ticket, {
      keyId,
      limits: { ...limits, tpm: null },
      account: unlimited,
      tokens,
    });
    return local.allowed ? { ...verdict, ticket: withStore(local.ticket, verdict.ticket) } : local;
  }

  correct(ticket: LimitTicket, actualTokens: number): void {
    if (!this.#local.correctNow(ticket, actualTokens) || ticket.store === null || this.#breaker.isOpen)
      return;
    this.#correctStore(ticket, actualTokens);
  }

  refund(ticket: LimitTicket): void {
    this.correct(ticket, 0);
  }

  async peek(keyId: string, limits: LimitValues, account: AccountLevel | null = null): Promise<LimitState> {
    // The account's windows are not read; its id determines in which slot a cluster keeps the key.
    const operation = { ...operationOf("peek", { keyId, limits, tokens: 0 }, null), accountId: account?.id };
    const reply = this.#breaker.isOpen ? null : await this.#calls.run(operation);
    return reply === null ? this.#local.peek(keyId, limits) : stateOf(reply, limits);
  }

  async peekAccount(account: AccountLevel | null): Promise<LimitState | null> {
    return account && this.peek(account.id, account.limits);
  }

  /** Renews the places of running calls, as the limiter does by itself while some run. */
  renewPlaces(): void {
    this.#leases.renew();
  }

  status(): LimiterStatus {
    const degraded = this.#breaker.isOpen || this.#now() < this.#partialUntil;
    return { backend: "redis", degraded, keys: this.#local.status().keys };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leases.close();
    this.#connection.close();
  }

  #admitLocally(request: AdmitRequest, place: Place | null): Admission {
    const refused = this.#refusals.find(request, this.#now());
    if (refused !== null) return refused;
    const share = this.#share(request);
    return isPlain(share) ? this.#local.admit(share) : this.#local.admitLevels(share, place);
  }

  /**
   * After an outage the local share is enforced too. It is counted first, so that parallel requests are counted as
   * well.
   */
  async #admitBoth(request: AdmitRequest, place: Place | null): Promise<Admission> {
    const share = this.#share(request);
    const localAdmission = isPlain(share) ? this.#local.admit(share) : this.#local.admitLevels(share, place);
    if (!localAdmission.allowed) return localAdmission;
    const countedAtMs = this.#local.lastTouchedMs(request.keyId);
    const verdict = await this.#askStore(request, place);
    if (verdict === null) return localAdmission;
    if (!verdict.allowed) {
      this.#local.withdraw(localAdmission.ticket, countedAtMs);
      return verdict;
    }
    return { ...verdict, ticket: withStore(localAdmission.ticket, verdict.ticket) };
  }

  /** The store's decision; null without an answer in time. Its ticket has only the store's reservations. */
  #askStore(request: AdmitRequest, place: Place | null): Promise<Admission | null> {
    const read = (reply: LimitReply): Admission => {
      const verdict = admissionOf(reply, request);
      if (verdict.allowed) this.#refusals.forget(request);
      else this.#refusals.remember(request, verdict, this.#now());
      return verdict;
    };
    const late = (reply: LimitReply): void => {
      // The store has counted a place for a call that was refused meanwhile.
      if (read(reply).allowed && place !== null && !place.held) this.#leases.leave(place);
    };
    const operation = operationOf("admit", request, place);
    return this.#calls.run(operation, late).then((reply) => (reply === null ? null : read(reply)));
  }

  /** Corrects what the store has counted for a ticket. */
  #correctStore({ keyId, store, account }: LimitTicket, actualTokens: number): void {
    if (store !== null) this.#calls.correct(keyId, store.bucket, actualTokens - store.reserved, account?.id);
    if (account?.store)
      this.#calls.correct(account.id, account.store.bucket, actualTokens - account.store.reserved);
  }

  #share({ keyId, limits, account, tokens }: AdmitRequest): AdmitRequest {
    const replicas = this.#options.liveReplicas();
    return {
      keyId,
      limits: localShare(limits, replicas),
      account: account ? { ...account, limits: localShare(account.limits, replicas) } : null,
      tokens,
    };
  }

  /** Calls the store with keys of no caller, so that a failing store is detected before a request needs it. */
  async check(): Promise<void> {
    await Promise.all(
      Array.from({ length: CHECKED_KEYS }, (_, key) => this.#checks.run(probeOf(`probe${key}`))),
    );
  }

  /** Probes the store in the background, so that no request waits for an unavailable store. */
  #probe(): void {
    if (!this.#breaker.takeProbe(this.#now())) return;
    void this.#calls.run(probeOf("probe"));
  }
}

/** An admission of a test key. */
function probeOf(keyId: string): LimitOperation {
  return operationOf("admit", { keyId, limits: { qps: null, rpm: null, tpm: null }, tokens: 0 }, null);
}

/** Connects to Redis and creates the limiter, which starts degraded when the server does not work. */
export async function openRedisLimiter(url: string, options: RedisLimiterOptions): Promise<RedisLimiter> {
  const limiter = new RedisLimiter(await connectRedis(url), options);
  await limiter.check();
  return limiter;
}

/**
 * The share of each limit that one of `replicas` processes may admit alone; at least 1.
 * Source: docs/reliability.md#s2-8.
 */
function localShare(limits: LimitValues, replicas: number): LimitValues {
  const share = (limit: number | null) =>
    limit === null ? null : Math.max(1, Math.floor(limit / Math.max(1, replicas)));
  const { qps, rpm, tpm, concurrent = null } = limits;
  return { qps: share(qps), rpm: share(rpm), tpm: share(tpm), concurrent: share(concurrent) };
}

/** How many numbers the script returns for a key, and again for its account. */
const REPLY_SIZE = 12;

/** Reads the script's reply; the ticket has only the store's reservations. */
function admissionOf(reply: LimitReply, request: AdmitRequest): Admission {
  const { keyId, limits, account } = request;
  const [isAllowed = 0, violated = 0, waitUs = 0, bucket = 0, reserved = 0] = reply;
  const ofAccount = account ? reply.slice(REPLY_SIZE) : null;
  const state = stateOf(reply, limits);
  const accountState = account && ofAccount ? stateOf(ofAccount, account.limits) : null;
  if (isAllowed === 1) {
    const store = { bucket, reserved };
    const ticket = { keyId, reserved, bucket, store, place: null, open: true };
    return {
      allowed: true,
      state,
      accountState,
      ticket: { ...ticket, account: account && ofAccount ? accountTicketOf(account.id, ofAccount) : null },
    };
  }
  const [, accountViolated = 0, accountWaitUs = 0] = ofAccount ?? [];
  const level = longerWait(waitUs, accountWaitUs);
  return {
    allowed: false,
    violated: NAMES[(level === "account" ? accountViolated : violated) - 1] ?? "rpm",
    level,
    retryAfterMs: Math.ceil(Math.max(waitUs, accountWaitUs) / 1_000),
    state,
    accountState,
  };
}

function accountTicketOf(id: string, [, , , bucket = 0, reserved = 0]: LimitReply): AccountTicket {
  return { id, reserved, bucket, countedAtMs: 0, store: { bucket, reserved } };
}

/** A local ticket with the store's reservations of another one. */
function withStore(local: LimitTicket, { store, account }: LimitTicket): LimitTicket {
  return { ...local, store, account: local.account && { ...local.account, store: account?.store ?? null } };
}

function operationOf(
  op: "admit" | "enlarge" | "peek",
  request: AdmitRequest,
  place: Place | null,
): LimitOperation {
  const { keyId, limits, account, tokens } = request;
  const values = [limits.qps ?? -1, limits.rpm ?? -1, limits.tpm ?? -1, tokens] as const;
  if (isPlain(request)) return { op, keyId, values };
  const further = {
    concurrent: limits.concurrent ?? -1,
    placeId: place?.id ?? null,
    account: account ? accountArguments(account.limits) : null,
  };
  return { op, keyId, values, accountId: account?.id, further };
}

function accountArguments({ qps, rpm, tpm, concurrent }: LimitValues): [number, number, number, number] {
  return [qps ?? -1, rpm ?? -1, tpm ?? -1, concurrent ?? -1];
}

function stateOf(reply: LimitReply, limits: LimitValues): LimitState {
  const use = (name: RateName, at: number) => ({
    limit: limits[name],
    used: reply[at] ?? 0,
    resetMs: Math.ceil((reply[at + 1] ?? 0) / 1_000),
  });
  const state = { qps: use("qps", 5), rpm: use("rpm", 7), tpm: use("tpm", 9) };
  const { concurrent } = limits;
  return concurrent == null ? state : { ...state, concurrent: { limit: concurrent, used: reply[11] ?? 0 } };
}
