import { describe, expect, test } from "vitest";
import { ONLY_COMPLETE } from "../vitest.config";
import { anchorsOf, linksOf } from "./support/documents";
import { type SourceFile, sourceFiles, sourceText } from "./support/source-files";

const LIST = "docs/reliability.md";
const EDGE_CASES = "docs/protocols.md";

const list = sourceText(LIST);
/** The numbers of the list of tests. Source: docs/reliability.md#s4. */
const numbers = anchorNumbers(list, "r");
/** What runs over HTTP alone. */
const black = [...list.matchAll(/<a id="r-(\d+)"><\/a>\d+ ★ \|/g)].map(([, number]) => Number(number));
/** What must hold with each change. Source: docs/reliability.md#s4-gates. */
const eachChange = [...black, ...numbersIn(gate("- With each change: every ★, and "))];
/** Too long, or optional. */
const elsewhere = numbersIn(gate("- Without a test that runs by itself: "));

const files = sourceFiles(/^tests\/.*\.ts$/).filter((file) => file.path !== "tests/gate.test.ts");
const daily =
  /tests\/faults\/\{([^}]+)\}\.test\.ts/.exec(sourceText("vitest.config.ts"))?.[1]?.split(",") ?? [];

/** Each number of the list names a test that shows it: above that test stands its anchor, `r-` and the number, as source. */
describe("the list of tests", () => {
  test("has 165 numbers, of which 30 are shown over HTTP alone and 74 with each change", () => {
    expect(numbers).toEqual(numbersIn("1–165"));
    expect(black).toHaveLength(30);
    expect(new Set(eachChange).size).toBe(74);
    expect(elsewhere).toEqual([147, 149, 153, 164]);
  });

  test("is cited by numbers that it has", () => {
    const wrong = files.flatMap((file) =>
      citationsOf(file)
        .filter((number) => !numbers.includes(number))
        .map((number) => `${file.path}: ${number}`),
    );
    expect(wrong).toEqual([]);
  });

  test("is shown by tests that run with each change where the gate of changes has it", () => {
    expect(daily.length).toBeGreaterThan(3);
    const shown = new Set(files.filter(runsWithEachChange).flatMap(citationsOf));
    expect(eachChange.filter((number) => !shown.has(number))).toEqual([]);
  });

  test("is shown by some test everywhere else", () => {
    const shown = new Set(files.flatMap(citationsOf));
    expect(numbers.filter((number) => !shown.has(number) && !elsewhere.includes(number))).toEqual([]);
  });
});

describe("the list of edge cases", () => {
  const cases = anchorNumbers(sourceText(EDGE_CASES), "ec");

  test("has 150 numbers, each named by a test", () => {
    expect(cases).toEqual(numbersIn("1–150"));
    const named = new Set(
      files.flatMap(({ text }) => [...text.matchAll(/\bEC-(\d+)\b/g)]).map((match) => Number(match[1])),
    );
    expect(cases.filter((number) => !named.has(number))).toEqual([]);
  });
});

function runsWithEachChange(file: SourceFile): boolean {
  if (ONLY_COMPLETE.includes(file.path)) return false;
  if (!file.path.startsWith("tests/faults/")) return !file.path.startsWith("tests/e2e/");
  return daily.some((name) => file.path === `tests/faults/${name}.test.ts`);
}

function citationsOf(file: SourceFile): number[] {
  return linksOf(file.text)
    .filter(({ document, anchor }) => document === LIST && /^r-\d+$/.test(anchor))
    .map(({ anchor }) => Number(anchor.slice(2)));
}

function anchorNumbers(text: string, letter: string): number[] {
  return anchorsOf(text).flatMap((id) => {
    const number = new RegExp(`^${letter}-(\\d+)$`).exec(id)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** The numbers behind a phrase of the list's gates, up to what is no number. */
function gate(phrase: string): string {
  const text = list.slice(list.indexOf(phrase) + phrase.length);
  expect(list, phrase).toContain(phrase);
  return /^[\d,– ]+(?: and \d+)?/.exec(text)?.[0].replace(" and ", ", ") ?? "";
}

/** `1, 3–5` is 1, 3, 4, 5. */
function numbersIn(text: string): number[] {
  return text.split(",").flatMap((piece) => {
    const [first = Number.NaN, last = first] = piece.split("–").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
