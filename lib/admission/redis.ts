import type { LimitValues } from "@/lib/db/schema/accounts";
import {
  type Admission,
  type AdmitRequest,
  type Limiter,
  type LimiterStatus,
  type LimitName,
  type LimitState,
  type LimitTicket,
  type MonotonicClock,
  Refusals,
} from "./limiter";
import { MemoryLimiter } from "./memory";
import { type LimitReply, RedisCalls, type RedisCallsOptions } from "./redis-calls";
import { connectRedis, type RedisConnection, StoreBreaker } from "./redis-connection";
import { isClusterRefusal } from "./redis-trouble";

const TIMEOUT_MS = 50;
/** How long the check of a new connection may take; no request waits for it. */
const CHECK_MS = 2_000;
/** Keys enough that some belong to another node, where the server is one of a cluster. */
const CHECKED_KEYS = 16;
/** For so long after the last refusal some keys count as limited by the local share. */
const PARTIAL_MS = 60_000;
const NAMES: readonly LimitName[] = ["qps", "rpm", "tpm"];

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
 * process enforces its share of each limit on its local window, and the last refusals of Redis, including those that
 * arrived after the timeout of their request. Source: docs/reliability.md#s2-8, #d9.
 */
export class RedisLimiter implements Limiter {
  private readonly local: MemoryLimiter;
  private readonly breaker = new StoreBreaker();
  private readonly refusals = new Refusals();
  private readonly now: MonotonicClock;
  private readonly calls: RedisCalls;
  private readonly checks: RedisCalls;
  private partialUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly connection: RedisConnection,
    private readonly options: RedisLimiterOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.local = new MemoryLimiter(this.now);
    const callOptions: Omit<RedisCallsOptions, "timeoutMs"> = {
      ...(options.serverTimeUs ? { serverTimeUs: options.serverTimeUs } : {}),
      succeeded: () => {
        if (this.breaker.succeeded(this.now())) options.onAvailability?.(true, null);
      },
      failed: (error) => {
        if (isClusterRefusal(error)) this.partialUntil = this.now() + PARTIAL_MS;
        else if (this.breaker.failed(this.now())) options.onAvailability?.(false, error);
      },
      onError: (error) => options.onError?.(error),
    };
    this.calls = new RedisCalls(connection, {
      ...callOptions,
      timeoutMs: () => options.timeoutMs ?? TIMEOUT_MS,
    });
    this.checks = new RedisCalls(connection, { ...callOptions, timeoutMs: () => CHECK_MS });
    connection.onReconnect(() => {
      this.breaker.storeMayHaveLostState(this.now());
      void this.check();
    });
    connection.onError((error) => {
      options.onError?.(error);
      if (!this.breaker.isOpen) void this.check();
    });
  }

  admit(request: AdmitRequest): Admission | Promise<Admission> {
    if (this.breaker.isOpen) {
      this.probe();
      return this.admitLocally(request);
    }
    if (this.breaker.enforcesBoth(this.now())) return this.admitBoth(request);
    return this.askStore(request).then((verdict) => {
      if (verdict === null) return this.admitLocally(request);
      if (!verdict.allowed) return verdict;
      return { ...verdict, ticket: this.local.record(request, verdict.ticket.store) };
    });
  }

  async enlarge(ticket: LimitTicket, request: AdmitRequest): Promise<Admission> {
    const { keyId, limits, tokens } = request;
    const { store } = ticket;
    if (store === null || this.breaker.isOpen) return this.local.enlarge(ticket, this.share(request));
    // Both go out in one call.
    this.calls.correct(keyId, store.bucket, -store.reserved);
    const reply = await this.calls.run({ op: "enlarge", keyId, values: limitArguments(limits, tokens) });
    if (reply === null) return this.local.enlarge({ ...ticket, store: null }, this.share(request));
    const verdict = admissionOf(reply, keyId, limits);
    if (!verdict.allowed) {
      this.local.refund(ticket);
      return verdict;
    }
    const local = this.local.enlarge(ticket, { keyId, limits: { ...limits, tpm: null }, tokens });
    return local.allowed ? { ...verdict, ticket: { ...local.ticket, store: verdict.ticket.store } } : local;
  }

  correct(ticket: LimitTicket, actualTokens: number): void {
    if (!this.local.correctNow(ticket, actualTokens) || ticket.store === null || this.breaker.isOpen) return;
    const { bucket, reserved } = ticket.store;
    this.calls.correct(ticket.keyId, bucket, actualTokens - reserved);
  }

  refund(ticket: LimitTicket): void {
    this.correct(ticket, 0);
  }

  async peek(keyId: string, limits: LimitValues): Promise<LimitState> {
    const values = limitArguments(limits, 0);
    const reply = this.breaker.isOpen ? null : await this.calls.run({ op: "peek", keyId, values });
    return reply === null ? this.local.peek(keyId, limits) : stateOf(reply, limits);
  }

  status(): LimiterStatus {
    const degraded = this.breaker.isOpen || this.now() < this.partialUntil;
    return { backend: "redis", degraded, keys: this.local.status().keys };
  }

  async close(): Promise<void> {
    this.connection.close();
  }

  private admitLocally(request: AdmitRequest): Admission {
    return this.refusals.find(request, this.now()) ?? this.local.admit(this.share(request));
  }

  /** After an outage the local share is enforced too; it is counted first, so that parallel requests see it. */
  private async admitBoth(request: AdmitRequest): Promise<Admission> {
    const localAdmission = this.local.admit(this.share(request));
    if (!localAdmission.allowed) return localAdmission;
    const countedAtMs = this.local.lastTouchedMs(request.keyId);
    const verdict = await this.askStore(request);
    if (verdict === null) return localAdmission;
    if (!verdict.allowed) {
      this.local.withdraw(localAdmission.ticket, countedAtMs);
      return verdict;
    }
    return { ...verdict, ticket: { ...localAdmission.ticket, store: verdict.ticket.store } };
  }

  /** The store's decision; null without an answer in time. Its ticket has only the store's reservation. */
  private askStore(request: AdmitRequest): Promise<Admission | null> {
    const { keyId, limits, tokens } = request;
    const read = (reply: LimitReply): Admission => {
      const verdict = admissionOf(reply, keyId, limits);
      if (verdict.allowed) this.refusals.forget(keyId);
      else this.refusals.remember(request, verdict, this.now());
      return verdict;
    };
    const operation = { op: "admit", keyId, values: limitArguments(limits, tokens) } as const;
    return this.calls.run(operation, read).then((reply) => (reply === null ? null : read(reply)));
  }

  private share({ keyId, limits, tokens }: AdmitRequest): AdmitRequest {
    return { keyId, limits: localShare(limits, this.options.liveReplicas()), tokens };
  }

  /** Asks the store about keys of no caller, so that a store that does not do its work is known before a request needs it. */
  async check(): Promise<void> {
    const values = limitArguments({ qps: null, rpm: null, tpm: null }, 0);
    await Promise.all(
      Array.from({ length: CHECKED_KEYS }, (_, key) =>
        this.checks.run({ op: "admit", keyId: `probe${key}`, values }),
      ),
    );
  }

  /** Probes the store in the background, so that no request waits for an unavailable store. */
  private probe(): void {
    if (!this.breaker.takeProbe(this.now())) return;
    const values = limitArguments({ qps: null, rpm: null, tpm: null }, 0);
    void this.calls.run({ op: "admit", keyId: "probe", values });
  }
}

/** Connects to Redis and creates the limiter; it starts degraded when the server does not do its work. */
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
  return { qps: share(limits.qps), rpm: share(limits.rpm), tpm: share(limits.tpm) };
}

/** Reads the script's reply; the ticket has only the store's reservation. */
function admissionOf(reply: LimitReply, keyId: string, limits: LimitValues): Admission {
  const [allowed = 0, violated = 0, waitUs = 0, bucket = 0, reserved = 0] = reply;
  const state = stateOf(reply, limits);
  if (allowed === 1) {
    const store = { bucket, reserved };
    return { allowed: true, state, ticket: { keyId, reserved, bucket, store, open: true } };
  }
  return {
    allowed: false,
    violated: NAMES[violated - 1] ?? "rpm",
    retryAfterMs: Math.ceil(waitUs / 1_000),
    state,
  };
}

function limitArguments(limits: LimitValues, tokens: number): [number, number, number, number] {
  return [limits.qps ?? -1, limits.rpm ?? -1, limits.tpm ?? -1, tokens];
}

function stateOf(reply: LimitReply, limits: LimitValues): LimitState {
  const use = (name: LimitName, at: number) => ({
    limit: limits[name],
    used: reply[at] ?? 0,
    resetMs: Math.ceil((reply[at + 1] ?? 0) / 1_000),
  });
  return { qps: use("qps", 5), rpm: use("rpm", 7), tpm: use("tpm", 9) };
}
