"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "./button";
import { cn } from "./cn";
import { focusMain } from "./focus-main";

const manager = Base.createToastManager();

/** The latest message of each wording: said again, it takes the place of the one before. */
const said = new Map<string, string>();

/** A toast is a message; the library calls it a dialog that is not modal. */
const noDialog = { "aria-modal": undefined };

/** The library hides the button from assistive technology until toasts have the focus, though it can be reached. */
const notHidden = { "aria-hidden": undefined };

/** Shows the result of a user's action; errors stay until dismissed. */
export const toast = {
  /** The result takes the message away again. */
  done(title: string, action?: { label: string; onClick: () => void }): () => void {
    const before = said.get(title);
    if (before !== undefined) manager.close(before);
    const id: string = manager.add({
      title,
      type: "done",
      onRemove: () => {
        if (said.get(title) === id) said.delete(title);
      },
      timeout: 5000,
      ...(action === undefined
        ? {}
        : {
            actionProps: {
              children: action.label,
              onClick: () => {
                manager.close(id);
                focusMain();
                action.onClick();
              },
            },
          }),
    });
    said.set(title, id);
    return () => manager.close(id);
  },
  /** The result takes the message away again. */
  failed(title: string, description?: string): () => void {
    const id = manager.add({ title, description, type: "failed", timeout: 0 });
    return () => manager.close(id);
  },
};

/** Where toasts appear; once per page. */
export function ToastArea(props: { children: ReactNode }) {
  const text = useMessages("common");
  return (
    <Base.Provider toastManager={manager} limit={3}>
      {props.children}
      <Base.Portal>
        <Base.Viewport
          aria-label={text.notifications}
          className="fixed right-4 bottom-4 z-60 flex w-[min(380px,calc(100vw-32px))] flex-col gap-2 outline-none"
        >
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
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
