"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "./button";
import { cn } from "./cn";
import { focusRowOrMain } from "./focus-main";

const manager = Base.createToastManager();

/** A result, a result that can be taken back, or a failure. */
type Kind = "done" | "undo" | "failed";

/** How many of each are shown at once: all of them fit on a phone and can be reached. */
const most: Record<Kind, number> = { done: 1, undo: 2, failed: 2 };

interface Shown {
  id: string;
  kind: Kind;
  words: string;
  record: string | undefined;
}

/** What is shown, the oldest first. */
let shown: Shown[] = [];

/** A toast is a message; the library calls it a dialog that is not modal. */
const noDialog = { "aria-modal": undefined };

/** The library hides the button from assistive technology until toasts have the focus, though it can be reached. */
const notHidden = { "aria-hidden": undefined };

/** Shows the result of a user's action; errors stay until dismissed. */
export const toast = {
  /**
   * A result takes the place of the one of the same record or wording. The answer takes the message away again.
   * `record` is the id of what was changed.
   */
  done(title: string, more: { action?: ToastAction | undefined; record?: string } = {}): () => void {
    const { action, record } = more;
    takeAway((one) => one.kind !== "failed" && (one.words === title || isOf(one, record)));
    const id: string = show(action === undefined ? "done" : "undo", title, record, {
      title,
      type: "done",
      timeout: 5000,
      ...(action === undefined
        ? {}
        : {
            actionProps: {
              children: action.label,
              onClick: () => {
                manager.close(id);
                focusRowOrMain();
                action.onClick();
              },
            },
          }),
    });
    return () => manager.close(id);
  },
  /** The answer takes the message away again. */
  failed(title: string, description?: string): () => void {
    const words = `${title} ${description ?? ""}`;
    takeAway((one) => one.kind === "failed" && one.words === words);
    const id = show("failed", words, undefined, { title, description, type: "failed", timeout: 0 });
    return () => manager.close(id);
  },
  /** Takes away what was said of a record that is no more: nothing of it can be taken back. */
  forget(record: string): void {
    takeAway((one) => isOf(one, record));
  },
};

interface ToastAction {
  label: string;
  onClick: () => void;
}

function isOf(one: Shown, record: string | undefined): boolean {
  return record !== undefined && one.record === record;
}

function takeAway(which: (one: Shown) => boolean): void {
  for (const { id } of shown.filter(which)) manager.close(id);
  shown = shown.filter((one) => !which(one));
}

/** Shows a message; the oldest of its kind makes room for it. */
function show(
  kind: Kind,
  words: string,
  record: string | undefined,
  message: Parameters<typeof manager.add>[0],
): string {
  const others = shown.filter((one) => one.kind === kind);
  const leaving = others.slice(0, Math.max(0, others.length - most[kind] + 1));
  takeAway((one) => leaving.includes(one));
  const id: string = manager.add({
    ...message,
    onClose: () => {
      shown = shown.filter((one) => one.id !== id);
    },
  });
  shown.push({ id, kind, words, record });
  return id;
}

/** The library keeps the focus from those beyond its own limit, which would stay in sight. */
const LIMIT = most.done + most.undo + most.failed;

/** Where toasts appear; once per page. It is drawn after the page, which shows none before. */
export function ToastArea(props: { children: ReactNode }) {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  return (
    <Base.Provider toastManager={manager} limit={LIMIT}>
      {props.children}
      {isDrawn && <Toasts />}
    </Base.Provider>
  );
}

function Toasts() {
  const text = useMessages("common");
  return (
    <Base.Portal>
      <Base.Viewport
        aria-label={text.notifications}
        className="fixed right-4 bottom-4 z-60 flex [body:has([data-bulk-bar])_&]:bottom-(--above-bulk-bar) [body:has([data-drawer])_&]:bottom-20 w-[min(380px,calc(100vw-32px))] flex-col gap-2 outline-none"
      >
        <ToastList />
      </Base.Viewport>
    </Base.Portal>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager();
  const text = useMessages("common");
  return toasts.map((entry) => (
    <Base.Root
      key={entry.id}
      toast={entry}
      role={entry.type === "failed" ? "alert" : "status"}
      {...noDialog}
      className="rounded-lg bg-page shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-start gap-3 p-3">
        {entry.type === "failed" ? (
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        )}
        <div className="grid min-w-0 flex-1 gap-0.5">
          <Base.Title render={<p />} className="font-medium wrap-anywhere" />
          <Base.Description className="text-sm wrap-anywhere text-muted" />
        </div>
        <Base.Action className={cn(buttonClass("secondary", "sm"), "empty:hidden")} />
        <Base.Close
          className="flex size-6 items-center justify-center rounded-sm hover:bg-hover"
          aria-label={text.dismiss}
          {...notHidden}
        >
          <X aria-hidden className="size-4" />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}
