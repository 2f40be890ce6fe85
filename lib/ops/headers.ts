import { randomBytes } from "node:crypto";
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

/** Header names and values in the order they are sent. */
export type HeaderList = [name: string, value: string][];

const HSTS = "max-age=31536000; includeSubDomains";

/**
 * The security headers of one response of a page or an account route: only scripts with this response's nonce, and
 * scripts that they load, may run; no framing, no MIME sniffing, no referrer, HSTS when the public URL uses HTTPS.
 * `development`: also allows what hot reloading needs.
 * Source: docs/reliability.md#s3-11.
 */
export function securityHeaders(options: { publicUrl: string; development: boolean }): HeaderList {
  const nonce = randomBytes(16).toString("base64");
  return [
    ["content-security-policy", policy(nonce, options.development)],
    ["x-frame-options", "DENY"],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ...(options.publicUrl.startsWith("https:")
      ? [["strict-transport-security", HSTS] satisfies [string, string]]
      : []),
  ];
}

function policy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Server-rendered pages have style attributes: sizes of charts, widths of bars.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
