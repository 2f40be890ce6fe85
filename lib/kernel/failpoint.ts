/** Points at which a fault test may end the process. */
export type Failpoint =
  | "after-hold"
  | "before-settle"
  | "after-settle"
  | "reading-on"
  | "spool-written"
  | "spool-synced"
  | "spool-replayed"
  | "reaper-swept";

/** Does nothing; only the build of the fault tests replaces it. Source: docs/reliability.md#s4-rig. */
export function failpoint(_name: Failpoint): void {}
