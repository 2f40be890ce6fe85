import { compareCodes } from "@/lib/shared/collate";
import { sumDecimals } from "@/lib/shared/decimal";
import { forgetKept, KEPT_PREFIX, OWNER_NAME } from "../api/account-storage";
import { allExchanges } from "./branches";
import type { Exchange } from "./conversation";
import { fitting, type KeptPlace, restored } from "./stored-playground";

/** How many conversations this browser keeps; the oldest go. */
export const MAX_KEPT = 50;
// Browsers keep at least 2.5 million characters for a site.
const MAX_ALL_CHARACTERS = 2_000_000;
const MAX_ONE_CHARACTERS = 800_000;
const MAX_TITLE_CHARACTERS = 80;
const CHANGED = "tollgate-conversations-changed";

/** A line of the list of conversations. */
export interface KeptSummary extends KeptPlace {
  title: string;
  /** Whether somebody gave it this title; else it is the first message. */
  named: boolean;
  /** When it was changed last, as ISO 8601. */
  at: string;
  models: readonly string[];
  /** Exact cents; null while nothing of it is known to be billed. */
  cost: string | null;
}

/** What is kept of a conversation. */
export interface KeptContent {
  exchanges: readonly Exchange[];
  system: string;
  tools: string;
  stop: string;
  schema: string;
}

/** Lets this browser keep the conversations of an account; those of another one are deleted. */
export function beginKeeping(username: string): void {
  if (localStorage.getItem(OWNER_NAME) === username) return;
  forgetKept();
  localStorage.setItem(OWNER_NAME, username);
}

/** All conversations, the latest first. */
export function keptConversations(): KeptSummary[] {
  const summaries = Object.keys(localStorage)
    .filter((name) => name.startsWith(KEPT_PREFIX))
    .flatMap((name) => summaryOf(name.slice(KEPT_PREFIX.length)) ?? []);
  return summaries.sort((one, other) => compareCodes(other.at, one.at));
}

/**
 * Keeps a conversation. One that another tab has changed since is left as it is there, and this one is kept beside it.
 * Null where this browser keeps nothing for the account any more.
 */
export function keepConversation(
  username: string,
  place: KeptPlace | null,
  { exchanges, ...texts }: KeptContent,
): { place: KeptPlace; removed: KeptSummary[]; kept: boolean } | null {
  if (localStorage.getItem(OWNER_NAME) !== username) return null;
  const stored = place === null ? null : summaryOf(place.id);
  const isOwn = place !== null && (stored === null || stored.revision === place.revision);
  const id = isOwn ? place.id : newId();
  const summary: KeptSummary = {
    id,
    revision: newId(),
    at: new Date().toISOString(),
    ...(stored?.named === true
      ? { title: stored.title, named: true }
      : { title: titleOf(exchanges), named: false }),
    models: modelsOf(exchanges),
    cost: costOf(exchanges),
  };
  const content = fitting(exchanges, MAX_ONE_CHARACTERS, (kept) => ({ exchanges: kept, ...texts }));
  const { kept, removed } =
    content === null ? { kept: false, removed: [] } : write(id, `${JSON.stringify(summary)}\n${content}`);
  tell();
  return { place: { id, revision: summary.revision }, removed, kept };
}

/** A kept conversation; null when it is no more. */
export function readKept(id: string): { place: KeptPlace; content: KeptContent } | null {
  const text = localStorage.getItem(KEPT_PREFIX + id);
  const place = summaryOf(id);
  if (text === null || place === null) return null;
  const content = JSON.parse(text.slice(text.indexOf("\n") + 1)) as KeptContent; // written by `keepConversation` alone
  return { place, content: { ...content, exchanges: restored(content.exchanges) } };
}

/** Gives a conversation another title. */
export function renameKept(id: string, title: string): void {
  const text = localStorage.getItem(KEPT_PREFIX + id);
  const summary = summaryOf(id);
  if (text === null || summary === null) return;
  const named = { ...summary, title: title.slice(0, MAX_TITLE_CHARACTERS), named: true };
  localStorage.setItem(KEPT_PREFIX + id, JSON.stringify(named) + text.slice(text.indexOf("\n")));
  tell();
}

/** Deletes conversations; the result puts them back. */
export function removeKept(ids: readonly string[]): () => void {
  const owner = localStorage.getItem(OWNER_NAME);
  const texts = ids.map((id) => [id, localStorage.getItem(KEPT_PREFIX + id)] as const);
  for (const id of ids) localStorage.removeItem(KEPT_PREFIX + id);
  tell();
  return () => {
    if (owner === null || localStorage.getItem(OWNER_NAME) !== owner) return; // the session has ended since
    for (const [id, text] of texts) if (text !== null) write(id, text);
    tell();
  };
}

/** Calls at each change of the kept conversations, in this tab or another one. The result ends it. */
export function onKeptChange(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(CHANGED, listener);
    window.removeEventListener("storage", listener);
  };
}

function tell(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/** The first line of an entry; the rest is read only when the conversation is opened. */
function summaryOf(id: string): KeptSummary | null {
  const text = localStorage.getItem(KEPT_PREFIX + id);
  return text === null ? null : (JSON.parse(text.slice(0, text.indexOf("\n"))) as KeptSummary);
}

/** Writes an entry, for which the oldest others make room. */
function write(id: string, text: string): { kept: boolean; removed: KeptSummary[] } {
  const others = keptConversations().filter((other) => other.id !== id);
  const removed: KeptSummary[] = [];
  const lengthOf = (other: KeptSummary) => localStorage.getItem(KEPT_PREFIX + other.id)?.length ?? 0;
  let room = MAX_ALL_CHARACTERS - text.length - others.reduce((sum, other) => sum + lengthOf(other), 0);
  for (;;) {
    if (others.length < MAX_KEPT && room >= 0 && isStored(id, text)) return { kept: true, removed };
    const oldest = others.pop();
    if (oldest === undefined) return { kept: false, removed };
    room += lengthOf(oldest);
    localStorage.removeItem(KEPT_PREFIX + oldest.id);
    removed.push(oldest);
  }
}

/** False where the browser has no room. */
function isStored(id: string, text: string): boolean {
  try {
    localStorage.setItem(KEPT_PREFIX + id, text);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

function titleOf([first]: readonly Exchange[]): string {
  const words = first?.message.trim().replace(/\s+/g, " ") ?? "";
  const title = words === "" ? (first?.images ?? []).map(({ name }) => name).join(", ") : words;
  return [...title].slice(0, MAX_TITLE_CHARACTERS).join("");
}

function modelsOf(exchanges: readonly Exchange[]): string[] {
  return [...new Set(allExchanges(exchanges).flatMap(({ answers }) => answers.map(({ model }) => model)))];
}

function costOf(exchanges: readonly Exchange[]): string | null {
  const steps = allExchanges(exchanges).flatMap(({ answers }) => answers.flatMap((each) => each.steps));
  const costs = steps.flatMap(({ cost }) => cost ?? []);
  return costs.length === 0 ? null : sumDecimals(costs);
}

function newId(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}
