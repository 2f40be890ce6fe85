import type { Connection } from "./connection";
import { firstAnswer } from "./driver";

/** What listens to a channel. */
interface Subscriber {
  readonly handle: (payload: string) => void;
  readonly missed: () => void;
}

/** Events of a listener's connection. */
export interface ListenerEvents {
  onNotify(channel: string, payload: string): void;
  onEnd(): void;
}

/** Units: milliseconds. */
const RETRY_MS = 1_000;
/** How often the server is asked whether the connection works: its answer comes behind all notifications before it. */
const CONFIRM_MS = 1_000;
/** A connection that leaves so many questions without an answer is replaced; a blocked process asks none meanwhile. */
const MOST_UNANSWERED = 5;

/**
 * The connection for notifications. When it ends, or gives no answer, all channels are subscribed again on a new one, at
 * once and then every second until that succeeds; `renew` does so while the old one still works. Notifications between
 * the two are lost, which subscribers are told.
 */
export class Listener {
  readonly #open: (events: ListenerEvents) => Connection;
  #connection: Connection;
  /** The connection on which all channels are subscribed; null until then. */
  #subscribed: Connection | null = null;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #heardUntilMs = Number.NEGATIVE_INFINITY;
  /** How often the answer to the last question was missing when the next one was due; null: it has come. */
  #unanswered: number | null = null;
  readonly #confirming: NodeJS.Timeout;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(open: (events: ListenerEvents) => Connection) {
    this.#open = open;
    this.#connection = this.#connect();
    this.#confirming = setInterval(() => this.#confirm(), CONFIRM_MS);
    this.#confirming.unref();
  }

  /** Every notification that was sent before this moment has been handled. Units: milliseconds of the monotonic clock. */
  get heardUntilMs(): number {
    return this.#heardUntilMs;
  }

  /**
   * Calls the handler with each payload, and `missed` when some may have been lost; the result ends the subscription and
   * never rejects. Throws: the driver's error.
   */
  async listen(
    channel: string,
    handle: (payload: string) => void,
    missed = () => {},
  ): Promise<() => Promise<void>> {
    const subscriber = { handle, missed };
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers.add(subscriber));
    const connection = this.#connection;
    try {
      await connection.query(`LISTEN ${quoted(channel)}`, []);
    } catch (error) {
      this.#forget(channel, subscriber);
      throw error;
    }
    if (connection === this.#connection) {
      this.#subscribed = connection;
      this.#confirm();
    }
    return async () => {
      if (!this.#forget(channel, subscriber)) return;
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
    this.#heardUntilMs = Number.NEGATIVE_INFINITY;
    this.#unanswered = null;
    old.end(0).catch(() => {}); // the connection may have ended already
    this.#subscribe(connection).then(
      () => {
        if (connection === this.#connection) this.#resume(connection);
      },
      () => {
        if (connection === this.#connection) this.#renewAfter(RETRY_MS);
      },
    );
  }

  /** Ends the connection. Units: seconds. */
  async end(withinSeconds: number): Promise<void> {
    this.#closed = true;
    clearInterval(this.#confirming);
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#connection.end(withinSeconds);
  }

  /** Subscribed again: what was sent meanwhile is lost. */
  #resume(connection: Connection): void {
    this.#subscribed = connection;
    for (const subscribers of this.#subscribers.values()) for (const { missed } of subscribers) missed();
    this.#confirm();
  }

  /** Asks whether the connection works, one question at a time; replaces it when the answer does not come. */
  #confirm(): void {
    const connection = this.#subscribed;
    if (connection === null) return;
    if (this.#unanswered !== null) {
      this.#unanswered += 1;
      if (this.#unanswered >= MOST_UNANSWERED) this.renew();
      return;
    }
    this.#unanswered = 0;
    const askedAtMs = performance.now();
    connection.query("SELECT 1", []).then(
      () => this.#confirmed(connection, askedAtMs),
      () => {}, // its end renews it
    );
  }

  #confirmed(connection: Connection, askedAtMs: number): void {
    if (connection !== this.#subscribed) return;
    this.#heardUntilMs = askedAtMs;
    this.#unanswered = null;
  }

  #connect(): Connection {
    const connection = this.#open({
      onNotify: (channel, payload) => {
        if (connection !== this.#connection) return;
        for (const { handle } of this.#subscribers.get(channel) ?? []) handle(payload);
      },
      onEnd: () => {
        if (connection === this.#subscribed) this.#renewAfter(0);
      },
    });
    return connection;
  }

  async #subscribe(connection: Connection): Promise<void> {
    const channels = [...this.#subscribers.keys()];
    await firstAnswer(
      Promise.all(channels.map((channel) => connection.query(`LISTEN ${quoted(channel)}`, []))),
    );
  }

  /** Returns whether nothing listens to the channel any more. */
  #forget(channel: string, subscriber: Subscriber): boolean {
    const subscribers = this.#subscribers.get(channel);
    if (!subscribers?.delete(subscriber) || subscribers.size > 0) return false;
    return this.#subscribers.delete(channel);
  }

  /** Does nothing when a renewal is already scheduled. Units: milliseconds. */
  #renewAfter(delayMs: number): void {
    if (this.#closed || this.#retry !== null || this.#subscribers.size === 0) return;
    this.#retry = setTimeout(() => this.renew(), delayMs);
    this.#retry.unref();
  }
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}
