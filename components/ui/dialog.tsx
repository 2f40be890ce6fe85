"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "./button";
import { cn } from "./cn";
import { focusAfterLayer } from "./focus-main";
import { firstField, LayerContext, useLayer } from "./layer";

const widths = { sm: "w-[440px]", md: "w-[560px]", lg: "w-[720px]", xl: "w-256" };

/** A modal dialog; the caller keeps the open state and may refuse to close. */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
  hideClose?: boolean;
  role?: "alertdialog";
  children: ReactNode;
}) {
  const text = useMessages("common");
  const popup = useRef<HTMLDivElement>(null);
  /** What had the focus before; the page itself when the palette has opened the dialog. */
  const before = useRef<Element>(null);
  const { layer, requestClose } = useLayer({ ...props, backCloses: false });
  return (
    <Base.Root open={props.open} onOpenChange={(open) => !open && requestClose()}>
      <Base.Portal>
        <Base.Backdrop
          forceRender
          className="scrim fixed inset-0 z-50 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Base.Popup
          ref={popup}
          role={props.role ?? "dialog"}
          initialFocus={(opened) => {
            before.current = document.activeElement;
            return firstField(popup.current, opened);
          }}
          finalFocus={() => focusAfterLayer(before.current, true)}
          className={cn(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] max-w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col",
            "rounded-xl bg-page shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0",
            widths[props.size ?? "md"],
          )}
        >
          <header className="flex items-start gap-4 border-b px-4 py-4 sm:px-6">
            <div className="grid min-w-0 flex-1 gap-1">
              <Base.Title className="text-lg font-semibold wrap-anywhere">{props.title}</Base.Title>
              {props.description !== undefined && (
                <Base.Description className="text-sm text-muted">{props.description}</Base.Description>
              )}
            </div>
            {props.hideClose !== true && (
              <Base.Close className={cn(buttonClass("ghost", "icon"), "-mr-2 -mt-1")} aria-label={text.close}>
                <X aria-hidden className="size-4" />
              </Base.Close>
            )}
          </header>
          <LayerContext value={layer}>
            <div className="min-h-0 overflow-y-auto px-4 py-4 sm:px-6">{props.children}</div>
          </LayerContext>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions(props: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{props.children}</div>;
}
