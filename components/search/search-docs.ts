import { typosIn } from "./typos";

/** What the search looks into: a guide, or an operation of the API reference. */
export interface DocsPage {
  href: string;
  title: string;
  /** Where it belongs: the group of a guide, the method and path of an operation. */
  note: string;
  /** Everything that it says, in pieces that are short enough to show. */
  passages: string[];
}

/** A page that has the words, with the passage that has most of them. */
export interface FoundPage {
  page: DocsPage;
  passage: string | null;
  /** The texts to mark, in lower case. */
  marked: string[];
}

/** The fewest letters of a word in which one may be wrong. */
const ONE_TYPO_FROM = 4;
/** How much of a long passage is shown before the first of the words, and in all. Unit: characters. */
const SHOWN_BEFORE = 60;
const SHOWN = 220;

/** The pages that have every typed word, the best match first; a word that no page has stands for the nearest one. */
export function searchDocs(pages: readonly DocsPage[], typed: string): FoundPage[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const texts = pages.map((page) => textOf(page));
  const forms = words.map((word) =>
    texts.some((text) => text.includes(word)) ? [word] : nearest(word, texts),
  );
  const marked = forms.flat();
  return pages
    .filter((_, at) => hasAll(texts[at] ?? "", forms))
    .map((page) => ({ page, passage: passageOf(page, forms), marked, rank: rankOf(page, forms) }))
    .sort((a, b) => a.rank - b.rank) // the order of equal ones stays
    .map(({ rank: _, ...found }) => found);
}

/** A text in pieces, of which those to mark are the words. */
export function markedPieces(
  text: string,
  words: readonly string[],
): Array<{ text: string; marked: boolean }> {
  if (words.length === 0) return [{ text, marked: false }];
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const any = new RegExp(
    `(${longestFirst.map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`,
    "i",
  );
  return text
    .split(any)
    .map((piece, at) => ({ text: piece, marked: at % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}

function textOf({ title, note, passages }: DocsPage): string {
  return [title, note, ...passages].join("\n").toLowerCase();
}

/** A word fits in any of its forms. */
function hasAll(text: string, forms: readonly string[][]): boolean {
  return forms.every((ways) => ways.some((way) => text.includes(way)));
}

/** The words of the texts that are the nearest to one with a typing error. */
function nearest(word: string, texts: readonly string[]): string[] {
  if (word.length < ONE_TYPO_FROM) return [];
  const all = [...new Set(texts.flatMap((text) => text.split(/[^\p{L}\p{N}_]+/u)))];
  const near = all
    .filter((own) => own.length >= word.length - 1)
    .map((own) => ({ own, ...typosIn(word, own) }))
    .filter(({ beginning }) => beginning <= 1);
  const fewest = Math.min(...near.map(({ whole }) => whole));
  return near.filter(({ whole }) => whole === fewest).map(({ own }) => own);
}

/**
 * Whether the words are the title, stand in it, in the title and the note, in one passage, in several, or only within
 * other words. Of equal ones that comes first whose title has more of them.
 */
function rankOf(page: DocsPage, forms: readonly string[][]): number {
  const name = page.title.toLowerCase();
  if (forms.length > 0 && name === forms.map(([way]) => way).join(" ")) return 0;
  if (hasAll(name, forms)) return 1;
  if (hasAll(`${name}\n${page.note.toLowerCase()}`, forms)) return 2;
  const text = textOf(page);
  const inTitle = forms.filter((ways) => ways.some((way) => beginsWord(name, way))).length / forms.length;
  if (!forms.every((ways) => ways.some((way) => beginsWord(text, way)))) return 5 - inTitle / 2;
  return (page.passages.some((passage) => hasAll(passage.toLowerCase(), forms)) ? 3 : 4) - inTitle / 2;
}

/** Whether a word of the text begins so: "rate" is not in "generates". */
function beginsWord(text: string, way: string): boolean {
  for (let at = text.indexOf(way); at !== -1; at = text.indexOf(way, at + 1))
    if (!/[a-z0-9]/.test(way[0] ?? "") || !/[a-z0-9]/.test(text[at - 1] ?? "")) return true;
  return false;
}

/** The passage with most of the words, cut to what lies around the first of them; null when none has any. */
function passageOf({ passages }: DocsPage, forms: readonly string[][]): string | null {
  let best = { passage: null as string | null, words: 0 };
  for (const passage of passages) {
    const own = passage.toLowerCase();
    const words = forms.filter((ways) => ways.some((way) => own.includes(way))).length;
    if (words > best.words) best = { passage, words };
  }
  const { passage } = best;
  if (passage === null || passage.length <= SHOWN) return passage ?? passages[0] ?? null;
  const own = passage.toLowerCase();
  const places = forms.flat().map((way) => own.indexOf(way));
  const first = Math.min(...places.filter((place) => place >= 0));
  return around(passage, first);
}

function around(passage: string, place: number): string {
  const space = passage.lastIndexOf(" ", Math.max(0, place - SHOWN_BEFORE));
  const from = place <= SHOWN_BEFORE ? 0 : space > 0 ? space + 1 : place - SHOWN_BEFORE;
  const piece = passage.slice(from, from + SHOWN);
  return `${from > 0 ? "… " : ""}${piece}${from + SHOWN < passage.length ? " …" : ""}`;
}
