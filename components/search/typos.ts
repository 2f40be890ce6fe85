/** The fewest letters of a word in which one letter may be wrong, and two. */
const ONE_TYPO_FROM = 4;
const TWO_TYPOS_FROM = 8;

/** Whether each word is almost the beginning of a word of the text. */
export function hasAlmostAll(text: string, words: string[]): boolean {
  const own = wordsOf(text);
  return words.every((word) => {
    const most = word.length >= TWO_TYPOS_FROM ? 2 : word.length >= ONE_TYPO_FROM ? 1 : 0;
    return text.includes(word) || (most > 0 && own.some((one) => typosIn(word, one).beginning <= most));
  });
}

/**
 * How many letters have to be added, left out, replaced or swapped with the next one for a word to be another, and to
 * begin it.
 */
export function typosIn(typed: string, word: string): { whole: number; beginning: number } {
  let [before, last] = [[] as number[], Array.from({ length: word.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= typed.length; row++) {
    const next = [row];
    for (let at = 1; at <= word.length; at++) {
      const same = typed[row - 1] === word[at - 1];
      const swapped = row > 1 && at > 1 && typed[row - 1] === word[at - 2] && typed[row - 2] === word[at - 1];
      next[at] = Math.min(
        (last[at] ?? row) + 1,
        (next[at - 1] ?? row) + 1,
        (last[at - 1] ?? row) + (same ? 0 : 1),
        swapped ? (before[at - 2] ?? row) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return { whole: last[word.length] ?? typed.length, beginning: Math.min(...last) };
}

/** The words of a text. */
export function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u);
}
