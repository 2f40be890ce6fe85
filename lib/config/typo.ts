const LOOK_ALIKES = new Set(["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "HOSTNAME", "PORTS", "POST"]);

/**
 * Warnings for environment variables that look like a misspelt setting.
 * Shape: one sentence per variable, values never shown.
 */
export function typoWarnings(names: readonly string[], known: readonly string[]): string[] {
  const unknown = names.filter((name) => !known.includes(name) && !LOOK_ALIKES.has(name));
  return unknown.flatMap((name) => {
    const meant = known.find((candidate) => distance(name, candidate) <= (candidate.length >= 8 ? 2 : 1));
    return meant ? [`${name} is not a setting and has no effect; did you mean ${meant}?`] : [];
  });
}

function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
