/** A same-site path to redirect to after login; anything else becomes the console. */
export function sanitizeRedirect(next: string | null | undefined): string {
  if (next == null || !/^\/(?![/\\])[\x20-\x5b\x5d-\x7e]*$/.test(next)) return "/console";
  const target = new URL(next, "http://same.invalid");
  if (target.origin !== "http://same.invalid" || /^\/(login|register|api)(\/|$)/.test(target.pathname)) {
    return "/console";
  }
  return `${target.pathname}${target.search}`;
}
