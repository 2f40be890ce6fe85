import { ApiError } from "../api/client";
import type { AnswerStep, Exchange, RawTraffic, UserMessage } from "./conversation";
import type { MessageImage } from "./images";

const NAME = "tollgate-playground";
const SETTINGS_NAME = "tollgate-playground-settings";
const RAW_NAME = "tollgate-playground-raw";
// Browsers keep at least 2.5 million characters for a site.
const MAX_STORED_CHARACTERS = 2_000_000;
const MAX_RAW_CHARACTERS = 400_000;
let sessionEnded = false;

/** Images are never stored: here they outlive that another page of the console is looked at. */
interface HeldImages {
  /** The data URLs of those in the conversation, by their ids. */
  sent: ReadonlyMap<string, string | null>;
  unsent: readonly MessageImage[];
}

const noImages: HeldImages = { sent: new Map(), unsent: [] };
let held = noImages;

/** What outlives a reload of the tab, never a key; with the message that is being written. */
export interface StoredPlayground extends UserMessage {
  exchanges: readonly Exchange[];
  system: string;
  tools: string;
  stop: string;
}

/** What was stored for an account in this tab; null for nothing, or for another account's, which is deleted. */
export function loadPlayground(username: string): StoredPlayground | null {
  const text = sessionStorage.getItem(NAME);
  if (text === null) return null;
  // Written by `storePlayground` alone, though perhaps by that of an older release.
  const stored = JSON.parse(text) as StoredPlayground & { username: string };
  if (stored.username === username && stored.exchanges.every(isOfThisRelease))
    return {
      ...stored,
      exchanges: stored.exchanges.map((exchange) => withUrls(exchange, (id) => held.sent.get(id) ?? null)),
      message: stored.message ?? "",
      images: held.unsent,
      stop: stored.stop ?? "",
    };
  forgetPlayground();
  return null;
}

function isOfThisRelease({ answers }: Exchange): boolean {
  return answers.every(({ steps }) => Array.isArray(steps));
}

/** An exchange with the data of its images by their ids; those of older releases have no images. */
function withUrls(exchange: Exchange, urlOf: (id: string) => string | null): Exchange {
  const images = (exchange.images ?? []).map((image) => ({ ...image, url: urlOf(image.id) }));
  return { ...exchange, images };
}

/**
 * Stores for this tab until it is closed, without images, of which it keeps the names. A conversation that is too long
 * loses its oldest exchanges.
 */
export function storePlayground(username: string, { exchanges, images, ...texts }: StoredPlayground): void {
  if (sessionEnded) return;
  const isEmpty = exchanges.length === 0 && images.length === 0;
  if (isEmpty && Object.values(texts).every((text) => text === "")) {
    forgetPlayground();
    return;
  }
  const sent = exchanges.flatMap((exchange) => exchange.images.map(({ id, url }) => [id, url] as const));
  held = { sent: new Map(sent), unsent: images };
  let kept = exchanges.map((exchange) => withUrls(settled(exchange), () => null));
  for (;;) {
    const text = JSON.stringify({ username, exchanges: kept, ...texts });
    if (text.length <= MAX_STORED_CHARACTERS || kept.length === 0) {
      if (text.length <= MAX_STORED_CHARACTERS) sessionStorage.setItem(NAME, text);
      return;
    }
    kept = kept.slice(1);
  }
}

/** The traffic of calls, by the names of their places, as it was stored for an account in this tab. */
export function loadRaw(username: string): ReadonlyMap<string, RawTraffic> {
  const text = sessionStorage.getItem(RAW_NAME);
  if (text === null) return new Map();
  const stored = JSON.parse(text) as { username: string; calls: [string, RawTraffic][] }; // written by `storeRaw` alone
  return new Map(stored.username === username ? stored.calls : []);
}

/** Stores for this tab the traffic of the latest calls for which there is room. */
export function storeRaw(username: string, raw: ReadonlyMap<string, RawTraffic>): void {
  if (sessionEnded) return;
  let room = MAX_RAW_CHARACTERS;
  const calls = [...raw].reverse().filter((call) => {
    room -= JSON.stringify(call).length;
    return room >= 0;
  });
  if (calls.length === 0) sessionStorage.removeItem(RAW_NAME);
  else sessionStorage.setItem(RAW_NAME, JSON.stringify({ username, calls: calls.reverse() }));
}

/** Deletes what is stored in this tab. */
function forgetPlayground(): void {
  sessionStorage.removeItem(NAME);
  sessionStorage.removeItem(RAW_NAME);
  held = noImages;
}

/** The settings that the address of the page had last in this tab, as a query; empty for none. */
export function loadSettings(username: string): string {
  const text = sessionStorage.getItem(SETTINGS_NAME);
  if (text === null) return "";
  const stored = JSON.parse(text) as { username: string; query: string }; // written by `storeSettings` alone
  return stored.username === username ? stored.query : "";
}

/** Stores for this tab, until it is closed, the settings that the address has. */
export function storeSettings(username: string, query: string): void {
  if (!sessionEnded) sessionStorage.setItem(SETTINGS_NAME, JSON.stringify({ username, query }));
}

/** Deletes what is stored in this tab, and lets this page store nothing more, because its session ends. */
export function endPlaygroundStorage(): void {
  sessionEnded = true;
  sessionStorage.removeItem(SETTINGS_NAME);
  forgetPlayground();
}

/** An exchange as it is kept: what was under way counts as stopped. */
export function settled(exchange: Exchange): Exchange {
  const answers = exchange.answers.map((each) => ({ ...each, steps: each.steps.map(settledStep) }));
  return { ...exchange, answers };
}

/** A call with its error as text, because JSON keeps no error; one that is under way counts as stopped. */
function settledStep(step: AnswerStep): AnswerStep {
  const failure = step.answer.failure ?? failureOf(step.error);
  return {
    ...step,
    answer: { ...step.answer, failure },
    error: null,
    running: false,
    waiting: false,
    stopped: step.stopped || step.running,
  };
}

function failureOf(error: unknown): string | null {
  if (error === null) return null;
  if (error instanceof ApiError) return error.message || error.code;
  return error instanceof Error ? error.message : String(error);
}
