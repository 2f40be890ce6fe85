import { clientProtocols, nodeProtocols, protocolTitles } from "@/lib/protocols/protocol";

/** How near the protocols are named that a list leaves out. Units: characters. */
const NEAR = 80;

const titles = Object.entries(protocolTitles);
const ids = titles.map(([id]) => id);
const counts = new Set([clientProtocols.length, nodeProtocols.length, ids.length]);

const name = `[\`"]?\\b(?:${[...titles.map(([, title]) => title), ...ids].join("|")})\\b[\`"]?`;
const joint = "(?:\\s*[|/,]\\s*(?:or\\s+|and\\s+)?|\\s+(?:or|and)\\s+)";
const list = new RegExp(`${name}(?:${joint}${name})+`, "gi");
/** A cell of a table that tells the protocols of its row. */
const cellOfRow = new RegExp(`^\\s*${name}(?:,\\s*${name})*\\s*$`, "i");
/** What stands before a list that says what a protocol can be. */
const definition = /\bprotocols?`?\s*(?:is|are|can be|may be|:|=|\()\s*(?:either\s+|one of\s+)?$/i;

const numbers = ["one", "two", "three", "four", "five", "six"];
/** `both protocols`, `the two protocols`, `two protocol styles`; two protocols without an article may be any two. */
const numbered = new RegExp(
  `\\b(?:(both|either)|(?:the|all|these) (${numbers.join("|")})|(two)(?= protocol styles))` +
    "(?: wire| client| node)? protocols?\\b",
  "gi",
);

/**
 * The words of a Markdown text that tell fewer protocols than the registry has. A list is right where the protocols that
 * it leaves out are named beside it.
 */
export function incompleteLists(text: string): string[] {
  return passagesOf(text).flatMap((passage) => {
    const lists = [...passage.matchAll(list)].filter((found) => isIncomplete(found, passage));
    const sums = [...passage.matchAll(numbered)].filter((found) => isMiscounted(found, passage));
    return [...lists, ...sums].map(([words]) => words);
  });
}

/** Cells of tables, lines of code; paragraphs, headings and entries of lists as one line each. */
function passagesOf(text: string): string[] {
  const passages: string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split("\n")) {
    const isFence = /^\s*```/.test(line);
    const isTable = !isCode && /^\s*\|/.test(line);
    const begins = isCode || isFence || /^\s*([-*]\s|\d+\.\s|#|$)/.test(line);
    if (isTable) passages.push(...cellsOf(line));
    else if (begins || !isOpen) passages.push(line.trim());
    else passages.push(`${passages.pop() ?? ""} ${line.trim()}`);
    if (isFence) isCode = !isCode;
    isOpen = !isCode && !isFence && !isTable && line.trim() !== "";
  }
  return passages;
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|"));
  return cells.filter((cell) => !cellOfRow.test(cell));
}

/** A list with `|`, one that says what a protocol is, or the first protocols of the registry without the others. */
function isIncomplete({ 0: words, index }: RegExpExecArray, passage: string): boolean {
  const listed = titles.filter((one) => isAmong(one, words)).map(([id]) => id);
  const beside = namedBeside(passage, index, words.length);
  const known = new Set([...listed, ...beside]);
  const isWhole = [clientProtocols, nodeProtocols].some((all) => all.every((id) => known.has(id)));
  if (listed.length < 2 || isWhole) return false;
  const isFirstOnes = listed.every((id, place) => id === ids[place]);
  return isFirstOnes || words.includes("|") || definition.test(passage.slice(0, index));
}

/** Another number of protocols than there are; `both` may stand for two that are named beside it. */
function isMiscounted(
  { 0: words, 1: pair, 2: number = "two", index }: RegExpExecArray,
  passage: string,
): boolean {
  if (counts.has(numbers.indexOf(number.toLowerCase()) + 1)) return false;
  return pair === undefined || namedBeside(passage, index, words.length).length !== 2;
}

/** The protocols that are named as such beside some words: their ids are English words too. */
function namedBeside(passage: string, index: number, length: number): string[] {
  const beside = passage.slice(Math.max(0, index - NEAR), index + length + NEAR);
  const named = titles.filter(
    ([id, title]) => beside.includes(`\`${id}\``) || new RegExp(`\\b${title}\\b`).test(beside),
  );
  return named.map(([id]) => id);
}

function isAmong([id, title]: readonly [string, string], words: string): boolean {
  return new RegExp(`\\b(?:${id}|${title})\\b`, "i").test(words);
}
