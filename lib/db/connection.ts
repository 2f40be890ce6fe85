import postgres, { type Sql } from "postgres";
import { isAmbiguous } from "./database-error";
import { literalHost } from "./database-url";
import { readRows } from "./rows";
import { type StatementOptions, type Statements, Transaction } from "./transaction";

const CONNECT_TIMEOUT_SECONDS = 2;
const RECONNECT_MAX_SECONDS = 0.5;
/** Longer than the time to connect. Units: milliseconds. */
const FIRST_ANSWER_MS = 3_500;

/** Parameters that PostgreSQL gets with the connection. */
export type Parameters = Record<string, string | number>;

/** Server-side bounds of every ordinary statement. Units: milliseconds. Source: docs/reliability.md#s2-10. */
export const bounded = {
  statement_timeout: 2_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 5_000,
};

/** Parsers and serializers of array types, whose ids the server assigns. */
type ArrayTypes = Pick<Sql["options"], "parsers" | "serializers">;

/** How a connection is opened. */
export interface ConnectOptions {
  url: string;
  parameters: Parameters;
  /** The result of `readArrayTypes`. */
  types: ArrayTypes;
  /** Seconds without a statement after which the connection ends; the next statement connects again. 0 for never. */
  idleSeconds: number;
  /** Called with the error of each statement that failed. */
  onError(error: unknown): void;
}

/**
 * One connection to PostgreSQL, and the only place that gives statements to the driver. It connects with its first
 * statement, and again after it was lost.
 * After a statement that failed, the driver may still count its rows and puts holes before the rows of the next result.
 * So the next statement follows one whose rows nobody reads, and a connection that was lost gets a new client.
 * Source: docs/reliability.md#s2-13, docs/adr/0019-rows-after-an-error.md#decision.
 */
export class Connection implements Statements {
  readonly #options: ConnectOptions;
  #client: Sql;
  /** A statement has failed since the last one that succeeded: the driver may count wrongly. */
  #failed = false;
  /** A statement succeeded on this client, so that it holds the state of a connection. */
  #connected = false;
  /** Grows when the connection ends: what was begun on it is gone. */
  #ended = 0;
  #transaction: Promise<void> | null = null;

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.#client = this.#open();
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
  end(withinSeconds: number): Promise<void> {
    return this.#client.end({ timeout: withinSeconds });
  }

  #send(text: string, params: readonly unknown[], { prepare = false, asValues = false }: StatementOptions) {
    const client = this.#client;
    // The driver's parameter type leaves out bigint, which it binds as text.
    const query = client.unsafe(text, params as never[], { prepare });
    // To await its query would cost more promises.
    return (asValues ? query.values() : query).then(
      (result) => this.#received(client, result),
      (error: unknown) => {
        this.#fail(client, error);
        throw error;
      },
    );
  }

  #received(client: Sql, result: unknown): unknown[] {
    if (client === this.#client) this.#connected = true;
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
      this.#connected = true;
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
    // It travels together with the statement after it, which reports what goes wrong with the connection.
    client.unsafe("SELECT 1").catch((error: unknown) => this.#fail(client, error));
  }

  /** An error that the database sent leaves the connection usable. Any other takes the client with it. */
  #fail(client: Sql, error: unknown): void {
    this.#options.onError(error);
    if (client !== this.#client) return;
    this.#failed = true;
    // A client that never connected waits longer before each try, which a new one would not.
    if (isAmbiguous(error) && this.#connected) this.#replaceClient();
  }

  #replaceClient(): void {
    const old = this.#client;
    this.#client = this.#open();
    this.#connected = false;
    this.#failed = false;
    this.#ended += 1;
    old.end({ timeout: 0 }).catch(() => {}); // nothing is left to end
  }

  #open(): Sql {
    const { url, parameters, types, idleSeconds } = this.#options;
    const onclose = (): void => {
      if (client === this.#client) this.#ended += 1;
    };
    const client = openClient(url, { parameters, idle_timeout: idleSeconds, fetch_types: false, onclose });
    Object.assign(client.options.parsers, types.parsers);
    Object.assign(client.options.serializers, types.serializers);
    applyParsers(client);
    return client;
  }
}

interface ClientOptions {
  parameters: Parameters;
  idle_timeout?: number;
  fetch_types: boolean;
  onclose?: () => void;
}

/** A client of the driver with one connection. */
function openClient(url: string, { parameters, ...options }: ClientOptions): Sql {
  return postgres(url, {
    ...options,
    ...hostOptions(url),
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    max_lifetime: null,
    backoff: (retries: number) => Math.min(RECONNECT_MAX_SECONDS, 0.02 * 2 ** retries),
    onnotice: () => {},
    connection: { application_name: "tollgate", TimeZone: "UTC", ...parameters },
  });
}

/** As lists, which the driver does not split; its types know only single ones. */
function hostOptions(url: string): { host?: string; port?: number } {
  const literal = literalHost(url);
  if (literal === null) return {};
  return { host: [literal.host], port: [literal.port] } as unknown as { host: string; port: number };
}

/** A new connection gave no answer in time. It has the driver's code for that. */
class ConnectTimeoutError extends Error {
  readonly code = "CONNECT_TIMEOUT";

  constructor() {
    super(`no answer to the first statement within ${FIRST_ANSWER_MS} ms`);
    this.name = "ConnectTimeoutError";
  }
}

/**
 * Bounds the wait for a connection's first answer; the caller then ends the connection. The driver connects again without
 * end when the server closes each connection before it has answered, as a proxy without a server does.
 * Throws: ConnectTimeoutError; what the answer throws. Source: docs/contract.md#database-away.
 */
export async function firstAnswer<T>(answer: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectTimeoutError()), FIRST_ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the array types once at startup. Otherwise the driver queries them on each new connection, and its error cannot
 * be caught when the connection breaks during that query. Throws: the driver's error, or ConnectTimeoutError, when the
 * server does not answer.
 */
export async function readArrayTypes(url: string, parameters: Parameters): Promise<ArrayTypes> {
  const client = openClient(url, { parameters, fetch_types: true });
  applyParsers(client); // parsers of arrays use those of their elements
  try {
    await firstAnswer(client.unsafe("SELECT 1"));
    const { parsers, serializers } = client.options;
    return { parsers: { ...parsers }, serializers: { ...serializers } };
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** A client that only listens, and listens again after its connection was lost. It gets no rows. */
export function openListener(url: string, parameters: Parameters): Sql {
  return openClient(url, { parameters, fetch_types: false });
}

/** Types of which drizzle expects the database's text: times, and arrays of times and of numeric. */
const TEXT_TYPES = [1083, 1182, 1185, 1115, 1231];

/** The types that `Session.query` guarantees, and those that drizzle expects. */
function applyParsers(client: Sql): void {
  const { parsers, serializers } = client.options;
  const asText = (text: string): string => text;
  for (const type of TEXT_TYPES) {
    parsers[type] = asText;
    serializers[type] = asText;
  }
  Object.assign(parsers, {
    20: (text: string) => BigInt(text),
    1082: asText,
    1114: asText,
    1184: (text: string) => new Date(text),
  });
  Object.assign(serializers, {
    114: asText,
    1082: asText,
    1114: asText,
    3802: asText,
    1184: (value: Date | string) => (typeof value === "string" ? value : value.toISOString()),
  });
}
