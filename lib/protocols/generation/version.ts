import { invalid } from "@/lib/kernel/errors";

/** The protocol version of clients that send none. */
export const firstVersion = "2023-06-01";

/** From this version on, there are no sampling parameters, and user text has no citations. */
export const strictVersion = "2026-10-21";

/**
 * The protocol version of a client's headers; `anthropic-version` takes precedence over `provider-version`.
 * Throws: INVALID_REQUEST for a malformed version and for versions before 2023-06-01. Source: docs/protocols.md#s2-1.
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

/** True for a version that the gateway has no rules for; it is treated as the newest known one. */
export function isUnknownVersion(version: string): boolean {
  return version !== firstVersion && version !== strictVersion;
}

/** True when the rules of 2026-10-21 apply. */
export function isStrictVersion(version: string): boolean {
  return version > firstVersion;
}
