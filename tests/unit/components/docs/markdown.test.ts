import { describe, expect, test } from "vitest";
import { codeOf, guideNames } from "@/components/docs/guides";
import { docsIndex, docsMarkdown, pageMarkdown } from "@/components/docs/markdown";
import { dictionaries } from "@/components/i18n/dictionaries";

const values = { baseUrl: "http://localhost:3000", model: "demo-chat", embeddingModel: "demo-embedding" };

describe.each(["en", "zh-CN"] as const)("the docs as plain text in %s", (locale) => {
  const text = dictionaries[locale].guide;

  test("the index names every page", () => {
    const index = docsIndex(text, values.baseUrl);
    expect(index).toContain(`- [${text.quickStart}](http://localhost:3000/docs)`);
    for (const name of guideNames)
      expect(index).toContain(`- [${text[name].title}](http://localhost:3000/docs/${name})`);
  });

  test("each page has an address of its own in the index, and a text that is part of the whole", () => {
    const index = docsIndex(text, values.baseUrl);
    expect(index).toContain("(http://localhost:3000/docs.md)");
    expect(index).toContain("(http://localhost:3000/docs/api.md)");
    const whole = docsMarkdown(text, values);
    for (const name of guideNames) {
      expect(index).toContain(`(http://localhost:3000/docs/${name}.md)`);
      expect(whole).toContain(pageMarkdown(name, text, values));
    }
  });

  test("the whole text has every guide with its code and no empty place", () => {
    const whole = docsMarkdown(text, values);
    for (const name of guideNames) expect(whole).toContain(`# ${text[name].title}\n\n${text[name].lead}`);
    expect(whole).toContain('model="demo-chat"');
    expect(whole).toContain("`RATE_LIMITED`: ");
    expect(whole).not.toMatch(/undefined|\{variable\}|\n{4}/);
  });

  test("the comments of the code are in the language of the text", () => {
    for (const comment of Object.values(text.comments)) {
      expect(docsMarkdown(text, values)).toContain(`\n# ${comment}\n`);
      expect(/\p{Script=Han}/u.test(comment)).toBe(locale === "zh-CN");
    }
    const code = guideNames
      .filter((name) => name !== "benchmark")
      .flatMap((name) => codeOf(name, values, text))
      .flatMap((one) => one.code.split("\n"))
      .filter((line) => /^# [A-Z].*\.$/.test(line));
    expect(code.length > 0).toBe(locale === "en");
  });
});
