"use client";

import { createContext, useEffect, useState } from "react";
import { useBackGuard } from "./use-back-guard";

/** Asks whether unsaved input may be lost, and calls `proceed` if it may. */
export type AskToDiscard = (proceed: () => void) => void;

/** What a dialog or drawer offers to the form inside it. */
interface Layer {
  /** Everything that would close the layer asks first, until the result is called. */
  guard(ask: AskToDiscard): () => void;
  /** Before the form closes the layer itself, and after it has not closed it. */
  release(): Promise<void>;
  resume(): void;
}

/** The dialog or drawer around; null on the page itself. */
export const LayerContext = createContext<Layer | null>(null);

/** How a dialog or drawer closes: after a question where a form inside it has unsaved input; Back closes it as well. */
export function useLayer(props: { open: boolean; onClose: () => void; backCloses: boolean }) {
  // A drawer may have several forms, one on each tab.
  const [asks, setAsks] = useState<AskToDiscard[]>([]);
  const ask = asks.at(-1) ?? null;
  const guard = useBackGuard({
    open: props.open && (props.backCloses || ask !== null),
    mayLeave: ask === null,
    onBack: requestClose,
  });
  const [resumed, setResumed] = useState(0);
  // Only a layer that is still there after its form was sent has effects.
  useEffect(() => {
    if (resumed > 0) guard.resume();
  }, [resumed, guard]);
  const [layer] = useState<Layer>(() => ({
    release: guard.release,
    resume: () => setResumed((times) => times + 1),
    guard: (own) => {
      setAsks((others) => [...others, own]);
      return () => setAsks((all) => all.filter((one) => one !== own));
    },
  }));
  function requestClose() {
    const close = () => void guard.release().then(props.onClose);
    if (ask === null) close();
    else ask(close);
  }
  return { layer, requestClose };
}

/**
 * What gets the focus when a layer opens: what is marked with `data-first-focus`, or the first field of its form; no field
 * on touch screens, where the keyboard would cover it.
 */
export function firstField(popup: HTMLElement | null, opened: string, within = ""): HTMLElement | true {
  const marked = popup?.querySelector<HTMLElement>("[data-first-focus]");
  if (marked != null) return marked;
  if (opened === "touch") return true;
  const fields = ["input:not([type=hidden])", "select", "textarea"].map(
    (field) => `${within} ${field}:enabled`,
  );
  return popup?.querySelector<HTMLElement>(fields.join(",")) ?? true;
}
