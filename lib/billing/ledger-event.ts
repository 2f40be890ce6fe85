/** What the operator should hear of. */
export type LedgerEvent =
  | { kind: "overrun"; model: string; microCents: bigint }
  | { kind: "spooled"; requestId: string; cause: unknown }
  | { kind: "replayed"; count: number }
  | { kind: "spool_torn"; files: number }
  /** The database refuses a spooled settlement for good; it is kept in the spool directory for a human. */
  | { kind: "spool_refused"; requestId: string; cause: unknown }
  | { kind: "spool_failed"; cause: unknown }
  /** A hold ended in the dark and will be given back. */
  | { kind: "release_queued"; requestId: string; cause: unknown };
