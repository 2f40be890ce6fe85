import type { LimitState, LimitUse } from "./limiter";

/** A duration in the words of the chat vendor: `120ms`, `1s`, `8.64s`, `6m0s`, `1h0m0s`. Units: milliseconds in. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole > 0 && whole < 1_000) return `${whole}ms`;
  const seconds = `${(whole % 60_000) / 1_000}s`;
  const minutes = Math.floor(whole / 60_000);
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

/**
 * `x-ratelimit-*` of the chat endpoints: requests are RPM, tokens TPM; a limit that is none has no headers.
 * Source: docs/contract.md#s6.
 */
export function chatLimitHeaders(state: LimitState): Record<string, string> {
  const headers: Record<string, string> = {};
  addChat(headers, "requests", state.rpm);
  addChat(headers, "tokens", state.tpm);
  return headers;
}

/**
 * `anthropic-ratelimit-*` of the messages endpoints; resets are RFC 3339. Units: `wallMs` is the wall clock.
 * Source: docs/contract.md#s6.
 */
export function messagesLimitHeaders(state: LimitState, wallMs: number): Record<string, string> {
  const headers: Record<string, string> = {};
  addMessages(headers, "requests", state.rpm, wallMs);
  addMessages(headers, "tokens", state.tpm, wallMs);
  return headers;
}

/** Whole seconds for `Retry-After`, at least 1. Units: milliseconds in. Source: docs/reliability.md#s2-8. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}

function addChat(headers: Record<string, string>, family: string, use: LimitUse): void {
  if (use.limit === null) return;
  headers[`x-ratelimit-limit-${family}`] = String(use.limit);
  headers[`x-ratelimit-remaining-${family}`] = remaining(use.limit, use.used);
  headers[`x-ratelimit-reset-${family}`] = durationText(use.resetMs);
}

function addMessages(headers: Record<string, string>, family: string, use: LimitUse, wallMs: number): void {
  if (use.limit === null) return;
  headers[`anthropic-ratelimit-${family}-limit`] = String(use.limit);
  headers[`anthropic-ratelimit-${family}-remaining`] = remaining(use.limit, use.used);
  const resetSeconds = Math.ceil((wallMs + use.resetMs) / 1_000);
  headers[`anthropic-ratelimit-${family}-reset`] = new Date(resetSeconds * 1_000)
    .toISOString()
    .replace(".000Z", "Z");
}

function remaining(limit: number, used: number): string {
  return String(Math.max(0, limit - used));
}
