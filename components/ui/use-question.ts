"use client";

import { useState } from "react";

/** A question of a dialog that something waits for. */
interface Question<About> {
  /** What is asked about; null while nothing is. */
  open: About | null;
  ask: (about: About) => Promise<boolean>;
  answer: (meant: boolean) => void;
}

/** Asks in a dialog whether something is meant, and goes on with the answer. */
export function useQuestion<About>(): Question<About> {
  const [asked, setAsked] = useState<{ about: About; answer: (meant: boolean) => void } | null>(null);
  return {
    open: asked?.about ?? null,
    ask: (about) => new Promise<boolean>((answer) => setAsked({ about, answer })),
    answer: (meant) => {
      asked?.answer(meant);
      setAsked(null);
    },
  };
}
