import type { Sql } from "postgres";

interface Subscription {
  readonly channel: string;
  readonly handler: (payload: string) => void;
  unlisten(): Promise<void>;
}

/** Units: milliseconds. */
const RETRY_MS = 1_000;

/**
 * The connection for notifications. The driver subscribes again when the connection ends; `renew` moves the
 * subscriptions to a new connection while the old one still works.
 */
export class Listener {
  readonly #open: () => Sql;
  #client: Sql;
  readonly #subscriptions = new Set<Subscription>();
  #retry: NodeJS.Timeout | null = null;

  constructor(open: () => Sql) {
    this.#open = open;
    this.#client = open();
  }

  /** Calls the handler with each payload; the result ends the subscription. Throws: the driver's error. */
  async listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    const subscription: Subscription = { channel, handler, unlisten: async () => {} };
    await this.#subscribe(subscription);
    this.#subscriptions.add(subscription);
    return async () => {
      this.#subscriptions.delete(subscription);
      await subscription.unlisten();
    };
  }

  /** Subscribes on a new connection and ends the old one. Notifications between the two are lost. */
  renew(): void {
    const old = this.#client;
    const client = this.#open();
    this.#client = client;
    old.end({ timeout: 0 }).catch(() => {});
    const all = [...this.#subscriptions].map((subscription) => this.#subscribe(subscription));
    Promise.all(all).catch(() => {
      if (this.#client === client) this.#renewLater();
    });
  }

  /** Ends the connection. Units: seconds. */
  async end(timeout: number): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#subscriptions.clear();
    await this.#client.end({ timeout });
  }

  async #subscribe(subscription: Subscription): Promise<void> {
    const { unlisten } = await this.#client.listen(subscription.channel, subscription.handler);
    subscription.unlisten = async () => {
      await unlisten();
    };
  }

  #renewLater(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#subscriptions.size === 0) return;
    this.#retry = setTimeout(() => this.renew(), RETRY_MS);
    this.#retry.unref();
  }
}
