"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";

/** A short note on hover or focus. The text must also be reachable another way. */
export function Tooltip(props: { note: ReactNode; children: ReactNode; className?: string }) {
  return (
    <Base.Root>
      <Base.Trigger
        render={<button type="button" />}
        className={
          props.className ??
          "min-h-6 cursor-default rounded-sm text-left underline decoration-line decoration-dotted underline-offset-4"
        }
      >
        {props.children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="max-w-72 rounded-md bg-fg px-2 py-1 text-xs text-page shadow-float">
            {props.note}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
