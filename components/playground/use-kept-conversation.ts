"use client";

import { useRef, useState } from "react";
import { useShell } from "../api/shell-facts";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";
import type { Exchange } from "./conversation";
import { type KeptContent, keepConversation, MAX_KEPT, readKept } from "./kept-conversations";
import type { KeptPlace } from "./stored-playground";

/** Keeps the conversation of this tab in the list of this browser. */
export interface KeptConversation {
  /** Of the conversation in the list; null while it is not there. */
  id: string | null;
  place: () => KeptPlace | null;
  /** Takes up a conversation that this tab has stored. */
  resume: (place: KeptPlace | null, content: KeptContent) => void;
  /** Whether these exchanges are in the list as they are. */
  has: (exchanges: readonly Exchange[]) => boolean;
  save: (content: KeptContent) => void;
  /** What comes is another conversation. The result goes back to this one. */
  begin: () => () => void;
  /** Goes on with a kept conversation; null where it is no more. */
  open: (id: string) => KeptContent | null;
}

export function useKeptConversation(): KeptConversation {
  const { username } = useShell();
  const text = useMessages("playground").kept;
  const [id, setId] = useState<string | null>(null);
  const here = useRef<{ place: KeptPlace | null; content: KeptContent | null }>({
    place: null,
    content: null,
  });
  function set(place: KeptPlace | null, content: KeptContent | null) {
    here.current = { place, content };
    setId(place?.id ?? null);
  }
  return {
    id,
    place: () => here.current.place,
    resume: set,
    has: (exchanges) => here.current.content?.exchanges === exchanges,
    save: (content) => {
      if (content.exchanges.length === 0 || isSame(here.current.content, content)) return;
      const done = keepConversation(username, here.current.place, content);
      if (done === null) return;
      set(done.place, content);
      if (!done.kept) toast.failed(text.full);
      const [oldest] = done.removed;
      if (oldest !== undefined) toast.done(fill(text.oldestGone, { title: oldest.title, count: MAX_KEPT }));
    },
    begin: () => {
      const before = here.current;
      set(null, null);
      return () => set(before.place, before.content);
    },
    open: (wanted) => {
      const found = readKept(wanted);
      if (found === null) return null;
      set(found.place, found.content);
      return found.content;
    },
  };
}

function isSame(known: KeptContent | null, content: KeptContent): boolean {
  return (
    known !== null &&
    known.exchanges === content.exchanges &&
    known.system === content.system &&
    known.tools === content.tools &&
    known.stop === content.stop &&
    known.schema === content.schema
  );
}
