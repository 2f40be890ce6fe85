const KNOWN_OTHERS = new Set(["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "HOSTNAME", "PORTS", "POST"]);

/**
 * Warnings for environment variables that look like a misspelt setting.
 * Shape: one sentence per variable, values never shown.
 */
export function typoWarnings(names: readonly string[], known: readonly string[]): string[] {
  const unknown = names.filter((name) => !known.includes(name) && !KNOWN_OTHERS.has(name));
  return unknown.flatMap((name) => {
    const suggestion = known.find(
      (candidate) => distance(name, candidate) <= (candidate.length >= 8 ? 2 : 1),
    );
    return suggestion ? [`${name} is not a setting and has no effect; did you mean ${suggestion}?`] : [];
  });
}

function distance(first: string, second: string): number {
  if (Math.abs(first.length - second.length) > 2) return 3;
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let i = 1; i <= first.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= second.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (first[i - 1] === second[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[second.length] ?? 0;
}
