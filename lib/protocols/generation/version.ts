import { invalid } from "@/lib/kernel/errors";

/** The protocol version of clients that name none. */
export const firstVersion = "2023-06-01";

/** From this version on, there are no sampling parameters, and user text carries no citations. */
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
