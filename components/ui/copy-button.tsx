"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useMessages } from "../i18n/provider";
import { type ButtonSize, type ButtonVariant, buttonClass } from "./button";
import { cn } from "./cn";

/** Copies text to the clipboard; without the clipboard API (plain http) by a selection. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyBySelection(text);
    }
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "fixed top-0 opacity-0";
  const focused = document.activeElement;
  (focused?.closest("[role=dialog],[role=alertdialog]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}

async function copyLoaded(load: () => Promise<string>): Promise<boolean> {
  const text = await load().catch(() => null);
  return text !== null && copyText(text);
}

/** Copies and confirms it, also to screen readers. */
export function CopyButton(props: {
  /** A text that is loaded first may fail, which is told as a failure to copy. */
  text: string | (() => Promise<string>);
  label?: string;
  iconOnly?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  onCopied?: () => void;
  className?: string;
}) {
  const messages = useMessages("common");
  const [state, setState] = useState<"idle" | "done" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const label = props.label ?? messages.copy;
  const said = state === "done" ? messages.copied : state === "failed" ? messages.copyFailed : "";
  async function copy() {
    const done = typeof props.text === "string" ? await copyText(props.text) : await copyLoaded(props.text);
    setState(done ? "done" : "failed");
    if (done) props.onCopied?.();
  }
  const Icon = state === "done" ? Check : Copy;
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={props.iconOnly === true ? label : undefined}
        title={props.iconOnly === true ? label : undefined}
        className={cn(
          buttonClass(props.variant ?? "secondary", props.iconOnly === true ? "mini" : (props.size ?? "sm")),
          props.iconOnly === true && "text-muted",
          props.className,
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        {props.iconOnly !== true && (state === "idle" ? label : said)}
      </button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
