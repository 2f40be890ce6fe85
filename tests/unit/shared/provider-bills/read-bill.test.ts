import { describe, expect, test } from "vitest";
import { type BillRow, MAX_BILL_ROWS } from "@/lib/shared/provider-bills/bill";
import { decimalOf } from "@/lib/shared/provider-bills/bill-values";
import { readBills } from "@/lib/shared/provider-bills/read-bill";
import * as texts from "./bill-texts";

const day = "2026-11-20";
const nothing = {
  inputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  requests: null,
  amount: null,
};
const row = (model: string, told: Partial<BillRow>): BillRow => ({ day, model, ...nothing, ...told });

function billOf(...read: string[]) {
  const found = readBills(read);
  if ("problem" in found) throw new Error(JSON.stringify(found));
  return found.bill;
}

const problemOf = (...read: string[]) => {
  const found = readBills(read);
  return "problem" in found ? found : null;
};

/** Source: docs/prices.md#bill-formats. */
describe("an export", () => {
  test("of OpenAI's usage is read by day and model, as the API answers it and as the dashboard saves it", () => {
    expect(billOf(texts.openaiUsagePage)).toEqual({
      vendor: "openai",
      unit: { tokens: true, money: false },
      currency: null,
      leftOut: 0,
      rows: [
        row("gpt-5.2-2025-12-11", {
          inputTokens: 1_200_000,
          cachedInputTokens: 800_000,
          outputTokens: 340_000,
          requests: 412,
        }),
      ],
    });
    expect(billOf(texts.openaiUsageFile).rows).toEqual([
      row("gpt-5.2-2025-12-11", {
        inputTokens: 60_000,
        cachedInputTokens: 5_760,
        outputTokens: 10_700,
        requests: 13,
      }),
    ]);
  });

  test("of OpenAI's costs has the lines of a model as one, to the last digit", () => {
    const bill = billOf(texts.openaiCostsPage);
    expect(bill).toMatchObject({ unit: { tokens: false, money: true }, currency: "USD" });
    expect(bill.rows).toEqual([
      row("gpt-5.2-2025-12-11", { amount: "5.6" }),
      row("web search tool calls", { amount: "0.06" }),
    ]);
    expect(billOf(texts.openaiCostFile).rows).toEqual([row("gpt-5.2-2025-12-11", { amount: "0.897374" })]);
  });

  test("of Anthropic's usage counts what was read from the cache and written to it as input", () => {
    expect(billOf(texts.anthropicUsagePage)).toMatchObject({
      vendor: "anthropic",
      rows: [
        row("claude-opus-4-6", {
          inputTokens: 203_000,
          cachedInputTokens: 200_000,
          cacheWriteTokens: 1_500,
          outputTokens: 5_000,
        }),
      ],
    });
    expect(billOf(texts.anthropicUsageFile).rows).toEqual([
      row("claude-haiku-4-5-20251001", {
        inputTokens: 6_510,
        cachedInputTokens: 3_000,
        cacheWriteTokens: 2_500,
        outputTokens: 404,
      }),
    ]);
  });

  test("of Anthropic's costs is in cents by the API and in dollars from the console", () => {
    expect(billOf(texts.anthropicCostPage)).toMatchObject({
      currency: "USD",
      rows: [row("Web Search Usage", { amount: "0.1" }), row("claude-opus-4-6", { amount: "1.2378912" })],
    });
    expect(billOf(texts.anthropicCostFile).rows).toEqual([
      row("Claude Haiku 4.5", { amount: "0.22" }),
      row("web_search", { amount: "0.02" }),
    ]);
  });

  test("of OpenRouter has tokens and dollars, by day or by call", () => {
    expect(billOf(texts.openrouterActivity)).toMatchObject({
      vendor: "openrouter",
      unit: { tokens: true, money: true },
      currency: "USD",
      rows: [row("openai/gpt-4.1", { inputTokens: 51, outputTokens: 126, requests: 6, amount: "0.0150001" })],
    });
    expect(billOf(texts.openrouterFile).rows).toEqual([
      row("anthropic/claude-sonnet-4.5", {
        inputTokens: 10_429,
        cachedInputTokens: 9_000,
        outputTokens: 157,
        requests: 2,
        amount: "0.013",
      }),
      row("openai/gpt-oss-120b:free", {
        day: "2026-11-21",
        inputTokens: 40,
        cachedInputTokens: 0,
        outputTokens: 20,
        requests: 1,
        amount: "0",
      }),
    ]);
  });

  test("of Azure has the meters of a model as one, and leaves other services out", () => {
    expect(billOf(texts.azureFile)).toEqual({
      vendor: "azure",
      unit: { tokens: true, money: true },
      currency: "USD",
      leftOut: 1,
      rows: [
        row("gpt-4.1-0414", {
          inputTokens: 2_000_500,
          cachedInputTokens: 800_000,
          outputTokens: 100_000,
          amount: "3.601",
        }),
        row("gpt-5.4", { outputTokens: 250_000, amount: "3.75" }),
      ],
    });
    expect(billOf(texts.azureCostFile)).toMatchObject({
      unit: { tokens: false, money: true },
      currency: "CNY",
      rows: [row("gpt-4o-1120", { amount: "24.5" })],
    });
  });

  test("can have another separator, line ends, a byte order mark, quotes, and decimal commas of a spreadsheet", () => {
    const plain = billOf(texts.openrouterFile);
    const quoted = texts.openrouterFile.replace(/[^,\n]+/g, '"$&"');
    const semicolons = texts.openrouterFile.replaceAll(",", ";").replaceAll("0.0", "0,0");
    for (const text of [`\uFEFF${quoted}`, semicolons, semicolons.replaceAll("\n", "\r\n\r\n")])
      expect(billOf(text)).toEqual(plain);
    expect(billOf(`\uFEFF\n[${texts.openaiUsagePage}]`)).toEqual(billOf(texts.openaiUsagePage));
  });

  test("of tokens and one of costs are read as one; so are pages of one list", () => {
    const { rows, unit, currency } = billOf(texts.openaiUsagePage, texts.openaiCostsPage);
    expect([unit, currency]).toEqual([{ tokens: true, money: true }, "USD"]);
    expect(rows[0]).toMatchObject({ model: "gpt-5.2-2025-12-11", inputTokens: 1_200_000, amount: "5.6" });
    const pages = billOf(texts.openaiUsagePage, texts.openaiUsagePage.replaceAll("1795132800", "1795219200"));
    expect(pages.rows.map((one) => one.day)).toEqual([day, "2026-11-21"]);
  });
});

describe("a text that cannot be compared", () => {
  const usage = (model: string, input: string, time = "1795132800") =>
    `start_time,model,input_tokens\n${time},${model},${input}`;

  test.each([
    ["", { kind: "empty" }],
    ["  \n", { kind: "empty" }],
    ['{"data": [}', { kind: "json", line: 1, column: 11, found: "}" }],
    ['{"data": [', { kind: "jsonEnd", line: 1, column: 11, found: "" }],
    ['{"data": []}', { kind: "noRows" }],
    ["start_time,model,input_tokens\n", { kind: "noRows" }],
    ["a,b\n1,2", { kind: "unknown", found: ["a", "b"] }],
    ["start_time,model\n1,2", { kind: "missing", vendor: "openai", missing: ["input_tokens"] }],
    [usage("", "5"), { kind: "noModel", vendor: "openai", place: { row: 2, column: "model" } }],
    [
      usage("m", "5.5"),
      { kind: "value", place: { row: 2, column: "input_tokens" }, found: "5.5", expected: "count" },
    ],
    [
      usage("m", "5", "yesterday"),
      { kind: "value", place: { row: 2, column: "start_time" }, found: "yesterday", expected: "day" },
    ],
    [
      texts.openrouterActivity.replace("0.015", '"much"'),
      { kind: "value", place: { path: "data[0].usage" }, found: "much", expected: "amount" },
    ],
    [
      texts.openaiCostsPage.replace('"usd"', '"dollars"'),
      {
        kind: "value",
        place: { path: "data[0].results[0].amount.currency" },
        found: "dollars",
        expected: "currency",
      },
    ],
    [
      texts.anthropicUsagePage.replace('"claude-opus-4-6"', "null"),
      { kind: "noModel", vendor: "anthropic", place: { path: "data[0].results[0].model" } },
    ],
    [texts.openaiCostsPage.replace('"usd"', '"eur"'), { kind: "currencies", found: ["EUR", "USD"] }],
  ])("%j says where and why", (text, problem) => {
    const found = problemOf(text);
    expect(found?.at).toBe(0);
    expect(found?.problem).toEqual(problem);
  });

  test("is one with too many rows, or one of several that do not belong together", () => {
    const many = `${usage("m", "1")}\n${"1795132800,m,1\n".repeat(MAX_BILL_ROWS)}`;
    expect(problemOf(many)?.problem).toEqual({ kind: "tooMany", count: MAX_BILL_ROWS + 1 });
    expect(problemOf(texts.openaiUsagePage, texts.openrouterFile)).toEqual({
      problem: { kind: "vendors", found: ["openai", "openrouter"] },
      at: null,
    });
    expect(problemOf(texts.openaiUsagePage, "a,b\n1,2")?.at).toBe(1);
  });
});

test.each([
  ["1.50", "1.5"],
  ["-0.5", "-0.5"],
  ["0E-6176", "0"],
  ["1.0E-5", "0.00001"],
  ["12e3", "12000"],
  ["1e-13", "0"],
  ["0,25", "0.25"],
  ["007", "7"],
  ["-0", "0"],
  ["1e999", null],
  ["1,2.3", null],
  ["$5", null],
])("the amount %s is %s", (text, decimal) => expect(decimalOf(text)).toBe(decimal));
