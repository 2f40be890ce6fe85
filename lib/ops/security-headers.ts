const POLICY = "frame-ancestors 'none'; base-uri 'self'; object-src 'none'; form-action 'self'";
const HSTS = "max-age=31536000; includeSubDomains";

/** Headers of pages and account routes: no framing, no sniffing, no referrer, HTTPS for good where it is used. Source: reliability 3.11. */
export function securityHeaders(publicUrl: string): [name: string, value: string][] {
  return [
    ["content-security-policy", POLICY],
    ["x-frame-options", "DENY"],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ...(publicUrl.startsWith("https:")
      ? [["strict-transport-security", HSTS] satisfies [string, string]]
      : []),
  ];
}
