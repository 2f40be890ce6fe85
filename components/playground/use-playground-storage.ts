"use client";

import { useEffect, useRef, useState } from "react";
import { useShell } from "../api/shell-facts";
import type { Exchange, UserMessage } from "./conversation";
import { beginKeeping } from "./kept-conversations";
import { takeTexts } from "./link-texts";
import { loadPlayground, type StoredPlayground, storePlayground } from "./stored-playground";
import { noTexts, type PlaygroundTexts } from "./texts";
import { type KeptConversation, useKeptConversation } from "./use-kept-conversation";

export const noMessage: UserMessage = { message: "", images: [] };

/** The message that is being written. Its box keeps it, so that a typed letter draws nothing else anew. */
export interface MessageDraft {
  /** What the box is to hold instead; a new object each time. */
  written: UserMessage | null;
  write: (message: UserMessage) => void;
  /** What the box holds, and who is told of it. */
  current: () => UserMessage;
  onChange: (message: UserMessage) => void;
}

/**
 * Restores once, with the texts of a shared link in place of stored ones, then stores after every change that no call is
 * making, and when the page is left: in this tab, and in the list of conversations.
 */
export function usePlaygroundStorage(
  now: { exchanges: readonly Exchange[]; texts: PlaygroundTexts; running: boolean },
  restore: (stored: StoredPlayground) => void,
): { draft: MessageDraft; kept: KeptConversation } {
  const { username } = useShell();
  const { exchanges, texts, running } = now;
  const kept = useKeptConversation();
  const [restored, setRestored] = useState(false);
  const [written, setWritten] = useState<MessageDraft["written"]>(null);
  const draft = useRef(noMessage);
  const latest = useRef({ exchanges, texts, restored, restore, kept });
  useEffect(() => {
    latest.current = { exchanges, texts, restored, restore, kept };
  });
  useEffect(() => {
    beginKeeping(username);
    const stored = loadPlayground(username);
    const shared = takeTexts();
    if (stored !== null || shared !== null) {
      const all = { exchanges: [], ...noMessage, ...noTexts, place: null, ...stored, ...shared };
      latest.current.restore(all);
      latest.current.kept.resume(all.place, all);
    }
    if (stored !== null && (stored.message !== "" || stored.images.length > 0))
      setWritten({ message: stored.message, images: stored.images });
    setRestored(true);
  }, [username]);
  useEffect(() => {
    if (!restored || running) return;
    const list = latest.current.kept;
    // Of texts alone the list hears when the conversation is left: each letter of them would write all of it.
    if (!list.has(exchanges)) list.save({ exchanges, ...texts });
    storePlayground(username, { exchanges, ...texts, ...draft.current, place: list.place() });
  }, [restored, running, username, exchanges, texts]);
  useEffect(() => {
    const leave = () => {
      const { restored: known, exchanges: last, texts: beside, kept: list } = latest.current;
      // What is stored must not be lost where the page is left before it was read.
      if (!known) return;
      list.save({ exchanges: last, ...beside });
      storePlayground(username, { exchanges: last, ...beside, ...draft.current, place: list.place() });
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [username]);
  const box: MessageDraft = {
    written,
    write: (message) => setWritten({ ...message }),
    current: () => draft.current,
    onChange: (message) => {
      draft.current = message;
    },
  };
  return { draft: box, kept };
}
