import { headersOf, sendCall } from "./calls";

/** The use of one limit; a null limit is none. */
interface LimitUse {
  limit: number | null;
  used: number;
}

/** How many calls a key has begun in the last second and minute, and may begin. */
export interface CallLimits {
  qps: LimitUse;
  rpm: LimitUse;
}

/** Longer than the window, because calls take different times to arrive. */
const SECOND_MS = 1_200;
const MINUTE_MS = 61_000;

/** How long each of several calls waits, in milliseconds, so that the limits of the key refuse none of them. */
export function turnWaits(calls: number, limits: CallLimits | null): number[] {
  return Array.from({ length: calls }, (_, before) =>
    limits === null
      ? 0
      : Math.max(windowsFull(limits.qps, before) * SECOND_MS, windowsFull(limits.rpm, before) * MINUTE_MS),
  );
}

/** How many whole windows pass until there is room for a call after the calls before it. */
function windowsFull({ limit, used }: LimitUse, before: number): number {
  return limit === null ? 0 : Math.floor((used + before) / Math.max(1, limit));
}

/** The limits of a key as they are used now; null where they cannot be read. This is no call that counts. */
export async function readLimits(secret: string, signal: AbortSignal): Promise<CallLimits | null> {
  try {
    const headers = headersOf("chat", secret);
    const response = await sendCall("/v1/usage", { method: "GET", headers, signal });
    // Of our own gateway: docs/contract.md section 6.
    const body = (await response.json()) as { limits: CallLimits };
    return body.limits;
  } catch {
    return null; // the calls themselves say what is wrong
  }
}

/** Resolves after a time, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
