/**
 * Why the gateway or its API refuses a request because of load, size, limits or quota: the names under which refusals
 * are counted. The first ones are the reasons of `admissionOrder`. Source: docs/contract.md#refusals.
 */
export const refusalNames = [
  "shutdown",
  "overload",
  "body-size",
  "address-flood",
  "key-flood",
  "free-calls",
  "requests-per-key",
  "compressed-bodies",
  "bulk-work",
  "rate-limits",
  "account-limits",
  "generations-per-key",
  "hold-capacity",
  "quota",
  "budget",
  "key-lookup",
  "database-busy",
  "database-away",
  "database-read-only",
  "spool-full",
  "reports",
  "sign-in",
  "pages",
  "no-node",
  "malfunction",
] as const;

/** One of these names. */
export type RefusalName = (typeof refusalNames)[number];

/** How often a reason has refused something lately. */
export interface RefusalCount {
  reason: RefusalName;
  count: number;
  last: Date;
}
