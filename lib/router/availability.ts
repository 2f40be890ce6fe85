import type { Breaker, EjectionCause } from "./breaker";

/** Why a node is not available. `models`: two or more of its models fail. */
export type UnavailableCause = EjectionCause | "models" | "credential" | "limited" | "model";

/**
 * Whether a (node, upstream model) can be called now.
 * `ok`; `half-open`: one trial is allowed; `trial`: that trial is running; `ejected`; `cooling`; `busy`: at its
 * concurrency limit.
 */
export interface Availability {
  state: "ok" | "half-open" | "trial" | "ejected" | "cooling" | "busy";
  cause: UnavailableCause | null;
  /** Time until it becomes available; 0 when it is available. */
  returnsInMs: number;
  /** For an ejected one: whether a probe, one per second, is allowed now. */
  probeDue: boolean;
}

/** The availability of a node without problems. */
export const AVAILABLE: Readonly<Availability> = Object.freeze({
  state: "ok",
  cause: null,
  returnsInMs: 0,
  probeDue: false,
});

/** Retry-After while a trial of unknown duration runs. Units: milliseconds. */
const TRIAL_RETURN_MS = 1_000;

/** The availability of a node during a cool-down. */
export function cooling(cause: UnavailableCause, returnsInMs: number): Availability {
  return { state: "cooling", cause, returnsInMs, probeDue: false };
}

/** Combines the circuits of the node, the pair and the credential: the strictest wins. */
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
