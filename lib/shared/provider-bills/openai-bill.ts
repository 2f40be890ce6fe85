import { type BillEntry, emptyEntry } from "./bill";
import type { BillFormat } from "./bill-format";
import type { SourceEntry } from "./bill-source";
import { amountAt, countAt, currencyAt, dayAt, refuseModel } from "./bill-values";

const vendor = "openai";

/** Usage and costs, by the API or as the dashboard exports them, with the same names. Source: docs/prices.md#bill-formats. */
export const openaiBills: readonly BillFormat[] = [
  { vendor, needs: [["start_time"], ["amount_value"], ["line_item"]], read: readCost },
  { vendor, needs: [["start_time"], ["model"], ["input_tokens"]], read: readUsage },
];

function readUsage(entry: SourceEntry): BillEntry | null {
  const model = entry.text("model");
  const inputTokens = countAt(entry, "input_tokens");
  const outputTokens = countAt(entry, "output_tokens");
  if (inputTokens === null && outputTokens === null) return null; // a day without usage
  if (model === "") refuseModel(vendor, entry, "model");
  return {
    ...emptyEntry(dayAt(entry, "start_time"), model),
    inputTokens,
    cachedInputTokens: countAt(entry, "input_cached_tokens"),
    cacheWriteTokens: countAt(entry, "input_cache_write_tokens"),
    outputTokens,
    requests: countAt(entry, "num_model_requests"),
  };
}

function readCost(entry: SourceEntry): BillEntry | null {
  const amount = amountAt(entry, "amount_value");
  if (amount === null) return null; // a day without costs
  const item = entry.text("line_item");
  if (item === "") refuseModel(vendor, entry, "line_item");
  const currency = currencyAt(entry, "amount_currency");
  return { ...emptyEntry(dayAt(entry, "start_time"), modelOf(item)), amount, currency };
}

/** The model of a line such as `priority | gpt-5.2-2025-12-11, cached input`; other lines stand for themselves. */
function modelOf(item: string): string {
  const [, model] = /^(?:(?:priority|flex|batch|scale tier) \| )?([^,|]+), /i.exec(item) ?? [];
  return model?.trim() ?? item;
}
