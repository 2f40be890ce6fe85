import { type SentinelAddress, sentinelAddress } from "@/lib/config/redis-address";
import { withDeadline } from "@/lib/kernel/with-deadline";

/** The commands and events of Redis that a limiter uses. */
export interface RedisConnection {
  evalsha(sha: string, keyCount: number, ...rest: string[]): Promise<unknown>;
  eval(source: string, keyCount: number, ...rest: string[]): Promise<unknown>;
  /** Calls the handler each time the connection is ready. */
  onReconnect(handler: () => void): void;
  /** Calls the handler with connection errors; at once with the last one when there is no connection. */
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
    // After a failover the address, or the Sentinels, may lead to another server than the connected one.
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
