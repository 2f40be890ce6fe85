import { GatewayError, invalid, isGatewayError } from "@/lib/kernel/errors";
import type { Problem } from "./problems";

/** How forgiving the gateway is. Source: docs/contract.md#s2. */
export type Compatibility = "standard" | "strict" | "lenient";

const moreForgiving: Readonly<Record<Compatibility, readonly Compatibility[]>> = {
  strict: ["standard", "lenient"],
  standard: ["lenient"],
  lenient: [],
};

/**
 * A 400 for something that a more forgiving setting takes; `alternative` says what happens there.
 * Throws: nothing; returns the error to throw.
 */
export function refusedHere({ param, message }: Problem, alternative: string): GatewayError {
  const error = invalid(param, message);
  return new GatewayError(error.code, message, { ...error.details, alternative });
}

/**
 * Runs `attempt` under a setting. A refusal names another setting only if the whole request passes there: it is tried.
 * Throws: what `attempt` throws. Source: docs/contract.md#s2, #texts.
 */
export function withTrueHint<T>(setting: Compatibility, attempt: (setting: Compatibility) => T): T {
  try {
    return attempt(setting);
  } catch (error) {
    if (!isGatewayError(error) || error.details.alternative === undefined) throw error;
    const other = moreForgiving[setting].find((candidate) => passes(candidate, attempt));
    if (other === undefined) throw error;
    const hint = `(With COMPATIBILITY=${other} ${error.details.alternative}.)`;
    throw new GatewayError(error.code, `${error.message} ${hint}`, error.details);
  }
}

function passes(setting: Compatibility, attempt: (setting: Compatibility) => unknown): boolean {
  try {
    attempt(setting);
    return true;
  } catch (error) {
    if (isGatewayError(error)) return false;
    throw error;
  }
}

/** The protocol version of clients that name none. */
export const firstVersion = "2023-06-01";
/** From this version on, sampling parameters are gone and user text carries no citations. */
export const strictVersion = "2026-10-21";

/**
 * The protocol version a client asked for; `anthropic-version` wins over `provider-version`.
 * Throws: INVALID_REQUEST for a malformed version and for those before 2023-06-01. Source: docs/protocols.md#s2-1.
 */
export function readVersion(headers: Record<string, string | undefined>): string {
  const header = headers["anthropic-version"] === undefined ? "provider-version" : "anthropic-version";
  const version = headers[header]?.trim();
  if (version === undefined || version === "") return firstVersion;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(version) || Number.isNaN(Date.parse(version)) || version < firstVersion) {
    throw invalid(
      header,
      `${header} must be a date from ${firstVersion} on, such as ${firstVersion} or ${strictVersion}.`,
    );
  }
  return version;
}

/** True for a version this gateway has no table for; it is treated as the newest known. */
export function isUnknownVersion(version: string): boolean {
  return version !== firstVersion && version !== strictVersion;
}

/** True when the rules of 2026-10-21 hold. */
export function isStrictVersion(version: string): boolean {
  return version > firstVersion;
}
