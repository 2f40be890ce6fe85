import { describe, expect, test } from "vitest";
import { sourceFiles } from "./support/source-files";

/** Source: docs/dashboard.md#s2-11. */
const TEXT_SIZES = ["xs", "sm", "lg", "xl", "2xl"];
const HEADLINE = { file: "components/site/landing.tsx", size: "4xl" };

/** Of 4 px; the halves are for the inside of small controls. Source: docs/dashboard.md#s2-11. */
const SPACING = ["0", "px", "0.5", "1", "1.5", "2", "3", "4", "6", "8", "12", "16", "auto"];

/** Distances and letter sizes outside of the scales; only ever removed. */
const OFF_SCALE: readonly string[] = ["pl-5"];

/** Sizes of boxes, columns and breakpoints that stand in brackets, each counted once; only ever lowered. */
const MOST_BRACKETS = 50;

const pages = sourceFiles(/^(app|components)\/.*\.tsx?$/);

interface StyleClass {
  file: string;
  /** Without its variants (`sm:`, `hover:`). */
  name: string;
}

/** Every word of every text that could be the name of a class. */
const classes = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/"([^"\n]*)"|`([^`]*)`/g)]
    .flatMap(([, quoted, template]) => (quoted ?? template ?? "").split(/[\s${}]+/))
    .map((word): StyleClass => ({ file: path, name: withoutVariants(word) })),
);

function withoutVariants(word: string): string {
  return word.replace(/^(?:[a-z@*-]+(?:-?\[[^\]]*\])?(?:-[a-z0-9/]+)*:)+/, "");
}

function found(pattern: RegExp, isAllowed: (value: string, file: string) => boolean): string[] {
  return classes.flatMap(({ file, name }) => {
    const value = pattern.exec(name)?.[1];
    if (value === undefined || isAllowed(value, file) || OFF_SCALE.includes(name)) return [];
    return [`${file}: ${name}`];
  });
}

describe("classes", () => {
  test("have one of five letter sizes; the headline of the landing page alone is larger", () => {
    const size = /^text-(xs|sm|base|lg|xl|\dxl|\[.*\])$/;
    const isAllowed = (value: string, file: string) =>
      TEXT_SIZES.includes(value) || (value === HEADLINE.size && file === HEADLINE.file);
    expect(found(size, isAllowed)).toEqual([]);
  });

  test("keep distances of one scale", () => {
    const distance = /^-?(?:[pm][xytrblse]?|gap(?:-[xy])?|space-[xy])-(\d[\d.]*|px|\[.*\])$/;
    expect(found(distance, (value) => SPACING.includes(value))).toEqual([]);
  });

  test("that are off the scales are still in use", () => {
    expect(OFF_SCALE.filter((name) => !classes.some((one) => one.name === name))).toEqual([]);
  });

  test(`name at most ${MOST_BRACKETS} sizes in brackets`, () => {
    const brackets = new Set(
      pages.flatMap(
        ({ text }) => text.match(/(?<=[\w@]-)\[[\d(]?[\w.%(),+*/ -]*\d[\w.%(),+*/ -]*\](?=[:\s"`])/g) ?? [],
      ),
    );
    expect([...brackets].length).toBeLessThanOrEqual(MOST_BRACKETS);
  });
});
