import { sourceFiles } from "./source-files";

/** Documents by path, with the anchors that each has. */
export function documentAnchors(): ReadonlyMap<string, ReadonlySet<string>> {
  const documents = sourceFiles(/^docs\/.*\.md$/);
  return new Map(documents.map(({ path, text }) => [path, new Set(anchorsOf(text))]));
}

/** The explicit anchors of a document, in its order. */
export function anchorsOf(text: string): string[] {
  return [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
}

/** One anchor of a document. */
export interface Link {
  document: string;
  anchor: string;
}

const LINKS = /\bdocs\/[a-z0-9/-]+\.md#[a-z0-9-]+(?: \([^)]*\))?(?:,? (?:and )?#[a-z0-9-]+(?: \([^)]*\))?)*/g;

/** Every `docs/<file>.md#<anchor>` of a text; further anchors of the same document follow as `#<anchor>`. */
export function linksOf(text: string): Link[] {
  return [...unwrapped(text).matchAll(LINKS)].flatMap(([chain]) => {
    const document = chain.slice(0, chain.indexOf("#"));
    const anchors = chain.replace(/ \([^)]*\)/g, "").matchAll(/#([a-z0-9-]+)/g);
    return [...anchors].map(([, anchor = ""]) => ({ document, anchor }));
  });
}

/** What follows each `Source:` of a text's comments. */
export function citationsOf(text: string): string[] {
  return [...unwrapped(text).matchAll(/(?<![A-Za-z"'`])Source:[ ]([^\n]*)/g)].map(([, rest = ""]) => rest);
}

/** Joins comments over several lines. */
function unwrapped(text: string): string {
  return text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|--)[ \t]+/g, " ");
}

/** The lines of a Markdown text that are neither of a table nor of a block of code, with their numbers from 1. */
export function proseLinesOf(text: string): { line: string; number: number }[] {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || /^\s*\|/.test(line) ? [] : [{ line, number: index + 1 }];
  });
}

/** The number of words of a Markdown text; the marks of its tables, lists and headings are none. */
export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /[^|:#-]/.test(word)).length;
}
