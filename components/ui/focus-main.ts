/**
 * Moves the focus to the page's content when the focused element was removed, so that keyboard users keep their
 * position.
 */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** As `focusMain`, unless the focus is in a dialog or a field. */
export function focusMainUnlessBusy(): void {
  if (!document.activeElement?.closest("[role=dialog], [role=alertdialog], input, select, textarea"))
    focusMain();
}
