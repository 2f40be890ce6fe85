"use client";

import { useContext, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useMessages } from "../i18n/provider";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { type AskToDiscard, LayerContext } from "../ui/layer";
import { useBackGuard } from "../ui/use-back-guard";
import { asksBeforeLeaving } from "./leave";

/** While a form has unsaved input: asks before its layer is closed, and before the page is left. */
export function DiscardGuard({ unsaved }: { unsaved: boolean }) {
  const text = useMessages("common").discard;
  const layer = useContext(LayerContext);
  const [proceed, setProceed] = useState<(() => void) | null>(null);
  const [ask] = useState<AskToDiscard>(() => (next: () => void) => setProceed(() => next));
  const { release } = useBackGuard({
    open: unsaved && layer === null,
    mayLeave: false,
    onBack: () => ask(() => window.history.back()),
  });
  useEffect(() => (unsaved ? layer?.guard(ask) : undefined), [unsaved, layer, ask]);
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
