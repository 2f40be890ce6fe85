"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";

/** What Back must not leave at once: a layer that Back closes, or a form with unsaved input. */
interface Guarded {
  /** Whether it stays open after Back, to ask first. */
  stays(): boolean;
  onBack(): void;
}

/** The one that was opened last gets Back. All of them share one extra entry of the history. */
const guarded: Guarded[] = [];

/** The path of the extra entry while it is the current one. */
let entered: string | null = null;

/** Told when the history has arrived at the entry before the extra one. */
let leaving: (() => void)[] | null = null;

/** The title by which nuqs knows entries that are no navigation; after others it forgets what is set but not written. */
const KEEPS_QUEUE = "__nuqs__";

/** Adds the extra entry while anything is guarded, and goes back from it when nothing is any more. */
function settle(): void {
  if (leaving !== null) return;
  const here = window.location.pathname;
  if (guarded.length > 0 && entered !== here) {
    if (entered === null) window.addEventListener("popstate", onPop);
    entered = here;
    // The router's own state: for it this is the same page. What waits to be written to the address stays in its queue.
    window.history.pushState(window.history.state, KEEPS_QUEUE, window.location.href);
  } else if (guarded.length === 0 && entered !== null) {
    if (entered === here) {
      leaving = [];
      window.history.back();
    } else forget(); // somebody followed a link from the extra entry
  }
}

function forget(): void {
  entered = null;
  window.removeEventListener("popstate", onPop);
}

function onPop(): void {
  forget();
  const told = leaving;
  leaving = null;
  const top = told === null ? guarded.at(-1) : undefined;
  if (top?.stays() === false) guarded.pop();
  settle();
  // nuqs forgets what is set before its own listener of this event has run, which may be the later one.
  setTimeout(() => {
    for (const tell of told ?? []) tell();
    top?.onBack();
  });
}

function add(item: Guarded | null): void {
  if (item === null || guarded.includes(item)) return;
  guarded.push(item);
  settle();
}

/** Resolves when the history is as it was before. */
function drop(item: Guarded | null): Promise<void> {
  const at = item === null ? -1 : guarded.indexOf(item);
  if (at !== -1) guarded.splice(at, 1);
  settle();
  const told = leaving;
  return told === null ? Promise.resolve() : new Promise((resolve) => told.push(resolve));
}

/** Lets everybody leave the page without being asked. */
export function dropAllGuards(): void {
  guarded.length = 0;
}

/**
 * Keeps somebody on the page who has something open: while `open`, Back stays here and calls `onBack`, and, unless
 * `mayLeave`, the browser asks before a reload. `release` takes the extra entry of the history away again; call it
 * before what is open closes by other means. `resume` guards again what stays open after all.
 */
export function useBackGuard(guard: { open: boolean; mayLeave: boolean; onBack: () => void }) {
  const { open, mayLeave } = guard;
  const item = useRef<Guarded | null>(null);
  const stays = useEffectEvent(() => !guard.mayLeave);
  const onBack = useEffectEvent(() => guard.onBack());
  useEffect(() => {
    if (!open) return;
    const own = { stays: () => stays(), onBack: () => onBack() };
    item.current = own;
    add(own);
    return () => {
      item.current = null;
      const at = guarded.indexOf(own);
      if (at !== -1) guarded.splice(at, 1);
      // What opens in its place in the same moment takes over the entry.
      setTimeout(settle);
    };
  }, [open]);
  useEffect(() => {
    if (!open || mayLeave) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (item.current !== null && guarded.includes(item.current)) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [open, mayLeave]);
  const [controls] = useState(() => ({
    release: () => drop(item.current),
    resume: () => add(item.current),
  }));
  return controls;
}
