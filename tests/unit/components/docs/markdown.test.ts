import { describe, expect, test } from "vitest";
import { codeOf, guideNames, guideOf } from "@/components/docs/guides";
import { docsIndex, docsMarkdown, guideMarkdown } from "@/components/docs/markdown";
import { locales } from "@/components/i18n/locale";
import { docsIn } from "./docs-in";

describe.each(locales)("the docs as plain text in %s", (locale) => {
  const docs = docsIn(locale);

  test("the index names every page", () => {
    const index = docsIndex(docs);
    const [first = "", ...others] = guideNames.map((name) => guideOf(name, docs).title);
    expect(index).toContain(`- [${first}](http://localhost:3000/docs)`);
    for (const [at, title] of others.entries())
      expect(index).toContain(`- [${title}](http://localhost:3000/docs/${guideNames[at + 1]})`);
  });

  test("each page has an address of its own in the index, and a text that is part of the whole", () => {
    const index = docsIndex(docs);
    expect(index).toContain("(http://localhost:3000/docs.md)");
    expect(index).toContain("(http://localhost:3000/docs/api.md)");
    const whole = docsMarkdown(docs);
    for (const name of guideNames) {
      if (name !== "quick-start") expect(index).toContain(`(http://localhost:3000/docs/${name}.md)`);
      expect(whole).toContain(guideMarkdown(name, docs));
    }
  });

  test("the whole text has every guide with its code and tables, and no empty place", () => {
    const whole = docsMarkdown(docs);
    for (const name of guideNames) {
      const { title, lead } = guideOf(name, docs);
      expect(whole).toContain(`# ${title}\n${lead}`);
    }
    expect(whole).toContain('model="demo-chat"');
    expect(whole).toContain("| 429 | RATE_LIMITED | ");
    expect(whole).toContain("\n### Chat Completions\n\n| ");
    expect(whole).not.toMatch(/undefined|\{#|\{(variable|baseUrl|example|answer|call|fields)\}|\]\(\/|\n{4}/);
  });

  test("the comments of the code are in the language of the text", () => {
    for (const comment of Object.values(docs.text.comments)) {
      expect(docsMarkdown(docs)).toContain(`\n# ${comment}\n`);
      expect(/\p{Script=Han}/u.test(comment)).toBe(locale === "zh-CN");
    }
    const code = guideNames
      .flatMap((name) => codeOf(name, docs))
      .flatMap((one) => one.code.split("\n"))
      .filter((line) => /^# [A-Z].*\.$/.test(line));
    expect(code.length > 0).toBe(locale === "en");
  });
});
