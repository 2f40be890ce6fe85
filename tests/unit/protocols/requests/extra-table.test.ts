import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { extraFields, extraTools } from "@/lib/protocols/passes/extra-costs";
import type { NodeProtocol } from "@/lib/protocols/protocol";

const DOCUMENT = "docs/protocols.md";
const BEGIN = "<!-- extras: begin -->\n";
const END = "<!-- extras: end -->";

const code = (word: string) => `\`${word}\``;
const spoken = (protocols: readonly NodeProtocol[]) => protocols.join(", ");

function groupedBy(prices: readonly (readonly [word: string, price: string])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [word, price] of prices) groups.set(price, [...(groups.get(price) ?? []), word]);
  return groups;
}

function rendered(): string {
  const fields = extraFields.map(({ protocols, field, words, otherWords, costs, document }) => {
    const prices = [...Object.entries(words), ["others", otherWords] as const];
    const byPrice = groupedBy(prices);
    const told = [...byPrice].map(([price, of]) => {
      const named = of.map((word) => (word === "others" ? word : code(word))).join(" ");
      return prices.length === 1 ? code(price) : `${named}: ${code(price)}`;
    });
    return `| ${code(field)} | ${spoken(protocols)} | ${told.join("; ")} | ${costs} | [source](${document}) |`;
  });
  const tools = extraTools.map(
    ({ protocols, type, price, costs, document }) =>
      `| ${code(type)} | ${spoken(protocols)} | ${code(price)} | ${costs} | [source](${document}) |`,
  );
  const head = (what: string) =>
    `| ${what} | Protocols | Price | What costs extra | Document |\n|---|---|---|---|---|`;
  return `${[head("Field"), ...fields, "", head("Tool"), ...tools].join("\n")}\n`;
}

test("the document of protocols lists what costs extra, with what becomes of it", () => {
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
    "run UPDATE_DOCS=1 npx vitest run tests/unit/protocols/requests/extra-table.test.ts",
  ).toBe(rendered());
});
