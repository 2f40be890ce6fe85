/** A same-site path to redirect to after login; anything else becomes the console. */
export function sanitizeRedirect(next: string | null | undefined): string {
  if (next == null || !/^\/(?![/\\])[\x20-\x5b\x5d-\x7e]*$/.test(next)) return "/console";
  const target = new URL(next, "http://same.invalid");
  const { pathname } = target;
  // "/.//host" has become "//host", which a browser takes for another site.
  const isElsewhere = target.origin !== "http://same.invalid" || pathname.startsWith("//");
  if (isElsewhere || /^\/(login|register|api)(\/|$)/.test(pathname)) return "/console";
  return `${pathname}${target.search}`;
}
