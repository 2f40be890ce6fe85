/** Gives the focus to the page's content when what had it is gone, so that the keyboard does not begin anew. */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** The same, unless somebody is busy in a dialog or a field. */
export function focusMainUnlessBusy(): void {
  if (!document.activeElement?.closest("[role=dialog], [role=alertdialog], input, select, textarea"))
    focusMain();
}
