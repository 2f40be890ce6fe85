import { hasAlmostAll, typosIn, wordsOf } from "../search/typos";
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

/** Whether a text has a word at the beginning of one of its own. */
function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
}
