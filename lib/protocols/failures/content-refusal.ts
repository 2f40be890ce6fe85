import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import {
  closedAccountPhrases,
  contentCodes,
  contentPhrases,
  nodeCodes,
  nodePhrases,
  ownAddressCodes,
  weakContentPhrases,
} from "./refusal-words";

/** True for a code or type word about the content that the caller sent. Source: docs/contract.md#b1. */
export function isContentCode(word: string | null): boolean {
  const letters = (word ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
  return !nodeCodes.test(letters) && contentCodes.some((part) => letters.includes(part));
}

/** True when a refusal names the caller's content by its own code. Source: docs/contract.md#b1. */
export function hasContentCode({ type, code }: UpstreamFailure): boolean {
  return isContentCode(type) || isContentCode(code);
}

/**
 * Whether a refusal is about what the caller sent (moderation, policy, safety, region of its end user), and not about
 * the node's own account, key or address: then the sentence says so, or names neither. Source: docs/contract.md#b1.
 */
export function speaksOfContent(failure: UpstreamFailure): boolean {
  if (isAboutOwnAddress(failure)) return false;
  const text = `${failure.message}\n${failure.marks ?? ""}`;
  const matches = (phrases: readonly RegExp[]) => phrases.some((phrase) => phrase.test(text));
  if (matches(closedAccountPhrases)) return false;
  const lines = (failure.marks ?? "").split("\n");
  if (hasContentCode(failure) || lines.some(isMarkOfContent) || matches(contentPhrases)) return true;
  return !matches(nodePhrases) && matches(weakContentPhrases);
}

/** True when a node refuses to serve the place where the gateway itself is. */
export function isAboutOwnAddress({ code, type, message }: UpstreamFailure): boolean {
  return (
    ownAddressCodes.has(code ?? "") ||
    ownAddressCodes.has(type ?? "") ||
    /user location is not supported for the api/i.test(message)
  );
}

/** Sentences are not codes. */
function isMarkOfContent(line: string): boolean {
  return /^[\w.:-]{1,64}$/.test(line) && isContentCode(line);
}
