import type { Sql } from "postgres";
import { endsConnection } from "./database-error";
import { Dial, type DialPause } from "./dial";
import { type ArrayTypes, applyParsers, openClient, type Parameters } from "./driver";
import { readRows } from "./rows";
import { type StatementOptions, type Statements, Transaction } from "./transaction";

/** Server-side bounds of every ordinary statement. Units: milliseconds. Source: docs/reliability.md#s2-10. */
export const bounded = {
  statement_timeout: 2_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 5_000,
};

/** How a connection is opened. */
export interface ConnectOptions {
  url: string;
  parameters: Parameters;
  /** The result of `readArrayTypes`. */
  types: ArrayTypes;
  /** Seconds without a statement after which the connection ends; the next statement connects again. 0 for never. */
  idleSeconds: number;
  /** The pause that all connections to the server share. */
  pause: DialPause;
  /** Called with the error of each statement that failed. */
  onError(error: unknown): void;
  /** Called when the connection was lost, with all that belonged to it. */
  onEnd?(): void;
  /** Called with each notification of a channel on which LISTEN was run. */
  onNotify?(channel: string, payload: string): void;
}

/**
 * One connection to PostgreSQL, and the only place that gives statements to the driver. It connects with its first
 * statement, and again after it was lost.
 * After a failed statement, the driver may go on counting its rows, which puts holes before the rows of the next
 * result. So the next statement is preceded by one whose rows nobody reads, and a lost connection gets a new client.
 * Source: docs/reliability.md#s2-13, docs/adr/0019-rows-after-an-error.md#decision.
 */
export class Connection implements Statements {
  readonly #options: ConnectOptions;
  #client: Sql;
  #dial: Dial;
  /** A statement has failed since the last one that succeeded: the driver may count wrongly. */
  #failed = false;
  /** Incremented when the connection ends; a transaction that began on it is lost. */
  #ended = 0;
  #transaction: Promise<void> | null = null;

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.#dial = new Dial(options.pause);
    this.#client = this.#open(this.#dial);
  }

  /** The connection was lost, or could not be opened: what belonged to it is gone. The next statement connects again. */
  get hasEnded(): boolean {
    return this.#ended > 0;
  }

  /** Runs one statement after any open transaction. Throws: the driver's error, MalformedResultError. */
  query(text: string, params: readonly unknown[], options: StatementOptions = {}): Promise<unknown[]> {
    if (this.#transaction !== null) return this.#transaction.then(() => this.query(text, params, options));
    if (this.#failed) this.#forgetFailedRows();
    return this.#send(text, params, options);
  }

  /**
   * Runs work between BEGIN and COMMIT, or ROLLBACK when it throws; other statements wait. The commands are never
   * prepared, and their answers must be the commands themselves.
   * Throws: what the work throws; CommandRefusedError when the answer to COMMIT is another one.
   */
  async transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    while (this.#transaction !== null) await this.#transaction;
    let end = (): void => {};
    this.#transaction = new Promise((resolve) => {
      end = resolve;
    });
    try {
      if (this.#failed) this.#forgetFailedRows();
      return await new Transaction({
        send: (text, params, options) => this.#send(text, params, options),
        command: (text) => this.#command(text),
        ended: () => this.#ended,
        abandon: () => this.#replaceClient(),
      }).run(work);
    } finally {
      this.#transaction = null;
      end();
    }
  }

  /** Ends the connection; a statement that runs for longer than the time fails. Units: seconds. */
  async end(withinSeconds: number): Promise<void> {
    await this.#client.end({ timeout: withinSeconds });
    this.#dial.end();
  }

  #send(text: string, params: readonly unknown[], { prepare = false, asValues = false }: StatementOptions) {
    const client = this.#client;
    // The driver's parameter type leaves out bigint, which it binds as text.
    const query = client.unsafe(text, params as never[], { prepare });
    // Awaiting its query would create more promises.
    return (asValues ? query.values() : query).then(
      (result) => this.#received(client, result),
      (error: unknown) => {
        this.#fail(client, error);
        throw error;
      },
    );
  }

  #received(client: Sql, result: unknown): unknown[] {
    if (client === this.#client) this.#dial.answered();
    try {
      return readRows(result);
    } catch (error) {
      this.#fail(client, error);
      throw error;
    }
  }

  /** Runs a command by the simple protocol, which prepares nothing. Returns the command tag of the answer. */
  async #command(text: string): Promise<string | null> {
    const client = this.#client;
    try {
      const { command } = await client.unsafe(text);
      if (client === this.#client) this.#dial.answered();
      this.#failed = false; // a command that completes ends the driver's count of rows
      return command;
    } catch (error) {
      this.#fail(client, error);
      throw error;
    }
  }

  #forgetFailedRows(): void {
    this.#failed = false;
    const client = this.#client;
    // Sent together with the next statement, which reports errors of the connection.
    client.unsafe("SELECT 1").catch((error: unknown) => this.#fail(client, error));
  }

  /** An error of the statement leaves the connection usable. Any other error also ends the client. */
  #fail(client: Sql, error: unknown): void {
    this.#options.onError(error);
    if (client !== this.#client) return;
    this.#failed = true;
    if (endsConnection(error)) {
      this.#dial.failed();
      this.#replaceClient();
    } else this.#dial.answered();
  }

  #replaceClient(): void {
    const old = this.#client;
    this.#dial.end();
    this.#dial = new Dial(this.#options.pause);
    this.#client = this.#open(this.#dial);
    this.#failed = false;
    old.end({ timeout: 0 }).catch(() => {}); // the connection has ended already
    this.#countEnd();
  }

  #countEnd(): void {
    this.#ended += 1;
    this.#options.onEnd?.();
  }

  #open(dial: Dial): Sql {
    const { url, parameters, types, idleSeconds, onNotify } = this.#options;
    const onclose = (): void => {
      if (client === this.#client) this.#countEnd();
    };
    const client = openClient(url, {
      parameters,
      dial,
      idle_timeout: idleSeconds,
      fetch_types: false,
      onclose,
      ...(onNotify && { onnotify: onNotify }),
    });
    Object.assign(client.options.parsers, types.parsers);
    Object.assign(client.options.serializers, types.serializers);
    applyParsers(client);
    return client;
  }
}
