/** The two commands a limiter needs from Redis, and what it must hear of. */
export interface RedisConnection {
  evalsha(sha: string, keyCount: number, ...rest: string[]): Promise<unknown>;
  eval(source: string, keyCount: number, ...rest: string[]): Promise<unknown>;
  /** Calls back each time the connection is ready again after it was lost. */
  onReconnect(handler: () => void): void;
  /** Calls back with connection errors. */
  onError(handler: (error: Error) => void): void;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_MAX_MS = 1_000;
/** A peer that went away without a word is given up after this long with an answer outstanding. */
const SOCKET_TIMEOUT_MS = 5_000;

/**
 * Connects in the background; commands fail at once while there is no connection, and are never sent twice.
 * The driver is loaded only here. Never rejects because the server is away. Source: docs/reliability.md#s2-8.
 */
export async function connectRedis(url: string): Promise<RedisConnection> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(RECONNECT_MAX_MS, 50 * times),
  });
  const errorHandlers: ((error: Error) => void)[] = [];
  client.on("error", (error: Error) => {
    for (const handler of errorHandlers) handler(error);
  });
  // The driver reports the failure as an error event too, and goes on trying.
  await client.connect().catch(() => undefined);
  return {
    evalsha: (sha, keyCount, ...rest) => client.evalsha(sha, keyCount, ...rest),
    eval: (source, keyCount, ...rest) => client.eval(source, keyCount, ...rest),
    onReconnect: (handler) => client.on("ready", handler),
    onError: (handler) => errorHandlers.push(handler),
    close: () => client.disconnect(),
  };
}
