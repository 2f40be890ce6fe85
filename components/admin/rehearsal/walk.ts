import type { AssumedState, Rehearsal } from "../types";

/** What a node can be supposed to be: as it is, a state of the router, or a failure the router does not know yet. */
export const suppositions = [
  "now",
  "healthy",
  "failing",
  "slow",
  "ejected",
  "cooling",
  "half-open",
  "busy",
] as const;
export type Supposition = (typeof suppositions)[number];

/** One call of the rehearsal: when it begins, how it ends. Units: milliseconds after the request came. */
export interface Step {
  n: number;
  node: string;
  upstreamModel: string;
  outcome: "answers" | "fails" | "slow" | "unused";
  startMs: number;
  endMs: number;
}

/** What the caller gets in the end. */
export type FinalAnswer =
  | { status: 200; node: string; afterMs: number }
  | { status: 502; afterMs: number }
  | { status: 503; afterMs: number; retryAfterSeconds: number | null };

/** A node that fails or stalls looks healthy to the router until it has been called. */
export function assumptionsOf(supposed: Readonly<Record<string, Supposition>>): Record<string, AssumedState> {
  const assume: Record<string, AssumedState> = {};
  for (const [node, state] of Object.entries(supposed)) {
    if (state === "now") continue;
    assume[node] = state === "failing" || state === "slow" ? "healthy" : state;
  }
  return assume;
}

/**
 * Walks through the order that the router gave: a failing node costs no time, a slow one its limit for the first
 * event, and the first other one answers. One that answered too late makes the end a 502, else it is a 503.
 */
export function walk(
  order: Rehearsal["order"],
  supposed: Readonly<Record<string, Supposition>>,
  firstEventLimitMs: (node: string) => number,
  retryAfterSeconds: number | null,
): { steps: Step[]; answer: FinalAnswer } {
  let clockMs = 0;
  let answer: FinalAnswer | null = null;
  let late = false;
  const steps = order.map(({ n, node, upstreamModel }): Step => {
    const startMs = clockMs;
    if (answer !== null) return { n, node, upstreamModel, outcome: "unused", startMs, endMs: startMs };
    const state = supposed[node];
    if (state === "failing") return { n, node, upstreamModel, outcome: "fails", startMs, endMs: startMs };
    if (state === "slow") {
      clockMs += firstEventLimitMs(node);
      late = true;
      return { n, node, upstreamModel, outcome: "slow", startMs, endMs: clockMs };
    }
    answer = { status: 200, node, afterMs: startMs };
    return { n, node, upstreamModel, outcome: "answers", startMs, endMs: startMs };
  });
  const failed: FinalAnswer = late
    ? { status: 502, afterMs: clockMs }
    : { status: 503, afterMs: clockMs, retryAfterSeconds };
  return { steps, answer: answer ?? failed };
}
