import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { guidePages } from "@/components/docs/guides";
import { operationPages } from "@/components/docs/operation-pages";
import { dictionaries } from "@/components/i18n/dictionaries";
import { markedPieces, searchDocs } from "@/components/search/search-docs";
import { openApiDocument } from "@/lib/api/openapi/document";
import { docsIn } from "../docs/docs-in";

const document = openApiDocument("http://localhost:3000", "1");
const pagesIn = (locale: "en" | "zh-CN") => [
  ...guidePages(docsIn(locale)),
  ...operationPages(document, dictionaries[locale].reference),
];
const pages = pagesIn("en");
const hrefs = (typed: string) => searchDocs(pages, typed).map(({ page }) => page.href);

describe("the search of the docs", () => {
  test("finds guides by what they say and by their code, with the passage that has the words", () => {
    const [first] = searchDocs(pages, "idempotency keys");
    expect(first?.page.href).toBe("/docs/errors");
    expect(first?.passage).toContain("idempotency keys");
    const ofCode = searchDocs(pages, "json_schema").find(({ page }) => page.href === "/docs/json");
    expect(ofCode?.passage).toContain("json_schema");
  });

  test("finds operations by title, path and field, and leads to their address", () => {
    expect(hrefs("create a key")[0]).toBe("/docs/api#createKey");
    expect(hrefs("/v1/embeddings")).toContain("/docs/api#createEmbeddings");
    expect(hrefs("/v1/messages/count_tokens")[0]).toBe("/docs/api#countTokens");
    const [field] = searchDocs(pages, "max_output_tokens").filter(({ page }) =>
      page.href.endsWith("#createResponse"),
    );
    expect(field?.passage).toContain("max_output_tokens");
  });

  test("puts the page of that name first, then pages whose title has some of the words, last what only other words contain", () => {
    expect(hrefs("billing")[0]).toBe("/docs/money");
    expect(hrefs("rate limit")[0]).toBe("/docs/limits");
    const within = hrefs("rate").indexOf("/docs/protocols");
    expect(within === -1 || within > hrefs("rate").indexOf("/docs/limits")).toBe(true);
  });

  test("takes a word with one wrong letter for the nearest one, and marks that", () => {
    const [first] = searchDocs(pages, "billnig");
    expect(first?.page.href).toBe("/docs/money");
    expect(first?.marked).toContain("billing");
    expect(hrefs("embeding").length).toBeGreaterThan(1);
    expect(hrefs("idempotency")[0]).toBe("/docs/errors");
    expect(hrefs("zebra crossing")).toEqual([]);
  });

  test("is small enough to load with the first letter", () => {
    expect(gzipSync(JSON.stringify(pages)).length).toBeLessThan(80_000);
  });

  test("finds Chinese words", () => {
    const found = searchDocs(pagesIn("zh-CN"), "计费");
    expect(found.length).toBeGreaterThan(0);
  });

  test("marks the words of a text and keeps the rest", () => {
    expect(markedPieces("Send max_tokens (Max)", ["max", "max_tokens"])).toEqual([
      { text: "Send ", marked: false },
      { text: "max_tokens", marked: true },
      { text: " (", marked: false },
      { text: "Max", marked: true },
      { text: ")", marked: false },
    ]);
    expect(markedPieces("a.b c+d", ["c+d"]).at(-1)).toEqual({ text: "c+d", marked: true });
  });

  test("cuts a long passage to what lies around the words", () => {
    const long = `${"first ".repeat(80)}needle ${"last ".repeat(80)}`;
    const [found] = searchDocs([{ href: "/x", title: "X", note: "", passages: [long] }], "needle");
    expect(found?.passage).toMatch(/^… .*needle.* …$/);
    expect(found?.passage?.length).toBeLessThan(240);
  });
});
