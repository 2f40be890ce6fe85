"use client";

import { useEffect, useRef } from "react";
import { DRAFT_PREFIX, openDrafts } from "./redirect-to-login";
import { useShell } from "./shell-facts";

/**
 * Restores what was typed when a session ended; only for the same account, and only once.
 * Source: docs/dashboard.md#s2-10.
 */
export function usePersistedDraft<Draft extends object>(options: {
  /** Null: this form is not stored. */
  name: string | null;
  /** The typed values, or a function that reads them. */
  draft: Draft | (() => Draft);
  restore: (kept: Partial<Draft>) => void;
  secrets?: readonly (keyof Draft)[];
}): void {
  const { username } = useShell();
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const name = options.name === null ? null : `${username} ${options.name}`;
  useEffect(() => {
    if (name === null) return;
    const kept = take<Draft>(name, typed(latest.current.draft));
    if (kept !== null) latest.current.restore(kept);
    openDrafts.set(name, () => withoutSecrets(typed(latest.current.draft), latest.current.secrets ?? []));
    return () => {
      openDrafts.delete(name);
    };
  }, [name]);
}

/** Whether something is stored that the form of this name restores when it opens. */
export function hasDraft(username: string, name: string): boolean {
  return sessionStorage.getItem(`${DRAFT_PREFIX}${username} ${name}`) !== null;
}

function typed<Draft extends object>(draft: Draft | (() => Draft)): Draft {
  return typeof draft === "function" ? draft() : draft;
}

/** Drops fields that the form no longer has, or that have other parts than they had. */
function take<Draft extends object>(name: string, known: Draft): Partial<Draft> | null {
  const text = sessionStorage.getItem(DRAFT_PREFIX + name);
  if (text === null) return null;
  sessionStorage.removeItem(DRAFT_PREFIX + name);
  const entries = Object.entries(JSON.parse(text)).filter(
    ([field, value]) => field in known && hasParts(value, known[field as keyof Draft]),
  );
  // Written by this module from a draft of the same form.
  return Object.fromEntries(entries) as Partial<Draft>;
}

/** Whether a kept value has the parts of a known one; an older release may have kept fewer. */
export function hasParts(kept: unknown, known: unknown): boolean {
  if (typeof known !== "object" || known === null) return true;
  if (kept === null) return Array.isArray(known); // a list that is left open
  if (typeof kept !== "object" || Array.isArray(kept) !== Array.isArray(known)) return false;
  if (Array.isArray(known))
    return known.length === 0 || Object.values(kept).every((entry) => hasParts(entry, known[0]));
  const parts = new Map(Object.entries(kept));
  return Object.entries(known).every(([name, part]) => parts.has(name) && hasParts(parts.get(name), part));
}

function withoutSecrets<Draft extends object>(draft: Draft, secrets: readonly (keyof Draft)[]): object {
  return Object.fromEntries(
    Object.entries(draft).filter(([field]) => !secrets.some((name) => name === field)),
  );
}
