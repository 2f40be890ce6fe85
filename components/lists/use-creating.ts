"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useEffectEvent, useState } from "react";
import { hasDraft } from "../api/persisted-draft";
import { useShell } from "../api/shell-facts";

/**
 * Does what an address asks for, such as that of a command of the palette, and takes it out of the address: Back would do
 * it again. `ready`: the page can do it now.
 */
export function useAsked<Value extends string>(
  name: string,
  values: readonly Value[],
  ready: boolean,
  onAsked: (value: Value) => void,
): void {
  const [asked, setAsked] = useQueryState(name, parseAsStringLiteral(values));
  const tell = useEffectEvent(onAsked);
  useEffect(() => {
    if (asked === null || !ready) return;
    void setAsked(null).then(() => tell(asked));
  }, [asked, ready, setAsked]);
}

/**
 * Whether the address is being written. A layer that opens before has an entry of the history in front of it that does
 * not name it, and Back would close it without a question.
 */
export function useWriting(): [boolean, (written: Promise<unknown>) => void] {
  const [writing, setWriting] = useState(false);
  const wait = (written: Promise<unknown>) => {
    setWriting(true);
    void written.finally(() => setWriting(false));
  };
  return [writing, wait];
}

const createValues = ["1"] as const;

/**
 * Whether the form of a new row is open. An address with `?create=1` opens it, and so does what was typed in the form of
 * the name `draft` when the session ended.
 */
export function useCreating(draft: string): [boolean, (creating: boolean) => void] {
  const [creating, setCreating] = useState(false);
  const { username } = useShell();
  useEffect(() => {
    if (hasDraft(username, draft)) setCreating(true);
  }, [username, draft]);
  useAsked("create", createValues, true, () => setCreating(true));
  return [creating, setCreating];
}

/** Tells which of the rows was being edited when the session ended; the name of its form is `draft` and its id. */
export function useKeptEdit<Row extends { id: string }>(
  draft: string,
  rows: readonly Row[] | undefined,
  onKept: (row: Row) => void,
): void {
  const { username } = useShell();
  const tell = useEffectEvent(onKept);
  useEffect(() => {
    const kept = rows?.find(({ id }) => hasDraft(username, draft + id));
    if (kept !== undefined) tell(kept);
  }, [username, draft, rows]);
}
