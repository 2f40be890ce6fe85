/** What the Playground stores in this tab: the conversation, the settings of its address, and the traffic of its calls. */
export const playgroundEntries = {
  conversation: "tollgate-playground",
  settings: "tollgate-playground-settings",
  traffic: "tollgate-playground-raw",
} as const;

/** Whose conversations this browser keeps, and what the names of their entries begin with. */
export const OWNER_NAME = "tollgate-conversations";
export const KEPT_PREFIX = "tollgate-conversation:";

let ended = false;

/** Whether the session has ended on purpose: this page stores nothing more. */
export function hasSessionEnded(): boolean {
  return ended;
}

/**
 * Deletes what is stored in this tab, and the conversations that this browser keeps, and lets this page store nothing
 * more, because its session ends.
 */
export function endAccountStorage(): void {
  ended = true;
  for (const name of Object.values(playgroundEntries)) sessionStorage.removeItem(name);
  forgetKept();
}

/** Deletes the conversations that this browser keeps; other tabs keep none without an owner. */
export function forgetKept(): void {
  localStorage.removeItem(OWNER_NAME);
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(KEPT_PREFIX)) localStorage.removeItem(name);
  }
}
