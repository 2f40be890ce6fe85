import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as tables from "./schema/tables";

/** The drizzle handle; the same on both databases, transactions included. */
export type Orm = PgDatabase<PgQueryResultHKT, typeof tables>;

/** Values that may be bound to a statement. JSON goes in as text, arrays as arrays of these. */
export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | readonly BatchValue[];

/** Values that may be bound to the statement of a ledger batch. */
export type BatchValue = string | number | bigint | boolean | null;

/** Runs statements. */
export interface Session {
  orm: Orm;
  /**
   * Runs one statement with `$1`-style parameters.
   * Shape: rows as objects; int8 is bigint, numeric is text, timestamptz is Date, date and timestamp are text. Do not
   * select arrays with nulls: PostgreSQL's driver returns them as the text `NULL`.
   */
  query<T>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
}

/** The database of a process: a PostgreSQL server, or the embedded one in a worker thread. */
export interface Database extends Session {
  kind: "postgres" | "embedded";
  /** Connections that are reserved for ledger batches, each of which runs one statement at a time. */
  readonly batchLanes: number;
  /**
   * Runs one statement, which stays prepared, on one of the connections for ledger batches; lanes count from 0.
   * Shape: as `query`; lists are of integers.
   */
  batchQuery<T>(sql: string, params: readonly BatchValue[], lane?: number): Promise<T[]>;
  /** Closes a connection for ledger batches; a statement in flight on it fails, the next one reconnects. */
  resetBatch(lane?: number): Promise<void>;
  /**
   * Replaces every connection as soon as a server at the database's address takes writes. Call it when a server reports
   * that it takes none; an error that reports it has the same effect.
   */
  renewWhenWritable(): void;
  /**
   * True when the database answers on a separate connection within the time, which distinguishes a slow statement from
   * an unresponsive database. Never rejects; always true for the embedded database. Units: milliseconds.
   */
  answers(withinMs: number): Promise<boolean>;
  /**
   * Runs work on a separate connection without statement timeout: migrations, maintenance, reconciliation. Statements run
   * one after the other, and throw once that connection has ended.
   */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Calls the handler with each payload, and `missed` after a time in which payloads may have been lost; the result ends
   * the subscription.
   */
  listen(
    channel: string,
    handler: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>;
  /**
   * Every payload that was sent before this moment has been handled, or `missed` was called after it. Units: milliseconds
   * of the monotonic clock.
   */
  heardUntilMs(): number;
  close(): Promise<void>;
}
