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

/** Defined only in the build of the fault tests. Source: docs/reliability.md#s4-rig. */
export const failpoint: ((name: Failpoint) => void) | undefined = undefined;
