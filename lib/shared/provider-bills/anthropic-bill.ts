import { centsToYuan } from "../decimal";
import { type BillEntry, emptyEntry } from "./bill";
import type { BillFormat } from "./bill-format";
import type { SourceEntry } from "./bill-source";
import { amountAt, countAt, currencyAt, dayAt, firstOf, refuseModel } from "./bill-values";
import { addCounts } from "./sum-bill";

const vendor = "anthropic";

const TOKENS = {
  api: {
    uncached: "uncached_input_tokens",
    read: "cache_read_input_tokens",
    writes: ["cache_creation_ephemeral_5m_input_tokens", "cache_creation_ephemeral_1h_input_tokens"],
    output: "output_tokens",
  },
  console: {
    uncached: "usage_input_tokens_no_cache",
    read: "usage_input_tokens_cache_read",
    writes: ["usage_input_tokens_cache_write_5m", "usage_input_tokens_cache_write_1h"],
    output: "usage_output_tokens",
  },
};

/** Usage and costs of the Admin API, and the two exports of the console. Source: docs/prices.md#bill-formats. */
export const anthropicBills: readonly BillFormat[] = [
  {
    vendor,
    needs: [["starting_at"], ["uncached_input_tokens"], ["output_tokens"]],
    read: (entry) => readUsage(entry, "starting_at", "model", TOKENS.api),
  },
  {
    vendor,
    needs: [["starting_at"], ["amount"], ["currency"]],
    read: readCostReport,
  },
  {
    vendor,
    needs: [["usage_date_utc"], ["model_version", "model"], ["usage_input_tokens_no_cache"]],
    read: (entry) =>
      readUsage(entry, "usage_date_utc", firstOf(entry, ["model_version", "model"]), TOKENS.console),
  },
  {
    vendor,
    needs: [["usage_date_utc"], ["model"], ["cost_usd"]],
    read: readConsoleCost,
  },
];

function readUsage(
  entry: SourceEntry,
  day: string,
  model: string,
  names: (typeof TOKENS)["api"],
): BillEntry | null {
  const uncached = countAt(entry, names.uncached);
  const cachedInputTokens = countAt(entry, names.read);
  const [write5m = null, write1h = null] = names.writes.map((name) => countAt(entry, name));
  const cacheWriteTokens = addCounts(write5m, write1h);
  const outputTokens = countAt(entry, names.output);
  const inputTokens = addCounts(uncached, addCounts(cachedInputTokens, cacheWriteTokens));
  if (inputTokens === null && outputTokens === null) return null;
  if (entry.text(model) === "") refuseModel(vendor, entry, model);
  return {
    ...emptyEntry(dayAt(entry, day), entry.text(model)),
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
  };
}

/** Amounts are in cents. What is no token has a kind or a description in place of a model. */
function readCostReport(entry: SourceEntry): BillEntry | null {
  const cents = amountAt(entry, "amount");
  if (cents === null) return null;
  const model = entry.text(firstOf(entry, ["model", "description", "cost_type"]));
  if (model === "") refuseModel(vendor, entry, "model");
  return {
    ...emptyEntry(dayAt(entry, "starting_at"), model),
    amount: centsToYuan(cents),
    currency: currencyAt(entry, "currency"),
  };
}

function readConsoleCost(entry: SourceEntry): BillEntry | null {
  const amount = amountAt(entry, "cost_usd");
  if (amount === null) return null;
  const model = entry.text(firstOf(entry, ["model", "cost_type", "token_type"]));
  if (model === "") refuseModel(vendor, entry, "model");
  return { ...emptyEntry(dayAt(entry, "usage_date_utc"), model), amount, currency: "USD" };
}
