"use client";

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

/** How lists show their rows: as a table, as cards, or as both, of which the stylesheet hides one. */
export type RowLayout = "table" | "cards" | "both";

/** The width from which rows are a table, as `md` in the stylesheet. */
const WIDE = "(width >= 48rem)";

const FirstRowLayout = createContext<RowLayout>("both");

/** Tells the lists below how the server renders rows, which does not know the width of the page. */
export function FirstRowLayoutProvider(props: { layout: RowLayout; children: ReactNode }) {
  return <FirstRowLayout.Provider value={props.layout}>{props.children}</FirstRowLayout.Provider>;
}

/** How rows are shown at this width of the page; until the browser has taken over the page, as the server did. */
export function useRowLayout(): RowLayout {
  const first = useContext(FirstRowLayout);
  return useSyncExternalStore(onWidth, layoutOfWidth, () => first);
}

function onWidth(changed: () => void): () => void {
  const wide = window.matchMedia(WIDE);
  wide.addEventListener("change", changed);
  return () => wide.removeEventListener("change", changed);
}

function layoutOfWidth(): RowLayout {
  return window.matchMedia(WIDE).matches ? "table" : "cards";
}
