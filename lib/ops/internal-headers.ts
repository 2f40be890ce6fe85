import type { IncomingHttpHeaders } from "node:http";

/** Names by which parts of the pages' framework speak to each other. */
const INNER = /^x-(middleware|invoke|matched-path|rewrite|original)(-|$)|^x-nextjs-data$/;

/**
 * Takes away what only the framework itself may say of a request: such headers have led around checks before.
 * Source: docs/reliability.md#r-105.
 */
export function stripInternalHeaders(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (INNER.test(name)) delete headers[name];
}
