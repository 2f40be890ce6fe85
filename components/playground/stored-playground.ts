import type { MessageImage } from "@/lib/protocols/kit/turn";
import { hasSessionEnded, playgroundEntries } from "../api/account-storage";
import { ApiError } from "../api/client";
import { allExchanges, inBranches, shorter } from "./branches";
import type { AnswerStep, Exchange, RawTraffic, UserMessage } from "./conversation";

const NAME = playgroundEntries.conversation;
const SETTINGS_NAME = playgroundEntries.settings;
const RAW_NAME = playgroundEntries.traffic;
// Browsers keep at least 2.5 million characters for a site.
const MAX_STORED_CHARACTERS = 2_000_000;
const MAX_RAW_CHARACTERS = 400_000;

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
  schema: string;
  /** Which one of the kept conversations it is; null while it is none. */
  place: KeptPlace | null;
}

/** A kept conversation, as it was last read or written by this tab. */
export interface KeptPlace {
  id: string;
  /** Another one with each change. */
  revision: string;
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
      exchanges: restored(stored.exchanges),
      message: stored.message ?? "",
      images: held.unsent,
      stop: stored.stop ?? "",
      schema: stored.schema ?? "",
      place: stored.place ?? null,
    };
  forgetPlayground();
  return null;
}

function isOfThisRelease({ answers }: Exchange): boolean {
  return answers.every(({ steps }) => Array.isArray(steps));
}

/** An exchange with the data of its images by their ids; those of older releases have no images. */
function withUrls(exchange: Exchange, urlOf: (id: string) => string | null): Exchange {
  return inBranches(exchange, (each) => ({
    ...each,
    images: (each.images ?? []).map((image) => ({ ...image, url: urlOf(image.id) })),
  }));
}

/**
 * Stores for this tab until it is closed, without images, of which it keeps the names. A conversation that is too long
 * loses its oldest exchanges.
 */
export function storePlayground(
  username: string,
  { exchanges, images, place, ...texts }: StoredPlayground,
): void {
  if (hasSessionEnded()) return;
  const isEmpty = exchanges.length === 0 && images.length === 0;
  if (isEmpty && Object.values(texts).every((text) => text === "")) {
    forgetPlayground();
    return;
  }
  const sent = allExchanges(exchanges).flatMap((exchange) =>
    exchange.images.map(({ id, url }) => [id, url] as const),
  );
  held = { sent: new Map(sent), unsent: images };
  const text = fitting(exchanges, MAX_STORED_CHARACTERS, (kept) => ({
    username,
    exchanges: kept,
    place,
    ...texts,
  }));
  if (text !== null) sessionStorage.setItem(NAME, text);
}

/** JSON with exchanges as they are kept, of which the oldest go until it is short enough; null when it never is. */
export function fitting(
  exchanges: readonly Exchange[],
  characters: number,
  wrap: (kept: readonly Exchange[]) => object,
): string | null {
  let kept: readonly Exchange[] = exchanges.map((exchange) => {
    const text = withSteps(settled(exchange), (step) => ({ ...step, error: errorToKeep(step.error) }));
    return withUrls(text, () => null);
  });
  for (;;) {
    const text = JSON.stringify(wrap(kept));
    if (text.length <= characters) return text;
    if (kept.length === 0) return null;
    kept = shorter(kept);
  }
}

/** The exchanges of JSON, with their errors and the images that this page still has. */
export function restored(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.map((exchange) => {
    const whole = withSteps(exchange, (step) => ({
      ...step,
      error: errorOf(step.error as KeptError | null),
    }));
    return withUrls(whole, (id) => held.sent.get(id) ?? null);
  });
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
  if (hasSessionEnded()) return;
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
  if (!hasSessionEnded()) sessionStorage.setItem(SETTINGS_NAME, JSON.stringify({ username, query }));
}

/** An exchange whose calls have ended: what was under way counts as stopped. */
export function settled(exchange: Exchange): Exchange {
  return withSteps(exchange, (step) => ({
    ...step,
    running: false,
    waiting: false,
    stopped: step.stopped || step.running,
  }));
}

function withSteps(exchange: Exchange, change: (step: AnswerStep) => AnswerStep): Exchange {
  return inBranches(exchange, (each) => ({
    ...each,
    answers: each.answers.map((answer) => ({ ...answer, steps: answer.steps.map(change) })),
  }));
}

/** What JSON has of an error: of one of the API what its panel shows. */
type KeptError = ConstructorParameters<typeof ApiError>[0] | { message: string };

function errorToKeep(error: unknown): KeptError | null {
  if (error === null) return null;
  if (!(error instanceof ApiError))
    return { message: error instanceof Error ? error.message : String(error) };
  const { status, code, message, requestId, reason, retryAfterSeconds } = error;
  // Where a rate limit refused the call, the time to wait passes meanwhile.
  return {
    status,
    code,
    message,
    requestId,
    reason,
    retryAfterSeconds: status === 429 ? null : retryAfterSeconds,
  };
}

function errorOf(kept: KeptError | null): Error | null {
  if (kept === null) return null;
  return "code" in kept ? new ApiError(kept) : new Error(kept.message);
}
