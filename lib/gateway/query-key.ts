import { isGooglePath } from "./google-path";

/** The header that Google's clients send a key in. */
const HEADER = "x-goog-api-key";

/** True for a query that may hold a key. */
export function mayHoldKey(search: string): boolean {
  return /(?:^|&)key=/.test(search);
}

/**
 * The query of a call to a canonical path without its keys, so that nothing that shows a query shows a key. On paths of
 * Google's API the first of them becomes a header, unless the call has a header with a key. Changes `headers`.
 * Source: docs/gemini.md#paths.
 */
export function moveQueryKey(search: string, path: string, headers: Record<string, unknown>): string {
  if (!mayHoldKey(search)) return search;
  const pairs = search.split("&");
  const isKey = (pair: string) => pair.startsWith("key=");
  const key = new URLSearchParams(pairs.find(isKey)).get("key") ?? "";
  const given = headers[HEADER];
  const hasOther = (typeof given === "string" && given.trim() !== "") || headers.authorization !== undefined;
  if (key !== "" && !hasOther && isGooglePath(path)) headers[HEADER] = key;
  return pairs.filter((pair) => !isKey(pair)).join("&");
}
