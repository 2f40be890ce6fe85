import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chatFields, messagesFields } from "@/lib/convert/field-table";

const DOCUMENT = "docs/protocols.md";
const BEGIN = "<!-- fields: begin -->\n";
const END = "<!-- fields: end -->";

type Fields = typeof chatFields;

function table(heading: string, fields: Fields): string {
  const rows = Object.entries(fields).map(([name, { fate, note }]) => `| \`${name}\` | ${fate} | ${note} |`);
  return [`| ${heading} | fate | how |`, "|---|---|---|", ...rows, ""].join("\n");
}

function rendered(): string {
  return [
    table("Chat field, to a messages node", chatFields),
    table("Messages field, to a chat node", messagesFields),
  ].join("\n");
}

it("the document of protocols tells of every field what the converters do with it", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END);
  expect(from, `${DOCUMENT} holds ${BEGIN}`).toBeGreaterThan(0);
  if (process.env.UPDATE_DOCS === "1") {
    writeFileSync(DOCUMENT, document.slice(0, from + BEGIN.length) + rendered() + document.slice(to));
    return;
  }
  expect(
    document.slice(from + BEGIN.length, to),
    "run UPDATE_DOCS=1 npx vitest run tests/unit/protocols/requests/field-table.test.ts",
  ).toBe(rendered());
});
