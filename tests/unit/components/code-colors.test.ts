import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeColors } from "@/components/ui/code-colors";

const html = (code: string) => renderToStaticMarkup(createElement(CodeColors, { code }));

/** The coloured parts of a code, with their colours. */
function colored(code: string): string[] {
  const parts = [...html(code).matchAll(/<span class="text-([a-z0-9-]+)">([^<]*)<\/span>/g)];
  return parts.map(
    ([, color, text]) => `${color}: ${text?.replaceAll("&quot;", '"').replaceAll("&#x27;", "'")}`,
  );
}

/** The text that a reader sees and copies by hand. */
const textOf = (code: string) =>
  html(code)
    .replace(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

test("JSON that a call of curl sends is coloured as JSON", () => {
  const code = `curl http://127.0.0.1:3100/v1 \\\n  -H 'Accept: */*' \\\n  -d '{\n    "a": "b",\n    "n":1\n  }' # twice`;
  expect(colored(code)).toEqual([
    "success: 'Accept: */*'",
    'primary: "a"',
    'success: "b"',
    'primary: "n"',
    "series-4: 1",
    "muted: # twice",
  ]);
  expect(textOf(code)).toBe(code);
});

test("a word within the option of a command is no word of a language", () => {
  expect(colored("curl --fail-with-body --in x")).toEqual([]);
});

test("names, strings, numbers and words of a language have colours", () => {
  expect(colored('{"model": "a\\"b: c", "n": 12.5, "on": true}')).toEqual([
    'primary: "model"',
    'success: "a\\"b: c"',
    'primary: "n"',
    "series-4: 12.5",
    'primary: "on"',
    "series-4: true",
  ]);
  expect(colored("from openai import OpenAI  # don't\nx = gpt-4.1")).toEqual([
    "series-4: from",
    "series-4: import",
    "muted: # don't",
  ]);
});

test("an address is no comment, and an apostrophe begins no string", () => {
  expect(colored("see https://example.com/a#b")).toEqual([]);
  expect(colored("it's\nnot '")).toEqual([]);
});

test("any text is drawn whole", () => {
  for (const code of ["", "<b>&", "'", '"', "`", "a'b\"c`d", "\\", "#", "x".repeat(30_000)])
    expect(textOf(code)).toBe(code);
});
