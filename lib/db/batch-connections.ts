import type { Sql } from "postgres";

/** A batch that runs on a connection that is renewed may end. Units: seconds. */
const RENEW_SECONDS = 1;

/** The connections for ledger batches, one for each lane; lanes count from 0. */
export class BatchConnections {
  readonly #open: () => Sql;
  readonly #clients: Sql[];

  /** Opens them now, so that the first batches need not wait for that; a failure shows later. */
  constructor(lanes: number, open: () => Sql) {
    this.#open = open;
    this.#clients = Array.from({ length: lanes }, open);
    for (const client of this.#clients) client.unsafe("SELECT 1").catch(() => {});
  }

  /** Throws: RangeError when there is no such lane. */
  client(lane: number): Sql {
    const client = this.#clients[lane];
    if (client === undefined) throw new RangeError(`there is no connection ${lane} for ledger batches`);
    return client;
  }

  /** Replaces one connection; what runs on it fails. */
  reset(lane: number): Promise<void> {
    return this.#replace(lane, 0);
  }

  /** Replaces every connection. */
  renew(): void {
    this.#clients.forEach((_, lane) => {
      this.#replace(lane, RENEW_SECONDS).catch(() => {});
    });
  }

  /** Ends every connection. Units: seconds. */
  async end(timeout: number): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end({ timeout })));
  }

  async #replace(lane: number, endSeconds: number): Promise<void> {
    const old = this.client(lane);
    this.#clients[lane] = this.#open();
    await old.end({ timeout: endSeconds });
  }
}
