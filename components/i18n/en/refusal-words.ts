import type { RefusalName } from "@/lib/kernel/refusals";

/** Why the gateway refuses, to its admins. */
export const refusalWords: Record<RefusalName, string> = {
  shutdown: "The process was being stopped",
  overload: "The process or its database could not keep up",
  "body-size": "The body was too large",
  "address-flood": "An address tried too many invalid keys",
  "key-flood": "A key sent ten times what its plan allows",
  "free-calls": "A key made too many calls that cost nothing",
  "requests-per-key": "One key had too many requests open",
  "compressed-bodies": "Too many compressed bodies at once",
  "bulk-work": "An account asked for too much large content at once",
  "rate-limits": "A key met the limits of its plan",
  "account-limits": "The keys of an account together met its limits",
  "generations-per-key": "One key had too many calls running",
  "hold-capacity": "The database did not reserve quota in time",
  quota: "A quota was used up",
  "key-lookup": "The database did not find a key in time",
  "database-busy": "The database had too much to do",
  "database-away": "The database did not answer",
  "database-read-only": "The database took no writes",
  "spool-full": "The disk queue of settlements was full",
  reports: "Too many reports at once",
  "sign-in": "Too many sign-ins at once",
  pages: "The pages were not ready",
  "no-node": "No node could answer",
  malfunction: "Something went wrong in the gateway; its log has the details",
};
