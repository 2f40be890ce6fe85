/** An event of the ledger that becomes a log line or a metric. */
export type LedgerEvent =
  | { kind: "overrun"; model: string; microCents: bigint }
  | { kind: "spooled"; requestId: string; cause: unknown }
  | { kind: "replayed"; count: number }
  | { kind: "spool_torn"; files: number }
  /** The database refuses a spooled settlement permanently; the spool directory keeps it for the operator. */
  | { kind: "spool_refused"; requestId: string; cause: unknown }
  | { kind: "spool_failed"; cause: unknown }
  /** The outcome of a hold is unknown; it will be released. */
  | { kind: "release_queued"; requestId: string; cause: unknown };
