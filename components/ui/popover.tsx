"use client";

import { Popover as Base } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import { cn } from "./cn";

/** A panel with controls behind a button; Escape and a click elsewhere close it. What is in it is made when it opens. */
export function Popover(props: {
  label: string;
  trigger: ReactNode;
  triggerClass: string;
  className?: string;
  /** Which of its sides is that of the button; `end` by default. */
  align?: "start" | "end";
  /** Open from the start. */
  defaultOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Root defaultOpen={props.defaultOpen ?? false}>
      <Base.Trigger className={props.triggerClass}>{props.trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          className="z-50 outline-none"
          sideOffset={6}
          align={props.align ?? "end"}
          collisionPadding={16}
        >
          <Base.Popup
            aria-label={props.label}
            className={cn(
              "max-h-(--available-height) max-w-(--available-width) overflow-y-auto rounded-lg border bg-page p-4 shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0",
              props.className ?? "w-104",
            )}
          >
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
