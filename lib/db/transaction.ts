/** How one statement is sent. */
export interface StatementOptions {
  /** The statement stays prepared on its connection. */
  prepare?: boolean;
  /** Rows are lists of values. */
  asValues?: boolean;
}

/** Runs statements, and transactions of statements: those inside a transaction are savepoints. */
export interface Statements {
  query(text: string, params: readonly unknown[], options?: StatementOptions): Promise<unknown[]>;
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>;
}

/** What a transaction needs of its connection. */
export interface TransactionConnection {
  send(text: string, params: readonly unknown[], options: StatementOptions): Promise<unknown[]>;
  /** Returns the command tag of the answer. */
  command(text: string): Promise<string | null>;
  /** Another number than at the beginning: the connection ended meanwhile, and the transaction with it. */
  ended(): number;
  /** Ends the connection, on which the transaction may still be open. */
  abandon(): void;
}

/**
 * The database answered a transaction command with another one: it answers ROLLBACK to the COMMIT of a transaction in
 * which a statement failed. Nothing of the transaction was done. Its SQLSTATE is that of a rolled back transaction.
 */
class CommandRefusedError extends Error {
  readonly code = "40000";

  constructor(command: string, answer: string | null) {
    super(`the database answered ${answer ?? "nothing"} to ${command}; nothing was changed`);
    this.name = "CommandRefusedError";
  }
}

/** The connection ended inside the transaction, before its COMMIT. */
class TransactionLostError extends Error {
  readonly code = "08006";

  constructor() {
    super("the connection to the database ended inside a transaction");
    this.name = "TransactionLostError";
  }
}

/** Throws: CommandRefusedError when the command tag of the answer is not the command. */
export function expectCommand(
  command: "BEGIN" | "COMMIT" | "SAVEPOINT" | "RELEASE",
  answer: string | null,
): void {
  if (answer !== command) throw new CommandRefusedError(command, answer);
}

/** One transaction on one connection, from BEGIN to COMMIT or ROLLBACK. Source: docs/reliability.md#s2-13. */
export class Transaction {
  readonly #connection: TransactionConnection;
  #begunAt = 0;
  #last: Promise<unknown> = Promise.resolve();
  #savepoints = 0;

  constructor(connection: TransactionConnection) {
    this.#connection = connection;
  }

  /** Throws: what the work throws; the error of a statement that failed, also when the work caught it. */
  async run<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    expectCommand("BEGIN", await this.#connection.command("BEGIN"));
    this.#begunAt = this.#connection.ended();
    return this.#between({ work, done: "COMMIT", text: "COMMIT", undo: "ROLLBACK" });
  }

  /** As `run`, but undoes only what the work did. */
  async nested<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    const name = `savepoint_${++this.#savepoints}`;
    expectCommand("SAVEPOINT", await this.#command(`SAVEPOINT ${name}`));
    return this.#between({
      work,
      done: "RELEASE",
      text: `RELEASE SAVEPOINT ${name}`,
      undo: `ROLLBACK TO SAVEPOINT ${name}`,
    });
  }

  /** Runs one statement after those before it. Throws: TransactionLostError; the driver's error. */
  send(text: string, params: readonly unknown[], options: StatementOptions): Promise<unknown[]> {
    return this.#inTurn(() => this.#connection.send(text, params, options));
  }

  async #between<T>({ work, done, text, undo }: Boundaries<T>): Promise<T> {
    const scope = new Scope(this);
    try {
      const result = await work(scope);
      if (scope.failure !== null) throw scope.failure.error;
      expectCommand(done, await this.#command(text));
      return result;
    } catch (error) {
      await this.#undo(undo);
      throw error;
    }
  }

  #command(text: string): Promise<string | null> {
    return this.#inTurn(() => this.#connection.command(text));
  }

  /**
   * Gives the driver the statements of a transaction one at a time: if the connection ended, the driver would send a
   * queued one on the next connection, outside the transaction.
   */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const start = (): Promise<T> => (this.#isLost ? Promise.reject(new TransactionLostError()) : run());
    const answer = this.#last.then(start, start);
    this.#last = answer;
    return answer;
  }

  get #isLost(): boolean {
    return this.#connection.ended() !== this.#begunAt;
  }

  /** A transaction ends with its connection, and a connection ends when its transaction cannot be undone. */
  async #undo(command: string): Promise<void> {
    if (this.#isLost) return;
    await this.#command(command).catch(() => this.#connection.abandon());
  }
}

interface Boundaries<T> {
  work(statements: Statements): Promise<T>;
  done: "COMMIT" | "RELEASE";
  text: string;
  undo: string;
}

/** The statements between two boundaries of a transaction. */
class Scope implements Statements {
  readonly #transaction: Transaction;
  /** The first statement that failed and was not undone by a savepoint. */
  failure: { error: unknown } | null = null;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  query(text: string, params: readonly unknown[], options: StatementOptions = {}): Promise<unknown[]> {
    return this.#transaction.send(text, params, options).catch((error: unknown) => {
      this.failure ??= { error };
      throw error;
    });
  }

  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#transaction.nested(work);
  }
}
