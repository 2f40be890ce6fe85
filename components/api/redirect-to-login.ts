import { dropAllGuards } from "../ui/use-back-guard";

/** The typed values of each open form, without secrets, by form name. */
export const openDrafts = new Map<string, () => object>();

/** Drafts in the tab's storage begin with this. */
export const DRAFT_PREFIX = "tollgate-draft:";

const ONCE_MS = 5_000;
let redirectedAt = Number.NEGATIVE_INFINITY;

/**
 * Redirects to the login page, which returns here; typed values are stored in this tab.
 * Source: docs/dashboard.md#s2-10.
 */
export function redirectToLogin(): void {
  // Several calls of a page may be refused at once; only the first one redirects.
  if (performance.now() - redirectedAt < ONCE_MS) return;
  redirectedAt = performance.now();
  const here = window.location.pathname + window.location.search;
  try {
    for (const [name, read] of openDrafts)
      sessionStorage.setItem(DRAFT_PREFIX + name, JSON.stringify(read()));
  } finally {
    dropAllGuards();
    window.location.assign(`/login?expired=1&next=${encodeURIComponent(here)}`);
  }
}

/** Runs what ends the session on purpose: calls that are refused meanwhile and after it redirect nowhere. */
export async function endWithoutRedirect(end: () => Promise<unknown>): Promise<void> {
  redirectedAt = Number.POSITIVE_INFINITY;
  try {
    await end();
  } catch (error) {
    redirectedAt = Number.NEGATIVE_INFINITY;
    throw error;
  }
}

/** True for pages of the account, where an ended session requires a new login. */
export function needsSession(): boolean {
  return /^\/(console|admin)(\/|$)/.test(window.location.pathname);
}
