import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { billFile } from "@/components/admin/margin/bill/bill-file";
import { BillForm } from "@/components/admin/margin/bill/bill-form";
import { BillTerms } from "@/components/admin/margin/bill/bill-terms";
import { useCauseWords } from "@/components/admin/margin/bill/use-cause-words";
import { useProblemWords } from "@/components/admin/margin/bill/use-problem-words";
import { read, readKey } from "@/components/api/read";
import { dictionaries } from "@/components/i18n/dictionaries";
import { LanguageProvider } from "@/components/i18n/provider";
import type { BillProblem, ProviderBill } from "@/lib/shared/provider-bills/bill";
import type { Cause } from "@/lib/shared/provider-bills/bill-causes";
import { compareBill } from "@/lib/shared/provider-bills/compare-bill";
import type { OurDay } from "@/lib/shared/provider-bills/our-days";
import { readBills } from "@/lib/shared/provider-bills/read-bill";

const now = Date.parse("2026-11-25T12:00:00Z");
const text = dictionaries.en.providerBill;

function billOf(rows: string[]): ProviderBill {
  const found = readBills([["date,model,usage,prompt_tokens,completion_tokens", ...rows].join("\n")]);
  if ("problem" in found) throw new Error(found.problem.kind);
  return found.bill;
}

const bill = billOf([
  "2026-11-20,openai/gpt-5.2,2,1000000,0",
  "2026-11-20,openai/o3,0.5,10,5",
  "2026-11-21,openai/gpt-5.2,2,1000000,0",
]);

const day = (told: Partial<OurDay>): OurDay => ({
  day: "2026-11-20",
  nodeId: "a",
  model: "gpt-main",
  upstreamModels: ["gpt-5.2"],
  attemptCount: 4,
  failureCount: 0,
  costedCount: 4,
  promptTokens: 1_000_000,
  completionTokens: 0,
  cost: "1400",
  ...told,
});
const ours = [day({}), day({ day: "2026-11-21", cost: "700" })];

/** A part of the page with what it reads. `search`: the address. */
function render(part: ReactNode, search = "", locale: "en" | "zh-CN" = "en"): string {
  const client = new QueryClient();
  const node = { id: "a", name: "router", enabled: true, provider: "openrouter", baseUrl: "https://x.test" };
  const nodes = [node, { ...node, id: "b", name: "other", provider: "azure" }];
  client.setQueryData<unknown>(readKey(read("GET /api/admin/nodes")), { data: nodes });
  const query = { from: "2026-11-20", to: "2026-11-21", nodes: "a" };
  client.setQueryData<unknown>(readKey(read("GET /api/admin/provider-bill", { query })), { rows: ours });
  const language = { locale, timeZone: "UTC", numbers: "full", renderedAtMs: now, isPhone: false } as const;
  const messages = dictionaries[locale];
  const address = { searchParams: search, children: part };
  const inside = createElement(NuqsTestingAdapter, address);
  const children = createElement(QueryClientProvider, { client }, inside);
  return renderToStaticMarkup(createElement(LanguageProvider, { ...language, messages, children }));
}

const wordsOf = (html: string) => html.replace(/<[^>]+>/g, "|").replace(/[|\s]*\|[|\s]*/g, "|");

describe("the page of a bill", () => {
  const terms = (rate: string, search?: string, of = bill) =>
    wordsOf(render(createElement(BillTerms, { bill: of, rate, onRate: () => undefined }), search));

  test("chooses the nodes of the provider, and shows both sides with the likely cause", () => {
    const words = terms("7");
    expect(words).toContain("|OpenRouter, 2026-11-20 to 2026-11-21 (UTC)|");
    expect(words).toContain("|2 models or other items, tokens, and amounts in USD|");
    expect(words).toContain("|2 of 3 rows differ.|");
    expect(words).toContain(
      "|openai/gpt-5.2|Here: gpt-main|2026-11-21|Bill|1,000,000|Here|1,000,000|Difference|0|" +
        "Bill|¥14.00|Here|¥7.00|Difference|¥7.00|" +
        "Tokens agree, prices do not: ¥14.00 in the bill and ¥7.00 here per 1M tokens|",
    );
    expect(words).toContain("Not called through these nodes");
    expect(words).toContain("|Total|Bill|2,000,015|Here|2,000,000|Difference|15|");
    expect(words).not.toContain("Only 2026");
    expect(terms("7", "?show=all")).toContain("|Equal|");
  });

  test("asks for a rate where amounts need one, and for nodes where none is of the provider", () => {
    expect(terms("")).toContain("Enter a rate for USD");
    expect(terms("0")).toContain(text.rateRule);
    expect(terms("7", "", { ...bill, vendor: "anthropic" })).toContain(text.chooseNodes);
    expect(terms("", "", { ...bill, currency: "CNY" })).not.toContain("Yuan per");
  });

  test("compares the last days of a bill that is too long, up to today", () => {
    const long = billOf(["2026-01-01,m,1,1,1", "2026-12-24,m,1,1,1"]);
    expect(terms("7", "", long)).toContain("Only 2026-08-26 to 2026-11-25 are compared");
  });

  test("says that the export stays in the browser, and which ones can be read", () => {
    const words = wordsOf(render(createElement(BillForm, { onRead: () => undefined })));
    expect(words).toContain("are not sent");
    for (const name of Object.values(text.vendors)) expect(words).toContain(`|${name}|`);
  });
});

/** What a hook gives, in a language. */
function used<Value>(use: () => Value, locale: "en" | "zh-CN"): Value {
  const got: { value?: Value } = {};
  const Part = () => {
    got.value = use();
    return null;
  };
  render(createElement(Part), "", locale);
  if (got.value === undefined) throw new Error("not rendered");
  return got.value;
}

const problems: BillProblem[] = [
  { kind: "empty" },
  { kind: "noRows" },
  { kind: "json", line: 2, column: 3, found: "}" },
  { kind: "jsonEnd", line: 2, column: 3, found: "" },
  { kind: "unknown", found: ["a", "b"] },
  { kind: "missing", vendor: "azure", missing: ["metername"] },
  { kind: "value", place: { row: 2, column: "Date" }, found: "x", expected: "day" },
  { kind: "noModel", vendor: "openai", place: { path: "data[0].model" } },
  { kind: "tooMany", count: 300_000 },
  { kind: "currencies", found: ["EUR", "USD"] },
  { kind: "vendors", found: ["openai", "azure"] },
];
const causes: Cause[] = [
  { kind: "equal" },
  { kind: "notHere" },
  { kind: "missingThere" },
  { kind: "dayEdge", from: "2026-11-20", to: "2026-11-21" },
  { kind: "price", theirs: "1400", ours: "700" },
  { kind: "tokens", more: "there", tokens: 12_000 },
  { kind: "tokens", more: "here", tokens: 12_000 },
  { kind: "amount" },
  { kind: "currency" },
  { kind: "noCost", requests: 3 },
];

test.each(["en", "zh-CN"] as const)(
  "every problem and cause has words with all their values in %s",
  (locale) => {
    const problemWords = problems.map(used(useProblemWords, locale));
    const causeWords = causes.map(used(() => useCauseWords("USD"), locale));
    for (const words of [problemWords, causeWords]) {
      expect(new Set(words).size).toBe(words.length);
      for (const one of words) expect(one).not.toMatch(/[{]\w+[}]|undefined/);
    }
    if (locale === "en")
      expect(problemWords[6]).toBe(
        "Row 2, column “Date”: “x” is no day. It would be one such as 2026-11-21.",
      );
  },
);

test("the file has every row with every digit, and the amounts in both currencies", () => {
  const { rows } = compareBill(bill, ours, { rate: "7" });
  const [head = [], ...lines] = billFile(rows, "USD", text, ({ kind }) => kind);
  expect(head.slice(10)).toEqual([
    "Bill: Amount USD",
    "Bill: Amount CNY",
    "Here: Amount CNY",
    "Difference: Amount CNY",
    "Likely cause",
  ]);
  expect(lines.map((line) => line.join(","))).toEqual([
    "2026-11-21,openai/gpt-5.2,gpt-main,1000000,,,0,1000000,0,0,2,14,7,7,price",
    "2026-11-20,openai/gpt-5.2,gpt-main,1000000,,,0,1000000,0,0,2,14,14,0,equal",
    "2026-11-20,openai/o3,,10,,,5,,,15,0.5,3.5,,3.5,notHere",
  ]);
});
