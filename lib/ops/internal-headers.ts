import type { IncomingHttpHeaders } from "node:http";

/** Headers that parts of the web framework exchange internally. */
const INTERNAL_HEADER = /^x-(middleware|invoke|matched-path|rewrite|original)(-|$)|^x-nextjs-data$/;

/**
 * Removes headers that only the framework itself may set; external ones have been used to bypass checks.
 * Source: docs/reliability.md#r-105.
 */
export function stripInternalHeaders(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (INTERNAL_HEADER.test(name)) delete headers[name];
}
