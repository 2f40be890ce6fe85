import type { Connection } from "./connection";

/** How long a batch may run on after its connection was replaced. Units: seconds. */
const RENEW_SECONDS = 1;

/** The connections for ledger batches, one for each lane; lanes count from 0. */
export class BatchConnections {
  readonly #open: () => Connection;
  readonly #connections: Connection[];

  /**
   * Opens the connections now, so that the first batches do not wait for them; an error appears with the first batch.
   */
  constructor(lanes: number, open: () => Connection) {
    this.#open = open;
    this.#connections = Array.from({ length: lanes }, open);
    for (const connection of this.#connections) connection.query("SELECT 1", []).catch(() => {});
  }

  /** Throws: RangeError when there is no such lane. */
  at(lane: number): Connection {
    const connection = this.#connections[lane];
    if (connection === undefined) throw new RangeError(`there is no connection ${lane} for ledger batches`);
    return connection;
  }

  /** Replaces one connection; what runs on it fails. */
  reset(lane: number): Promise<void> {
    return this.#replace(lane, 0);
  }

  /** Replaces every connection. */
  renew(): void {
    this.#connections.forEach((_, lane) => {
      this.#replace(lane, RENEW_SECONDS).catch(() => {});
    });
  }

  /** Ends every connection. Units: seconds. */
  async end(withinSeconds: number): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.end(withinSeconds)));
  }

  async #replace(lane: number, endSeconds: number): Promise<void> {
    const old = this.at(lane);
    this.#connections[lane] = this.#open();
    await old.end(endSeconds);
  }
}
