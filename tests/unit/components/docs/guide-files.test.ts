import { describe, expect, test } from "vitest";
import { guideAnswers } from "@/components/docs/examples/answers";
import { type GuideBlock, guideFile, type Insert, readGuide } from "@/components/docs/guide-files";
import { codeOf, guideNames } from "@/components/docs/guides";
import { type Locale, locales } from "@/components/i18n/locale";
import { groupsOf } from "@/components/reference/model";
import { openApiDocument } from "@/lib/api/openapi/document";
import { errorStatus } from "@/lib/kernel/errors";
import { sourcePaths } from "../../../support/source-files";
import { docsIn } from "./docs-in";

const operations = groupsOf(openApiDocument("http://localhost:3000", "1")).flatMap((group) =>
  group.operations.map(({ operationId }) => operationId),
);

/** What a block has in every language. */
function shapeOf(block: GuideBlock): unknown {
  if (block.kind === "insert") return block.insert;
  if (block.kind === "links") return block.links.map(({ href }) => href);
  if (block.kind === "list") return block.items.length;
  if (block.kind === "text") return "text";
  // Names of headers, codes and their like are the same.
  return block.rows.map((row) => row.map((cell) => (/^[\w-]+$/.test(cell) ? cell : "text")));
}

/** What a link to a guide or an operation says. */
function titleOf(href: string, locale: Locale): string | undefined {
  const guide = guideNames.find((name) => href === `/docs/${name}`);
  if (guide !== undefined) return readGuide(guideFile(locale, guide)).title;
  return operations.find((id) => href === `/docs/api#${id}`);
}

const shapesOf = (file: string) =>
  readGuide(file).parts.map(({ id, blocks }) => ({ id, blocks: blocks.map(shapeOf) }));
const placesIn = (file: string) => (file.match(/\{\w+\}/g) ?? []).toSorted();

test("each guide has a file in each language, and there are no others", () => {
  const expected = locales.flatMap((locale) =>
    guideNames.map((name) => `components/docs/guides/${locale}/${name}.md`),
  );
  expect(sourcePaths().filter((path) => /^components\/docs\/.*\.md$/.test(path))).toEqual(
    expected.toSorted(),
  );
});

describe.each(guideNames)("the guide %s", (name) => {
  const english = guideFile("en", name);
  const chinese = guideFile("zh-CN", name);

  test("has the same parts, rules, rows, places and links in both languages", () => {
    expect(shapesOf(chinese)).toEqual(shapesOf(english));
    expect(placesIn(chinese)).toEqual(placesIn(english));
    expect(/\p{Script=Han}/u.test(chinese)).toBe(true);
    expect(/\p{Script=Han}/u.test(english)).toBe(false);
  });

  test("has a place for each code that it has, and no other", () => {
    const places = readGuide(english).parts.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === "insert" ? block.insert : [])),
    );
    const expected: Insert[] = [];
    if (codeOf(name, docsIn("en")).length > 0) expected.push("example");
    if (guideAnswers[name] !== undefined) expected.push("answer");
    if (name === "quick-start") expected.push("call");
    if (name === "protocols") expected.push("fields");
    expect(places).toEqual(expected);
  });

  test.each(locales)("leads to guides by their titles, and to operations, in %s", (locale) => {
    const blocks = readGuide(guideFile(locale, name)).parts.flatMap((part) => part.blocks);
    const links = blocks.flatMap((block) => (block.kind === "links" ? block.links : []));
    expect(links).toEqual(links.map(({ href }) => ({ href, title: titleOf(href, locale) })));
  });
});

test.each(locales)("guides have the same heading for the same part in %s", (locale) => {
  const titles = new Map<string, string>();
  for (const name of guideNames)
    for (const { id, title } of readGuide(guideFile(locale, name)).parts) {
      expect(title).toBe(titles.get(id) ?? title);
      titles.set(id, title);
    }
});

test.each(locales)("the guide to errors has every code with its status in %s", (locale) => {
  const part = readGuide(guideFile(locale, "errors")).parts.find(({ id }) => id === "codes");
  const rows = part?.blocks.flatMap((block) => (block.kind === "table" ? block.rows : []));
  const expected = Object.entries(errorStatus).map(([code, status]) => [String(status), code]);
  expect(rows?.map((row) => row.slice(0, 2)).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ["text before the parts", "# A\n\nB\n\nC"],
  ["a part without an anchor", "# A\n\nB\n\n## C"],
  ["code of its own", "# A\n\nB\n\n## C {#c}\n\n```\nD\n```"],
  ["a link within a text", "# A\n\nB\n\n## C {#c}\n\nD [E](/docs/errors) F"],
  ["no lead", "# A\n\n- B"],
])("a guide with %s is none", (_what, file) => {
  expect(() => readGuide(file)).toThrow();
});
