import { LRUCache } from "lru-cache";

/** What a host answered to a signed request. Shape: null for what the answer does not have. */
export interface SignatureRefusal {
  /** The type of the error, from the header `x-amzn-errortype`, or from `__type` or `error.code` in the body. */
  errorType: string | null;
  message: string | null;
  /** The header `date`. */
  date: string | null;
}

/** A skew above this is worth a warning. Units: milliseconds. Source: docs/clouds.md#skew. */
export const LARGE_SKEW_MS = 60_000;

/** Signatures live for minutes: an answer that is dated less apart was not refused because of a clock. */
const LEAST_CHANGE_MS = 30_000;
const MAX_HOSTS = 1_000;

const ofTime = new Set(["RequestExpired", "RequestTimeTooSkewed"]);
/** Those of a signature have many reasons; the message tells the one. */
const ofSignature = new Set(["InvalidSignatureException", "SignatureDoesNotMatch"]);
const aboutTime = /\bexpired\b|\bnot yet current\b/i;

/**
 * How far a host's clock is ahead, when it refused a signature because of its time; null for any other refusal.
 * Units: milliseconds. Source: docs/clouds.md#skew.
 */
export function skewOf(refusal: SignatureRefusal, now: Date): number | null {
  const { errorType, message, date } = refusal;
  const name = (errorType ?? "").replace(/:.*$/s, "").replace(/^.*#/s, "");
  const isOfTime = ofTime.has(name) || (ofSignature.has(name) && aboutTime.test(message ?? ""));
  if (!isOfTime || date === null) return null;
  const hostTime = Date.parse(date);
  return Number.isNaN(hostTime) ? null : hostTime - now.getTime();
}

/** The skew of each host's clock. Units: milliseconds. Source: docs/clouds.md#skew. */
export class ClockSkews {
  readonly #skews = new LRUCache<string, number>({ max: MAX_HOSTS });

  /** What to add to the own time for a host; zero for one that never complained. */
  of(host: string): number {
    return this.#skews.get(host) ?? 0;
  }

  /** Learns from a refusal. Returns the skew to sign the request with once more; null: that would change nothing. */
  learn(host: string, refusal: SignatureRefusal, now: Date): number | null {
    const skew = skewOf(refusal, now);
    if (skew === null || Math.abs(skew - this.of(host)) < LEAST_CHANGE_MS) return null;
    this.#skews.set(host, skew);
    return skew;
  }
}
