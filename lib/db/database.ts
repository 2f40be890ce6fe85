import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as tables from "./schema/tables";

/** The drizzle handle; the same on both databases, transactions included. */
export type Orm = PgDatabase<PgQueryResultHKT, typeof tables>;

/** Values that may be bound to a statement. JSON goes in as text, arrays as arrays of these. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly (string | number | bigint | boolean | null)[];

/** A place to run statements. */
export interface Session {
  orm: Orm;
  /**
   * Runs one statement with `$1`-style parameters.
   * Shape: rows as objects; int8 is bigint, numeric is text, timestamptz is Date, date and timestamp are text. A null
   * inside an array comes as the text `NULL` from PostgreSQL's driver: select none.
   */
  query<T>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
}

/** The one database of a process: real PostgreSQL, or the embedded one in a worker thread. */
export interface Database extends Session {
  kind: "postgres" | "embedded";
  /** Runs one statement on the connection that is reserved for the batch lane. */
  batchQuery<T>(sql: string, params: readonly SqlValue[]): Promise<T[]>;
  /** Drops the batch connection; a statement in flight there fails, the next one connects anew. */
  resetBatch(): Promise<void>;
  /**
   * Whether the database answers at all, asked on a connection of its own, so that a slow statement is told from a
   * silence. Never rejects; the embedded one is a part of this process and can only be slow. Units: milliseconds.
   */
  answers(withinMs: number): Promise<boolean>;
  /** Runs work on a connection of its own without statement timeout: migrations, maintenance, long sums. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  notify(channel: string, payload: string): Promise<void>;
  /** Calls the handler with each payload; the result ends the subscription. */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
