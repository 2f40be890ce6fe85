import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NoticeLine, NoticeText } from "@/components/announcements/notice-text";

const html = (text: string) =>
  renderToStaticMarkup(createElement(NoticeText, { text })).replace(/ class="[^"]*"| rel="[^"]*"/g, "");
const line = (text: string, all = false) =>
  renderToStaticMarkup(createElement(NoticeLine, { text, all })).replace(/<[^>]*>/g, "");

test("paragraphs, lists, bold words, code and https links are shown as such", () => {
  expect(
    html("**Upgrade** of `demo-chat`\n- one\n- [two](https://example.com/2)\n\n1. first\n2. second"),
  ).toBe(
    "<div><p><strong>Upgrade</strong> of <code>demo-chat</code></p>" +
      '<ul><li>one</li><li><a href="https://example.com/2">two</a></li></ul>' +
      "<ol><li>first</li><li>second</li></ol></div>",
  );
  expect(html("See https://example.com/plan.")).toContain(
    'See <a href="https://example.com/plan">https://example.com/plan</a>.',
  );
});

test("HTML, headings, images and links to anything but https stay text", () => {
  expect(html("<b>x</b>")).toBe("<div><p>&lt;b&gt;x&lt;/b&gt;</p></div>");
  for (const text of ["[x](javascript:alert(1))", "[x](data:text/html,x)", "# Title", "**open", "`open"]) {
    expect(html(text)).toBe(`<div><p>${text}</p></div>`);
  }
});

test("a line has the first line without the mark of its list, or all of the text", () => {
  const text = "- **First**\n- second";
  expect(line(text)).toBe("First");
  expect(line("Line\n\nMore")).toBe("Line");
  expect(line("Line\nMore", true)).toBe("Line\nMore");
});
