"use client";

import { lazy, Suspense, useState } from "react";

const CommandPalette = lazy(() => import("./palette").then((module) => ({ default: module.CommandPalette })));
const PhoneNavigation = lazy(() =>
  import("./phone-navigation").then((module) => ({ default: module.PhoneNavigation })),
);
const ShortcutList = lazy(() =>
  import("./shortcut-list").then((module) => ({ default: module.ShortcutList })),
);

/** What lies over the page; at most one at a time. */
export type Layer = "palette" | "menu" | "shortcuts" | null;

/** The layers of the shell. The code of each is loaded when it is opened first. */
export function Layers(props: { layer: Layer; onClose: () => void; admin: boolean }) {
  const { layer, onClose } = props;
  const [used, setUsed] = useState<readonly Layer[]>([]);
  // A layer that was open once stays, closed, so that it can leave with its transition.
  if (layer !== null && !used.includes(layer)) setUsed([...used, layer]);
  return (
    <Suspense fallback={null}>
      {used.includes("menu") && (
        <PhoneNavigation open={layer === "menu"} onClose={onClose} admin={props.admin} />
      )}
      {used.includes("palette") && <CommandPalette open={layer === "palette"} onClose={onClose} />}
      {used.includes("shortcuts") && <ShortcutList open={layer === "shortcuts"} onClose={onClose} />}
    </Suspense>
  );
}
