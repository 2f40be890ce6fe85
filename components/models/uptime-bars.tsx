"use client";

import { type KeyboardEvent, type ReactNode, useState } from "react";
import { cn } from "../ui/cn";

/**
 * A picture of bars, each with its words in `data-label`: those of the bar under a pointer, a finger or the arrow keys
 * stand above it.
 */
export function UptimeBars(props: { sentence: string; className: string; children: ReactNode }) {
  const [shown, setShown] = useState<{ at: number; of: number; label: string } | null>(null);
  function show(bars: Element, wanted: number) {
    const of = bars.children.length;
    const at = Math.max(0, Math.min(of - 1, wanted));
    setShown({ at, of, label: bars.children[at]?.getAttribute("data-label") ?? "" });
  }
  function pointAt({ currentTarget, clientX }: { currentTarget: Element; clientX: number }) {
    const { left, width } = currentTarget.getBoundingClientRect();
    show(currentTarget, Math.floor(((clientX - left) / width) * currentTarget.children.length));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && shown !== null) {
      event.stopPropagation(); // a drawer around it stays
      setShown(null);
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(event.currentTarget, shown === null ? event.currentTarget.children.length - 1 : shown.at + step);
  }
  return (
    <div className={cn("relative", props.className)}>
      <div
        role="img"
        aria-label={props.sentence}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go through the bars, as in a chart
        tabIndex={0}
        className="grid h-full auto-cols-fr grid-flow-col grid-rows-1 items-end gap-px rounded-sm"
        onPointerDown={pointAt}
        onPointerMove={pointAt}
        // A finger leaves at once; what it has pointed at stays.
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setShown(null)}
        onFocus={({ currentTarget }) =>
          shown === null && show(currentTarget, currentTarget.children.length - 1)
        }
        onBlur={() => setShown(null)}
        onKeyDown={onKeyDown}
      >
        {props.children}
      </div>
      <p role="status" className="pointer-events-none absolute inset-x-0 bottom-full z-10 mb-1 flex text-xs">
        {shown !== null && (
          <>
            <span style={{ flexGrow: shown.at }} />
            <span className="tabular rounded-md bg-page px-2 py-1 shadow-float">{shown.label}</span>
            <span style={{ flexGrow: shown.of - 1 - shown.at }} />
          </>
        )}
      </p>
    </div>
  );
}
