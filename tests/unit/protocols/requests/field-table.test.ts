import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type FateNote, fieldFates } from "@/lib/protocols/generation/concepts";
import { protocolIds } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";

const DOCUMENT = "docs/protocols.md";
const BEGIN = "<!-- fields: begin -->\n";
const END = "<!-- fields: end -->";

const pairs = protocolIds.flatMap((client) =>
  protocolIds.filter((node) => node !== client).map((node) => ({ client, node })),
);

function table(heading: string, fields: Record<string, FateNote>): string {
  const rows = Object.entries(fields).map(([name, { fate, note }]) => `| \`${name}\` | ${fate} | ${note} |`);
  return [`| ${heading} | fate | how |`, "|---|---|---|", ...rows, ""].join("\n");
}

function rendered(): string {
  return pairs
    .map(({ client, node }) =>
      table(
        `${client.charAt(0).toUpperCase()}${client.slice(1)} field, to a ${node} node`,
        fieldFates(protocols[client].fields, protocols[node].concepts),
      ),
    )
    .join("\n");
}

it("the document of protocols tells of every field what becomes of it on the nodes of every other protocol", () => {
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
