"use client";

import { useEffect, useEffectEvent, useRef } from "react";

/**
 * Keeps somebody on the page who has something to lose: while `open`, Back stays here and calls `onBack`, and, unless
 * `mayLeave`, the browser asks before a reload. The result takes the extra entry of the history away again; call it
 * before what is open closes by other means.
 */
export function useBackGuard(guard: { open: boolean; mayLeave: boolean; onBack: () => void }) {
  const { open, mayLeave } = guard;
  const entered = useRef(false);
  const releasing = useRef<(() => void) | null>(null);
  const onPop = useEffectEvent(() => {
    entered.current = false;
    const release = releasing.current;
    releasing.current = null;
    if (release !== null) return release();
    if (!mayLeave) enter();
    guard.onBack();
  });
  function enter() {
    if (entered.current) return;
    entered.current = true;
    // The router's own state: for it this is the same page.
    window.history.pushState(window.history.state, "", window.location.href);
  }
  const onOpen = useEffectEvent(enter);
  useEffect(() => {
    if (!open) return;
    onOpen();
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, [open]);
  useEffect(() => {
    if (!open || mayLeave) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [open, mayLeave]);
  return function release(): Promise<void> {
    if (!entered.current) return Promise.resolve();
    return new Promise((resolve) => {
      releasing.current = resolve;
      window.history.back();
    });
  };
}
