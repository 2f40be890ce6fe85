import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chatFields, messagesFields } from "@/lib/convert/field-table";

const README = "README.md";
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

it("the README tells of every field what the converters do with it", () => {
  const readme = readFileSync(README, "utf8");
  const from = readme.indexOf(BEGIN);
  const to = readme.indexOf(END);
  expect(from, `${README} holds ${BEGIN}`).toBeGreaterThan(0);
  if (process.env.UPDATE_README === "1") {
    writeFileSync(README, readme.slice(0, from + BEGIN.length) + rendered() + readme.slice(to));
    return;
  }
  expect(
    readme.slice(from + BEGIN.length, to),
    "run UPDATE_README=1 npx vitest run tests/unit/convert/readme-table.test.ts",
  ).toBe(rendered());
});
