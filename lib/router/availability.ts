import type { Breaker, EjectionCause } from "./breaker";

/** Why a node is not to be used as usual. `models`: two or more of its models fail. */
export type UnavailableCause = EjectionCause | "models" | "credential" | "limited" | "model";

/**
 * Whether a (node, upstream model) can be called now.
 * `ok`; `half-open`: one trial may enter; `trial`: that trial is running; `ejected`; `cooling`; `busy`: at its concurrency.
 */
export interface Availability {
  state: "ok" | "half-open" | "trial" | "ejected" | "cooling" | "busy";
  cause: UnavailableCause | null;
  /** Time until it may be tried by itself; 0 when it may now. */
  returnsInMs: number;
  /** An ejected one: whether the one probe a second may go now. */
  probeDue: boolean;
}

/** Nothing stands in the way. */
export const AVAILABLE: Readonly<Availability> = Object.freeze({
  state: "ok",
  cause: null,
  returnsInMs: 0,
  probeDue: false,
});

/** A running trial says nothing about when it ends; callers are told to come back after this. Units: milliseconds. */
const TRIAL_RETURN_MS = 1_000;

/** Waiting for a time to pass. */
export function cooling(cause: UnavailableCause, returnsInMs: number): Availability {
  return { state: "cooling", cause, returnsInMs, probeDue: false };
}

/** What the circuits of the node, of the pair and of the credential say together: the strictest of them. */
export function circuitAvailability(
  now: number,
  node: Breaker,
  pair: Breaker,
  credential: Breaker,
): Availability {
  const open = [node, pair].filter((breaker) => breaker.phase(now) === "open");
  if (open.length > 0) {
    return {
      state: "ejected",
      cause: open.some((breaker) => breaker.cause === "consecutive") ? "consecutive" : "rate",
      returnsInMs: Math.max(...open.map((breaker) => breaker.returnsInMs(now))),
      probeDue: open.every((breaker) => breaker.probeDue(now)),
    };
  }
  const halfOpen = [node, pair, credential].filter((breaker) => breaker.phase(now) === "half-open");
  const last = halfOpen.at(-1);
  if (last === undefined) return AVAILABLE;
  const running = halfOpen.some((breaker) => breaker.trialRunning(now));
  return {
    state: running ? "trial" : "half-open",
    cause: last === credential ? "credential" : last.cause,
    returnsInMs: running ? TRIAL_RETURN_MS : 0,
    probeDue: false,
  };
}
