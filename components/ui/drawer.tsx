"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "./button";
import { cn } from "./cn";
import { openerOfRow } from "./focus-main";
import { firstField, LayerContext, useLayer } from "./layer";
import { ScrollBox } from "./scroll-box";
import { Tabs } from "./tabs";

/** A panel from the right edge with the semantics of a dialog; full width on phones. The caller keeps the open state. */
export function Drawer<Tab extends string = string>(props: {
  /** Open unless said otherwise: most drawers exist only while they are open. */
  open?: boolean;
  onClose: () => void;
  /** It has an entry of its own in the history; else Back closes it by means of an extra one. */
  inHistory?: boolean;
  /** The row that is shown, where it may be another one than that which was opened: it gets the focus in the end. */
  rowId?: string | null;
  /** It is there to be read: no field gets the focus, which would scroll to it. */
  forReading?: boolean;
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children?: ReactNode;
  /** Parts of the content, below the children. */
  tabs?: ComponentProps<typeof Tabs<Tab>>;
  /** A row below the content that does not scroll. */
  footer?: ReactNode;
}) {
  const text = useMessages("common");
  const { open = true, onClose, tabs } = props;
  const popup = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const row = useLast(props.rowId);
  const { layer, requestClose } = useLayer({ open, onClose, backCloses: !props.inHistory });
  return (
    <Base.Root open={open} onOpenChange={(opens) => !opens && requestClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim fixed inset-0 z-40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          ref={popup}
          data-drawer
          onKeyDown={(event) => scrollBy(event, content.current)}
          initialFocus={props.forReading === true || ((opened) => firstField(popup.current, opened, "form"))}
          finalFocus={() => openerOfRow(row.current) ?? true}
          className={cn(
            "fixed inset-y-0 right-0 z-40 flex w-full max-w-[520px] flex-col bg-page shadow-float outline-none",
            "transition-transform duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full",
          )}
        >
          <header className="flex items-center gap-2 border-b px-4 py-3 sm:px-6">
            <Base.Title className="min-w-0 flex-1 text-lg font-semibold wrap-anywhere">
              {props.title}
            </Base.Title>
            {props.actions}
            <Base.Close className={cn(buttonClass("ghost", "icon"), "-mr-2")} aria-label={text.close}>
              <X aria-hidden className="size-4" />
            </Base.Close>
          </header>
          <ScrollBox
            ref={content}
            label={props.title}
            className="min-h-0 flex-1 scroll-py-16 px-4 py-4 sm:px-6"
          >
            <LayerContext value={layer}>
              {props.children}
              {tabs !== undefined && (
                <div className="not-first:mt-4">
                  <Tabs {...tabs} />
                </div>
              )}
            </LayerContext>
          </ScrollBox>
          <div className="flex flex-wrap gap-2 border-t px-4 py-3 empty:hidden sm:px-6">{props.footer}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The last value that was none of null and undefined. */
function useLast<Value>(value: Value | null | undefined) {
  const last = useRef<Value>(null);
  useEffect(() => {
    if (value != null) last.current = value;
  }, [value]);
  return last;
}

/** The keys that scroll a page scroll a drawer while the focus is in its head, where nothing else has a use for them. */
function scrollBy(event: KeyboardEvent<HTMLElement>, content: HTMLElement | null): void {
  if (content === null || event.defaultPrevented || content.contains(event.target as Node)) return;
  const page = content.clientHeight * 0.9;
  const steps: Partial<Record<string, number>> = {
    ArrowDown: 40,
    ArrowUp: -40,
    PageDown: page,
    PageUp: -page,
    End: content.scrollHeight,
    Home: -content.scrollHeight,
  };
  const top = steps[event.key];
  if (top === undefined || !event.currentTarget.contains(event.target as Node)) return;
  event.preventDefault();
  content.scrollBy({ top });
}
