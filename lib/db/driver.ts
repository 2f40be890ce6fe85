import postgres, { type Sql } from "postgres";
import { literalHost } from "./database-url";
import { Dial, DialPause } from "./dial";

const CONNECT_TIMEOUT_SECONDS = 2;
/** Longer than a pause and the time to connect. Units: milliseconds. */
const FIRST_ANSWER_MS = 3_500;

/** Parameters that PostgreSQL gets with the connection. */
export type Parameters = Record<string, string | number>;

/** Parsers and serializers of array types, whose ids the server assigns. */
export type ArrayTypes = Pick<Sql["options"], "parsers" | "serializers">;

interface ClientOptions {
  parameters: Parameters;
  /** Opens the sockets. */
  dial: Dial;
  idle_timeout?: number;
  fetch_types: boolean;
  onclose?: () => void;
  /** Called with each notification. */
  onnotify?: (channel: string, payload: string) => void;
}

/** A client of the driver with one connection. */
export function openClient(url: string, { parameters, dial, ...options }: ClientOptions): Sql {
  const sockets = { socket: dial.open }; // the driver's types lack this option
  return postgres(url, {
    ...options,
    ...hostOptions(url),
    ...sockets,
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    max_lifetime: null,
    backoff: false, // the pauses are those of `dial`
    onnotice: () => {},
    connection: { application_name: "tollgate", TimeZone: "UTC", ...parameters },
  });
}

/** Host and port as lists, which the driver does not split; its types allow only single values. */
function hostOptions(url: string): { host?: string; port?: number } {
  const literal = literalHost(url);
  if (literal === null) return {};
  return { host: [literal.host], port: [literal.port] } as unknown as { host: string; port: number };
}

/** A new connection gave no answer in time. The code is the driver's. */
class ConnectTimeoutError extends Error {
  readonly code = "CONNECT_TIMEOUT";

  constructor() {
    super(`no answer to the first statement within ${FIRST_ANSWER_MS} ms`);
    this.name = "ConnectTimeoutError";
  }
}

/**
 * Bounds the wait for a connection's first answer; the caller then ends the connection. A pooler without a server
 * accepts a client but answers no statement.
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
  const client = openClient(url, { parameters, dial: new Dial(new DialPause()), fetch_types: true });
  applyParsers(client); // parsers of arrays use those of their elements
  try {
    await firstAnswer(client.unsafe("SELECT 1"));
    const { parsers, serializers } = client.options;
    return { parsers: { ...parsers }, serializers: { ...serializers } };
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** Types of which drizzle expects the database's text: times, and arrays of times and of numeric. */
const TEXT_TYPES = [1083, 1182, 1185, 1115, 1231];

/** The types that `Session.query` guarantees, and those that drizzle expects. */
export function applyParsers(client: Sql): void {
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
