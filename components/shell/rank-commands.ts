import type { Command } from "./use-commands";

/** What the order of an entry depends on. */
export type Ranked = Pick<Command, "label" | "keywords" | "name" | "note" | "elsewhere" | "guessed">;

/** How well an entry matches, the best first. */
const EXACT = 0;
const PREFIX = 1;
const WORD_PREFIX = 2;
const SUBSTRING = 3;
/** By words that the entry does not show. */
const HIDDEN = 4;

/**
 * The commands that a text names and the records that were found for it, in the order of the palette: the best match
 * first, and of equal ones those of the space where the reader is. Of entries with one name that show nothing of what
 * is typed only the first is kept.
 */
export function rankCommands<Entry extends Ranked>(
  commands: readonly Entry[],
  records: readonly Entry[],
  typed: string,
): Entry[] {
  const query = typed.trim().toLowerCase();
  if (query === "") return [...commands, ...records];
  const words = query.split(/\s+/);
  const textOf = ({ label, keywords }: Entry) => `${label} ${keywords}`.toLowerCase();
  const exact = commands.filter((command) => hasAll(textOf(command), words));
  const isFound = exact.length > 0 || records.some(({ guessed }) => guessed !== true);
  const named = isFound ? exact : almostNamed(commands, words, textOf);
  const ranked = [...named, ...records].map((entry) => ({ entry, rank: matchOf(entry, query) }));
  // The order of equal ones stays.
  ranked.sort(
    (a, b) => a.rank - b.rank || Number(a.entry.elsewhere ?? false) - Number(b.entry.elsewhere ?? false),
  );
  const names = new Set<string>();
  return ranked.flatMap(({ entry, rank }) => {
    const name = nameOf(entry);
    if (rank === HIDDEN && names.has(name)) return [];
    names.add(name);
    return [entry];
  });
}

/** Whether an entry is so weak a match that a record which is still searched for may be meant. */
export function isWeakMatch(entry: Ranked, typed: string): boolean {
  return matchOf(entry, typed.trim().toLowerCase()) >= SUBSTRING;
}

/** What was found, with the pages of the docs after it: a title that begins with what is typed precedes weak matches. */
export function withGuides<Entry extends Ranked>(
  ranked: readonly Entry[],
  guides: readonly Entry[],
  typed: string,
): Entry[] {
  const isTitle = (guide: Entry) => matchOf(guide, typed.trim().toLowerCase()) <= PREFIX;
  const isWeak = (entry: Entry) => isWeakMatch(entry, typed);
  return [
    ...ranked.filter((entry) => !isWeak(entry)),
    ...guides.filter(isTitle),
    ...ranked.filter(isWeak),
    ...guides.filter((guide) => !isTitle(guide)),
  ];
}

function matchOf(entry: Ranked, query: string): number {
  const texts = [nameOf(entry), entry.label.toLowerCase()];
  if (texts.includes(query)) return EXACT;
  if (texts.some((text) => text.startsWith(query))) return PREFIX;
  const words = query.split(/\s+/);
  const shown = `${entry.label} ${entry.note ?? ""}`.toLowerCase();
  if (words.every((word) => startsWord(shown, word))) return WORD_PREFIX;
  return hasAll(shown, words) ? SUBSTRING : HIDDEN;
}

function nameOf({ name, label }: Ranked): string {
  return (name ?? label).toLowerCase();
}

function hasAll(text: string, words: string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** The fewest letters of a word in which one letter may be wrong, and two. */
const ONE_TYPO_FROM = 4;
const TWO_TYPOS_FROM = 8;

/** The entries that words with typing errors name, those first whose label has the words whole. */
function almostNamed<Entry extends Ranked>(
  commands: readonly Entry[],
  words: string[],
  textOf: (entry: Entry) => string,
): Entry[] {
  const errors = ({ label }: Entry) => {
    const own = wordsOf(label.toLowerCase());
    const fewest = (word: string) => Math.min(...own.map((one) => typosIn(word, one).whole));
    return words.reduce((sum, word) => sum + fewest(word), 0);
  };
  return commands
    .filter((command) => hasAlmostAll(textOf(command), words))
    .sort((a, b) => errors(a) - errors(b));
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u);
}

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

/** Whether a text has a word at the beginning of one of its own. */
function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
}
