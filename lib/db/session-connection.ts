import type { Connection } from "./connection";
import type { StatementOptions, Statements } from "./transaction";

/** The connection of a session ended, and with it its locks and settings. */
class SessionLostError extends Error {
  readonly code = "08006";

  constructor() {
    super("the connection to the database ended inside a session, whose locks and settings are lost");
    this.name = "SessionLostError";
  }
}

/**
 * The statements of a session, all on one connection: a new one would lack the session's locks and settings. They run
 * one after the other, because the driver would send a queued statement on the next connection.
 * Throws: SessionLostError after the connection ended; as `Connection`. Source: docs/reliability.md#s2-13.
 */
export class SessionConnection implements Statements {
  readonly #connection: Connection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  query(text: string, params: readonly unknown[], options?: StatementOptions): Promise<unknown[]> {
    return this.#inTurn(() => this.#connection.query(text, params, options));
  }

  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#connection.transaction(work));
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const start = (): Promise<T> =>
      this.#connection.hasEnded ? Promise.reject(new SessionLostError()) : run();
    const answer = this.#last.then(start, start);
    this.#last = answer;
    return answer;
  }
}
