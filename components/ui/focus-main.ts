/** Gives the focus to the page's content when what had it is gone, so that the keyboard does not begin anew. */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** The same, unless something still has it. */
export function focusMainIfLost(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusMain();
}
