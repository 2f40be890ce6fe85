/**
 * How one attempt ended, for health. Source: docs/reliability.md#s2-9, docs/protocols.md#s13-3,
 * docs/contract.md#s9.
 *
 * - `ok`: a complete answer.
 * - `connect`: refused, unresolved, TLS error, reset before any response. `credential`: 401, 402, a 403 that is not
 *   about the caller's content, or a 400 about our account.
 * - `limited`: 429. `server`: 3xx, 5xx, 529, 408, 409, 425. `timeout`: no headers or no first event in time.
 * - `protocol`: a 200 with an error, HTML, invalid or empty body. `truncated`: ended early after the first event.
 * - `model`: the node does not know the upstream model. `request`: a 4xx that the caller caused, also by its content.
 *   `cancelled`: the client disconnected.
 */
export type OutcomeKind =
  | "ok"
  | "connect"
  | "credential"
  | "limited"
  | "server"
  | "timeout"
  | "protocol"
  | "truncated"
  | "model"
  | "request"
  | "cancelled";

/** The end of an attempt. */
export interface AttemptOutcome {
  kind: OutcomeKind;
  /** HTTP status of the upstream, if any. */
  status?: number | null;
  /** The upstream's `Retry-After` in milliseconds; null or absent without a usable one. */
  retryAfterMs?: number | null;
  /** One scrubbed line for the admin pages. */
  message?: string;
}

const LIMITED_DEFAULT_MS = 5_000;
const LIMITED_MIN_MS = 1_000;
const LIMITED_MAX_MS = 60_000;

/** Cool-down of an upstream model that the node does not know. */
export const MODEL_COOL_MS = 60_000;

/** Cool-down after a 429: its Retry-After, clamped to 1–60 s; 5 s without one. Units: milliseconds. */
export function limitedCoolMs(retryAfterMs: number | null | undefined): number {
  if (retryAfterMs === null || retryAfterMs === undefined || Number.isNaN(retryAfterMs))
    return LIMITED_DEFAULT_MS;
  return Math.min(LIMITED_MAX_MS, Math.max(LIMITED_MIN_MS, retryAfterMs));
}

/** `Retry-After` (seconds or an HTTP date) as milliseconds from `wallMs`; null when absent or unreadable. */
export function parseRetryAfter(header: string | null | undefined, wallMs: number): number | null {
  const text = header?.trim() ?? "";
  if (text === "") return null;
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - wallMs;
}

/**
 * The weight of an outcome as a failure of the node's or the pair's circuit; 0: no failure.
 * Source: docs/reliability.md#s2-9.
 */
export function failureWeight(kind: OutcomeKind): number {
  switch (kind) {
    case "connect":
    case "server":
    case "timeout":
    case "protocol":
      return 1;
    case "truncated":
      return 0.5;
    case "ok":
    case "credential":
    case "limited":
    case "model":
    case "request":
    case "cancelled":
      return 0;
  }
}
