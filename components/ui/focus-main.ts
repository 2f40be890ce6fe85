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

/**
 * Where the focus goes from a layer that closes; true: back to `before`, what had it. Where that was the page itself, it
 * goes to what starts a new row, if `orPrimary` and the page has it, else to the content: that is done here, as the layer
 * would choose the first control in it.
 */
export function focusAfterLayer(before: Element | null, orPrimary = false): boolean {
  if (before !== null && before !== document.body && before !== mainElement()) return true;
  const primary = orPrimary ? mainElement()?.querySelector<HTMLElement>("[data-primary]") : null;
  (primary ?? mainElement())?.focus({ preventScroll: true });
  return false;
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

/** What opens the row with an id, where that row is on the page. */
export function openerOfRow(id: string | null): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const row = id === null ? undefined : rows.find((one) => one.dataset.row === id && one.checkVisibility());
  return row && openerOf(row);
}
