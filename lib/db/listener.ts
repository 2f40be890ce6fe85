import type { Connection } from "./connection";
import { firstAnswer } from "./driver";

type Handler = (payload: string) => void;

/** Events of a listener's connection. */
export interface ListenerEvents {
  onNotify(channel: string, payload: string): void;
  onEnd(): void;
}

/** Units: milliseconds. */
const RETRY_MS = 1_000;

/**
 * The connection for notifications. When it ends, all channels are subscribed again on a new one, at once and then every
 * second until that succeeds; `renew` does so while the old one still works. Notifications between the two are lost.
 */
export class Listener {
  readonly #open: (events: ListenerEvents) => Connection;
  #connection: Connection;
  /** The connection on which all channels are subscribed; null until then. */
  #subscribed: Connection | null = null;
  readonly #handlers = new Map<string, Set<Handler>>();
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(open: (events: ListenerEvents) => Connection) {
    this.#open = open;
    this.#connection = this.#connect();
  }

  /** Calls the handler with each payload; the result ends the subscription and never rejects. Throws: the driver's error. */
  async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    const connection = this.#connection;
    try {
      await connection.query(`LISTEN ${quoted(channel)}`, []);
    } catch (error) {
      this.#forget(channel, handler);
      throw error;
    }
    if (connection === this.#connection) this.#subscribed = connection;
    return async () => {
      if (!this.#forget(channel, handler)) return;
      // The end of a connection ends its subscriptions too.
      await this.#connection.query(`UNLISTEN ${quoted(channel)}`, []).catch(() => {});
    };
  }

  /** Subscribes on a new connection and ends the old one. */
  renew(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    const old = this.#connection;
    const connection = this.#connect();
    this.#connection = connection;
    this.#subscribed = null;
    old.end(0).catch(() => {}); // the connection may have ended already
    this.#subscribe(connection).then(
      () => {
        if (connection === this.#connection) this.#subscribed = connection;
      },
      () => {
        if (connection === this.#connection) this.#renewAfter(RETRY_MS);
      },
    );
  }

  /** Ends the connection. Units: seconds. */
  async end(withinSeconds: number): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#connection.end(withinSeconds);
  }

  #connect(): Connection {
    const connection = this.#open({
      onNotify: (channel, payload) => {
        if (connection !== this.#connection) return;
        for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
      },
      onEnd: () => {
        if (connection === this.#subscribed) this.#renewAfter(0);
      },
    });
    return connection;
  }

  async #subscribe(connection: Connection): Promise<void> {
    const channels = [...this.#handlers.keys()];
    await firstAnswer(
      Promise.all(channels.map((channel) => connection.query(`LISTEN ${quoted(channel)}`, []))),
    );
  }

  /** Returns whether the channel has no handler left. */
  #forget(channel: string, handler: Handler): boolean {
    const handlers = this.#handlers.get(channel);
    if (!handlers?.delete(handler) || handlers.size > 0) return false;
    return this.#handlers.delete(channel);
  }

  /** Does nothing when a renewal is already scheduled. Units: milliseconds. */
  #renewAfter(delayMs: number): void {
    if (this.#closed || this.#retry !== null || this.#handlers.size === 0) return;
    this.#retry = setTimeout(() => this.renew(), delayMs);
    this.#retry.unref();
  }
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}
