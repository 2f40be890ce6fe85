"use client";

import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMessages } from "../i18n/provider";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { type AskToDiscard, LayerContext } from "../ui/layer";
import { useBackGuard } from "../ui/use-back-guard";
import { asksBeforeLeaving } from "./leave";

/**
 * While a form has unsaved input: asks before its layer is closed, and before the page is left. While it is being sent
 * it stays, so that its answer is seen.
 */
export function DiscardGuard(props: {
  unsaved: boolean;
  sending: boolean;
  /** What is asked where it is not about the input of a form. */
  words?: { title: string; body: string; action: string; keep: string };
}) {
  const { unsaved, sending } = props;
  const { discard: ofForm } = useMessages("common");
  const text = props.words ?? ofForm;
  const layer = useContext(LayerContext);
  const [proceed, setProceed] = useState<(() => void) | null>(null);
  const isSending = useRef(false);
  useLayoutEffect(() => {
    isSending.current = sending;
  }, [sending]);
  const [ask] = useState<AskToDiscard>(() => (next: () => void) => {
    if (!isSending.current) setProceed(() => next);
  });
  const { release } = useBackGuard({
    open: unsaved && layer === null,
    mayLeave: false,
    onBack: () => ask(() => window.history.back()),
  });
  // Before the next key is pressed: Escape must find the layer guarded.
  useLayoutEffect(() => (unsaved ? layer?.guard(ask) : undefined), [unsaved, layer, ask]);
  useEffect(() => (unsaved ? asksBeforeLeaving(ask) : undefined), [unsaved, ask]);
  async function discard() {
    // Closed before it goes: a drawer that stays would wait for a question that is no longer there.
    flushSync(() => setProceed(null));
    await release();
    proceed?.();
  }
  return (
    <ConfirmDialog
      open={proceed !== null}
      onClose={() => setProceed(null)}
      onConfirm={() => void discard()}
      title={text.title}
      body={<p>{text.body}</p>}
      action={text.action}
      cancel={text.keep}
    />
  );
}
