import { ApiError } from "../api/client";
import type { Exchange, ModelAnswer } from "./conversation";

const NAME = "tollgate-playground";
const MAX_STORED_CHARACTERS = 2_000_000;
let sessionEnded = false;

/** What outlives a reload of the tab. */
export interface StoredPlayground {
  exchanges: readonly Exchange[];
  system: string;
  tools: string;
}

/** What was stored for an account in this tab; null for nothing, or for another account's, which is deleted. */
export function loadPlayground(username: string): StoredPlayground | null {
  const text = sessionStorage.getItem(NAME);
  if (text === null) return null;
  // Written by `storePlayground` alone.
  const stored = JSON.parse(text) as StoredPlayground & { username: string };
  if (stored.username === username) return stored;
  forgetPlayground();
  return null;
}

/** Stores for this tab until it is closed. A conversation that is too long loses its oldest exchanges. */
export function storePlayground(username: string, { exchanges, system, tools }: StoredPlayground): void {
  if (sessionEnded) return;
  let kept = exchanges.map((exchange) => ({ ...exchange, answers: exchange.answers.map(settled) }));
  for (;;) {
    const text = JSON.stringify({ username, exchanges: kept, system, tools });
    if (text.length <= MAX_STORED_CHARACTERS || kept.length === 0) {
      if (text.length <= MAX_STORED_CHARACTERS) sessionStorage.setItem(NAME, text);
      return;
    }
    kept = kept.slice(1);
  }
}

/** Deletes what is stored in this tab. */
export function forgetPlayground(): void {
  sessionStorage.removeItem(NAME);
}

/** Deletes what is stored in this tab, and lets this page store nothing more, because its session ends. */
export function endPlaygroundStorage(): void {
  sessionEnded = true;
  forgetPlayground();
}

/** An answer with its error as text, because JSON keeps no error; one that is under way counts as stopped. */
function settled(each: ModelAnswer): ModelAnswer {
  const failure = each.answer.failure ?? failureOf(each.error);
  return {
    ...each,
    answer: { ...each.answer, failure },
    error: null,
    running: false,
    stopped: each.stopped || each.running,
  };
}

function failureOf(error: unknown): string | null {
  if (error === null) return null;
  if (error instanceof ApiError) return error.message || error.code;
  return error instanceof Error ? error.message : String(error);
}
