import { describe, expect, test } from "vitest";
import { type SourceFile, sourceFiles, sourceText } from "./support/source-files";

/** The parts of the list of tests and the numbers that each has. Source: reliability 4. */
const PARTS: Readonly<Record<string, readonly [first: number, last: number]>> = {
  "4.1": [1, 26],
  "4.2": [27, 38],
  "4.3": [39, 52],
  "4.4": [53, 76],
  "4.5": [77, 86],
  "4.6": [87, 98],
  "4.7": [99, 120],
  "4.8": [121, 134],
  "4.9": [135, 146],
  "4.10": [147, 156],
  "4.11": [157, 165],
};

/** What must hold with each change: the black-box tests and those that guard money. Source: reliability 4, gates. */
const EACH_CHANGE = [
  ...[4, 5, 6, 7, 11, 12, 20, 23, 24, 25, 78, 83, 87, 88, 96],
  ...[99, 100, 101, 102, 103, 104, 105, 107, 109, 111, 114, 119, 122, 125, 130],
  ...[1, 3, 13, 15, 16, 17, 18, ...numbersIn("27–33, 53–76"), 90, 121, 157, 158, 160, 161],
];
/** Too long for a night (147, 149, 153), and what is optional (164). */
const ELSEWHERE = [147, 149, 153, 164];

const files = sourceFiles(/^tests\/.*\.ts$/).filter((file) => file.path !== "tests/gate.test.ts");
const daily =
  /tests\/faults\/\{([^}]+)\}\.test\.ts/.exec(sourceText("vitest.config.ts"))?.[1]?.split(",") ?? [];

/** Each number of the list names a test that shows it: `Source: reliability 4.x (numbers)` stands above that test. */
describe("the list of tests", () => {
  test("is cited by numbers that its parts have", () => {
    const wrong = files.flatMap((file) =>
      citationsOf(file)
        .filter(({ part, number }) => !isIn(part, number))
        .map(({ part, number }) => `${file.path}: ${part} (${number})`),
    );
    expect(wrong).toEqual([]);
  });

  test("is shown by tests that run with each change where the gate of changes has it", () => {
    expect(daily.length).toBeGreaterThan(3);
    const shown = new Set(
      files
        .filter(runsWithEachChange)
        .flatMap(citationsOf)
        .map(({ number }) => number),
    );
    expect(EACH_CHANGE.filter((number) => !shown.has(number))).toEqual([]);
  });

  test("is shown by some test everywhere else", () => {
    const shown = new Set(files.flatMap(citationsOf).map(({ number }) => number));
    const all = Object.values(PARTS).flatMap(([first, last]) => numbersIn(`${first}–${last}`));
    expect(all.filter((number) => !shown.has(number) && !ELSEWHERE.includes(number))).toEqual([]);
  });
});

function runsWithEachChange(file: SourceFile): boolean {
  if (!file.path.startsWith("tests/faults/")) return !file.path.startsWith("tests/e2e/");
  return daily.some((name) => file.path === `tests/faults/${name}.test.ts`);
}

function citationsOf(file: SourceFile): { part: string; number: number }[] {
  const sources = [...file.text.matchAll(/Source: reliability ([^*]*)\*\//g)].map((match) => match[1] ?? "");
  return sources.flatMap((source) =>
    [...source.matchAll(/(4\.\d+) \(([\d,– ]+)\)/g)].flatMap(([, part = "", numbers = ""]) =>
      numbersIn(numbers).map((number) => ({ part, number })),
    ),
  );
}

/** `1, 3–5` is 1, 3, 4, 5. */
function numbersIn(text: string): number[] {
  return text.split(",").flatMap((piece) => {
    const [first = Number.NaN, last = first] = piece.split("–").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function isIn(part: string, number: number): boolean {
  const [first, last] = PARTS[part] ?? [Number.NaN, Number.NaN];
  return number >= first && number <= last;
}
