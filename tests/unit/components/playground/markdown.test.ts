import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "@/components/playground/markdown";

const shown = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

test("HTML of a model is shown as text", () => {
  expect(shown("<img src=x onerror=alert(1)> and **bold**")).toContain("&lt;img src=x");
});

test("an answer nested deeper than the stack is shown as it is", () => {
  const deep = ">".repeat(20_000);
  expect(shown(deep)).toContain("&gt;".repeat(20_000));
});
