/**
 * The caller's address. `X-Forwarded-For` is believed only for the configured number of proxies, counted from
 * the right, so a forged entry never counts. Source: docs/contract.md#s2 (`TRUST_PROXY`), docs/reliability.md#s3-4.
 */
export function clientIp(
  forwardedFor: string | string[] | undefined,
  remoteAddress: string | undefined,
  trustProxy: number,
): string {
  const direct = (remoteAddress ?? "").replace(/^::ffff:/, "");
  if (trustProxy === 0 || forwardedFor === undefined) return direct;
  const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor)
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  return hops[Math.max(0, hops.length - trustProxy)] ?? direct;
}
