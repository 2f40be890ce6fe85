"use client";

import { type RefObject, useMemo } from "react";
import { useShortcutsAllowed } from "../api/shell-facts";
import { openerOf } from "../ui/focus-main";
import { useShortcuts } from "../ui/shortcuts";

/** `j` and `k` lead to the next and the previous row of a list; Enter then opens it, `e` opens its form where it has one, and `x` ticks it where rows are ticked. */
export function useRowKeys(box: RefObject<HTMLElement | null>): void {
  const handlers = useMemo(
    () => ({
      j: () => focusRow(box.current, 1),
      k: () => focusRow(box.current, -1),
      x: () => press(box.current, "input[type=checkbox]"),
      e: () => press(box.current, "[data-edits]"),
    }),
    [box],
  );
  useShortcuts(handlers, useShortcutsAllowed());
}

/** Presses a control of the row that has the focus; false where there is none. */
function press(box: HTMLElement | null, control: string): boolean {
  const found = focusedRow(box)?.querySelector<HTMLElement>(control);
  found?.click();
  return found != null;
}

function focusedRow(box: HTMLElement | null): HTMLElement | undefined {
  return rowsOf(box).find((one) => one.contains(document.activeElement));
}

function rowsOf(box: HTMLElement | null): HTMLElement[] {
  const rows = box?.querySelectorAll<HTMLElement>("[data-row]") ?? [];
  return [...rows].filter((row) => row.getClientRects().length > 0);
}

/** Moves the focus to what opens the next or previous row, at first that of the first one; a row that opens nothing gets it itself. False without rows. */
function focusRow(box: HTMLElement | null, step: 1 | -1): boolean {
  const rows = rowsOf(box);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at === -1 ? 0 : at + step];
  const target = row && (openerOf(row) ?? row);
  if (target === undefined) return rows.length > 0;
  if (target === row) row.tabIndex = -1;
  target.focus();
  return true;
}
