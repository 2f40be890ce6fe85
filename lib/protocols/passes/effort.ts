import { type Effort, effortWords } from "../generation/request";

/** The wanted effort, or the nearest lower one that exists, or the lowest of all; null when there is none. */
export function nearestEffort(wanted: Effort, levels: readonly Effort[]): Effort | null {
  if (levels.length === 0) return null;
  const rank = (word: Effort) => effortWords.indexOf(word);
  const ordered = levels.toSorted((left, right) => rank(left) - rank(right));
  return ordered.findLast((level) => rank(level) <= rank(wanted)) ?? ordered[0] ?? null;
}
