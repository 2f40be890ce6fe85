"use client";

import { useSyncExternalStore } from "react";
import { useLanguage } from "../i18n/provider";

/** How lists show their rows: as a table, as cards, or as both, of which the stylesheet hides one. */
type RowLayout = "table" | "cards" | "both";

/** The width from which rows are a table, as `md` in the stylesheet; on paper they always are. */
const WIDE = "print, (width >= 48rem)";

/**
 * How rows are shown at this width of the page. The server does not know the width: it draws cards for a phone and both
 * forms for others, and so does the browser until it has taken over the page.
 */
export function useRowLayout(): RowLayout {
  const { isPhone } = useLanguage();
  return useSyncExternalStore(onWidth, layoutOfWidth, () => (isPhone ? "cards" : "both"));
}

function onWidth(changed: () => void): () => void {
  const wide = window.matchMedia(WIDE);
  wide.addEventListener("change", changed);
  return () => wide.removeEventListener("change", changed);
}

function layoutOfWidth(): RowLayout {
  return window.matchMedia(WIDE).matches ? "table" : "cards";
}
