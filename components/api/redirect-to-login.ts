/** What is typed in each open form, without its secrets, by the name of the form. */
export const openDrafts = new Map<string, () => object>();

/** Drafts in the tab's storage begin with this. */
export const DRAFT_PREFIX = "tollgate-draft:";

const ONCE_MS = 5_000;
let leftAt = Number.NEGATIVE_INFINITY;

/**
 * Goes to the login page and comes back here afterwards; what was typed is kept in this tab.
 * Source: docs/dashboard.md#s2-10.
 */
export function redirectToLogin(): void {
  // Several calls of a page are refused at once; the first one has it leave.
  if (performance.now() - leftAt < ONCE_MS) return;
  leftAt = performance.now();
  const here = window.location.pathname + window.location.search;
  try {
    for (const [name, read] of openDrafts)
      sessionStorage.setItem(DRAFT_PREFIX + name, JSON.stringify(read()));
  } finally {
    window.location.assign(`/login?expired=1&next=${encodeURIComponent(here)}`);
  }
}

/** Whether this page is one of the account, where an ended session means to sign in again. */
export function needsSession(): boolean {
  return /^\/(console|admin)(\/|$)/.test(window.location.pathname);
}
