import { type SentinelAddress, sentinelAddress } from "@/lib/config/redis-address";
import { withDeadline } from "@/lib/kernel/clock";

/** The commands and events of Redis that a limiter needs. */
export interface RedisConnection {
  evalsha(sha: string, keyCount: number, ...rest: string[]): Promise<unknown>;
  eval(source: string, keyCount: number, ...rest: string[]): Promise<unknown>;
  /** Calls the handler each time the connection is ready. */
  onReconnect(handler: () => void): void;
  /** Calls the handler with connection errors, at once with the last one when there is no connection. */
  onError(handler: (error: Error) => void): void;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_MAX_MS = 1_000;
/** How long a start waits for the first connection: with Sentinels it takes several. */
const FIRST_CONNECTION_MS = 2_000;
/** A connection without an answer for this long is closed. */
const SOCKET_TIMEOUT_MS = 5_000;

/**
 * Connects in the background; commands fail at once while there is no connection, and are never sent twice.
 * The driver is loaded only here. Does not reject when the server is unavailable. Source: docs/reliability.md#s2-8.
 */
export async function connectRedis(url: string): Promise<RedisConnection> {
  const { Redis } = await import("ioredis");
  const retryStrategy = (times: number) => Math.min(RECONNECT_MAX_MS, 50 * times);
  const options = {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy,
    sentinelRetryStrategy: retryStrategy,
    // After a failover the address, or the Sentinels, may name another server than the one connected to.
    reconnectOnError: ({ message }: Error) => message.startsWith("READONLY"),
  };
  const sentinel = sentinelAddress(url);
  const client =
    sentinel === null ? new Redis(url, options) : new Redis({ ...options, ...sentinelOptions(sentinel) });
  const errorHandlers: ((error: Error) => void)[] = [];
  let lastError: Error | null = null;
  client.on("ready", () => {
    lastError = null;
  });
  client.on("error", (error: Error) => {
    lastError = error;
    for (const handler of errorHandlers) handler(error);
  });
  // The driver also emits the failure as an error event and continues to connect.
  await withDeadline(client.connect(), FIRST_CONNECTION_MS).catch(() => undefined);
  return {
    evalsha: (sha, keyCount, ...rest) => client.evalsha(sha, keyCount, ...rest),
    eval: (source, keyCount, ...rest) => client.eval(source, keyCount, ...rest),
    onReconnect: (handler) => client.on("ready", handler),
    onError: (handler) => {
      errorHandlers.push(handler);
      if (lastError !== null) handler(lastError);
    },
    close: () => client.disconnect(),
  };
}

function sentinelOptions({ tls, ...address }: SentinelAddress) {
  return tls ? { ...address, tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : address;
}

const FAILURES = 3;
const PROBE_INTERVAL_MS = 1_000;
const ENFORCE_BOTH_MS = 60_000;

/**
 * The circuit breaker of the shared store: opens after three failures in a row and is probed once a second. After a
 * recovery the store may have lost its state, so store and local share are both enforced for a minute.
 * Units: milliseconds.
 * Source: docs/reliability.md#s2-8.
 */
export class StoreBreaker {
  private failures = 0;
  private open = false;
  private nextProbeAt = 0;
  private bothUntil = Number.NEGATIVE_INFINITY;

  get isOpen(): boolean {
    return this.open;
  }

  /** True once a second while open. */
  takeProbe(now: number): boolean {
    if (!this.open || now < this.nextProbeAt) return false;
    this.nextProbeAt = now + PROBE_INTERVAL_MS;
    return true;
  }

  /** True while the local share is enforced in addition to the store. */
  enforcesBoth(now: number): boolean {
    return now < this.bothUntil;
  }

  /** Returns true when this closed an open breaker. */
  succeeded(now: number): boolean {
    this.failures = 0;
    if (!this.open) return false;
    this.open = false;
    this.storeMayHaveLostState(now);
    return true;
  }

  /** Returns true when this opened the breaker. */
  failed(now: number): boolean {
    this.failures += 1;
    if (this.open || this.failures < FAILURES) return false;
    this.open = true;
    this.nextProbeAt = now + PROBE_INTERVAL_MS;
    return true;
  }

  /** Enforces both for a minute; called after a reconnect. */
  storeMayHaveLostState(now: number): void {
    this.bothUntil = now + ENFORCE_BOTH_MS;
  }
}
