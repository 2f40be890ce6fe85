/**
 * Moves the focus to the page's content when the focused element was removed, so that keyboard users keep their
 * position.
 */
export function focusMain(): void {
  mainElement()?.focus({ preventScroll: true });
}

export function mainElement(): HTMLElement | null {
  return document.getElementById("main");
}

/** Whether something on the page has the focus, and not the page itself. */
export function isOnPage(focused: Element | null): boolean {
  return focused !== null && focused !== document.body && focused !== mainElement();
}

/** What starts a new row of the page's list; without it the page's content. */
export function primaryOrMain(): HTMLElement | null {
  return mainElement()?.querySelector<HTMLElement>("[data-primary]") ?? mainElement();
}

/** As `focusMain`, unless the focus is in a dialog or a field. */
export function focusMainUnlessBusy(): void {
  if (!document.activeElement?.closest("[role=dialog], [role=alertdialog], input, select, textarea"))
    focusMain();
}

/** What had the focus last in a row of a list, and its row. */
let inRow: { row: HTMLElement; control: HTMLElement } | null = null;

/** Told of each element of a row that gets the focus. */
export function rememberRow(row: HTMLElement, control: Element): void {
  if (control instanceof HTMLElement && row.contains(control)) inRow = { row, control };
}

/** Moves the focus back to the row that had it last, where it was or to what opens the row; without a row to the page's content. */
export function focusRowOrMain(): void {
  const target = inRow?.control.isConnected ? inRow.control : inRow && openerOf(inRow.row);
  if (target?.checkVisibility?.()) target.focus({ preventScroll: true });
  else focusMain();
}

/** What opens a row; undefined where nothing does. */
export function openerOf(row: HTMLElement): HTMLElement | undefined {
  const marked = row.querySelector<HTMLElement>("[data-opens]");
  return marked ?? row.querySelector<HTMLElement>("a, button:not([hidden])") ?? undefined;
}
