const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * True when a request with a cookie cannot come from another site: its method is safe, or the browser's headers name
 * this origin. Source: docs/contract.md#s5, docs/reliability.md#s3-6.
 */
export function isSameOrigin(request: Request, publicUrl: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === request.headers.get("host");
}
