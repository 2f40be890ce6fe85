"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { focusMain, mainElement } from "../ui/focus-main";

/** Moves the focus to the new page's content, so that screen readers continue there, unless the page has done so. */
export function useFocusOnNavigation(): void {
  const path = usePathname();
  const before = useRef(path);
  useEffect(() => {
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
