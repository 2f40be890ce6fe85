"use client";

import { useState } from "react";
import type { Exchange } from "./conversation";

/** Exchanges that were taken away, and the way back. */
export interface Taken {
  /** What was left. */
  rest: readonly Exchange[];
  before: readonly Exchange[];
  act: "cleared" | "edited";
  putBack: () => void;
}

/** Takes exchanges away, and keeps the way back until the conversation goes on. */
export function useTaken(
  exchanges: readonly Exchange[],
  setExchanges: (exchanges: readonly Exchange[]) => void,
): {
  taken: Taken | null;
  take: (act: Taken["act"], parts: Omit<Taken, "act">) => void;
  /** There is no way back any more. */
  release: () => void;
} {
  const [taken, setTaken] = useState<Taken | null>(null);
  return {
    taken: taken !== null && endsAs(taken.rest, exchanges) ? taken : null,
    take: (act, { rest, before, putBack }) => {
      setExchanges(rest);
      const restore = () => {
        setExchanges(before);
        setTaken(null);
        putBack();
      };
      setTaken({ act, rest, before, putBack: restore });
    },
    release: () => setTaken(null),
  };
}

function endsAs(rest: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  return rest.length === exchanges.length && rest.at(-1)?.id === exchanges.at(-1)?.id;
}
