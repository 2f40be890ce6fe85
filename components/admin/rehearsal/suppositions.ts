import type { AssumedState } from "../../api/admin/types";

/**
 * The states that can be assumed for a node: its real state, a fault that the router has not detected, or a known
 * state.
 */
export const suppositions = [
  "now",
  "healthy",
  "down",
  "failing",
  "slow",
  "limited",
  "refused",
  "ejected",
  "cooling",
  "half-open",
  "busy",
] as const satisfies readonly ("now" | AssumedState)[];
export type Supposition = (typeof suppositions)[number];

/** What can go wrong with a node, the usual one first. */
export const faults = [
  "down",
  "failing",
  "slow",
  "limited",
  "refused",
  "ejected",
  "cooling",
  "busy",
] as const satisfies readonly AssumedState[];
export type Fault = (typeof faults)[number];

/** The assumed states in the address, each as `state=node`. */
export function readSuppositions(entries: string[]): Record<string, Supposition> {
  const supposed: Record<string, Supposition> = {};
  for (const entry of entries) {
    const [state, ...name] = entry.split("=");
    const known = suppositions.find((value) => value === state);
    if (known !== undefined) supposed[name.join("=")] = known;
  }
  return supposed;
}

export function writeSuppositions(supposed: Record<string, Supposition>): string[] {
  return Object.entries(supposed).flatMap(([name, state]) => (state === "now" ? [] : [`${state}=${name}`]));
}

/** The address of the rehearsal of one node. */
export function nodeRehearsal(node: string): string {
  return `/admin/rehearsal?${new URLSearchParams({ of: "node", node })}`;
}
