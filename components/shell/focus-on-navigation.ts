"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { focusMain, mainElement } from "../ui/focus-main";
import { keepKeysUntil } from "./kept-keys";

/** The path of the page that is shown, once it has the focus. */
let shown: string | null = null;

/** Moves the focus to the new page's content, so that screen readers continue there, unless the page has done so, and marks it as live. */
export function useFocusOnNavigation(): void {
  const path = usePathname();
  const before = useRef(path);
  useEffect(() => {
    shown = path;
    mainElement()?.setAttribute("data-live", "");
    if (before.current === path) return;
    before.current = path;
    if (mainElement()?.contains(document.activeElement) !== true) focusMain();
  }, [path]);
}

/** The same as an element. */
export function FocusOnNavigation() {
  useFocusOnNavigation();
  return null;
}

/** Keeps what is typed for the page that is about to open. */
export function keepKeysForPage(href: string): void {
  const from = shown;
  if (new URL(href, window.location.href).pathname !== from) keepKeysUntil(() => shown !== from);
}
