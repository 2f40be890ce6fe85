"use client";

import { useEffect } from "react";

/** True while a text field has the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** True when a dialog or a drawer has the keyboard. One that is fading away has lost it. */
export function layerIsOpen(): boolean {
  return document.querySelector(":is([role=dialog],[role=alertdialog]):not([data-closed])") !== null;
}

/** The same without drawers, which are parts of their page. */
export function dialogIsOpen(): boolean {
  const dialogs = ":is([role=dialog],[role=alertdialog]):not([data-closed],[data-drawer])";
  return document.querySelector(dialogs) !== null;
}

/** True when Escape is to give the keys back to the page: in a field that has no use for it. */
export function leavesField(event: KeyboardEvent): boolean {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !isTyping(event)) return false;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=listbox], [role=menu]") === null;
}

/**
 * Calls the handler of a single key or a two-key sequence such as `g k`; one that returns false had no use for it. Unless
 * `inDrawers`, a drawer keeps the keys for itself.
 */
export function useShortcuts(
  handlers: Record<string, () => unknown>,
  enabled: boolean,
  inDrawers = false,
): void {
  useEffect(() => {
    let first = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    function onKey(event: KeyboardEvent) {
      if (!enabled || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (inDrawers ? dialogIsOpen() : layerIsOpen()) return;
      const sequence = first === "" ? event.key : `${first} ${event.key}`;
      const handler = handlers[sequence];
      clearTimeout(timer);
      if (handler !== undefined) {
        first = "";
        if (handler() !== false) event.preventDefault();
        return;
      }
      first = Object.keys(handlers).some((name) => name.startsWith(`${event.key} `)) ? event.key : "";
      if (first !== "") event.preventDefault();
      timer = setTimeout(() => {
        first = "";
      }, 1000);
    }
    window.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKey);
    };
  }, [handlers, enabled, inDrawers]);
}
