const MAX_RUN = 256;

const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}(?=\\S)`, "g");

/**
 * Splits a text so that no part has a run of more than 256 characters without whitespace: the time of byte-pair
 * encoding grows with the square of a run. Never splits a surrogate pair. Source: docs/performance.md#s1.
 */
export function splitLongRuns(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(LONG_RUN)) {
    let end = match.index + match[0].length;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(from, end));
    from = end;
  }
  parts.push(text.slice(from));
  return parts;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
