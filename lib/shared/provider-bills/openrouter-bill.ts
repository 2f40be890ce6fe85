import { type BillEntry, emptyEntry } from "./bill";
import type { BillFormat } from "./bill-format";
import type { SourceEntry } from "./bill-source";
import { amountAt, countAt, dayAt, firstOf, refuseModel } from "./bill-values";

const vendor = "openrouter";

/** Activity by day, by the API or as CSV, and the export of single calls. Source: docs/prices.md#bill-formats. */
export const openrouterBills: readonly BillFormat[] = [
  {
    vendor,
    needs: [["date"], ["model", "model_permaslug"], ["usage"], ["prompt_tokens"], ["completion_tokens"]],
    read: readActivity,
  },
  {
    vendor,
    needs: [["created_at"], ["model_permaslug", "model"], ["cost_total"], ["tokens_prompt"]],
    read: readCall,
  },
];

/** Tokens of reasoning are among those of the completion. */
function readActivity(entry: SourceEntry): BillEntry {
  const model = entry.text(firstOf(entry, ["model", "model_permaslug"]));
  if (model === "") refuseModel(vendor, entry, "model");
  return {
    ...emptyEntry(dayAt(entry, "date"), model),
    inputTokens: countAt(entry, "prompt_tokens"),
    outputTokens: countAt(entry, "completion_tokens"),
    requests: countAt(entry, "requests"),
    amount: amountAt(entry, "usage"),
    currency: "USD",
  };
}

function readCall(entry: SourceEntry): BillEntry {
  const model = entry.text(firstOf(entry, ["model_permaslug", "model"]));
  if (model === "") refuseModel(vendor, entry, "model_permaslug");
  const variant = entry.text("variant");
  const isPlain = variant === "" || variant === "standard" || model.includes(":");
  return {
    ...emptyEntry(dayAt(entry, "created_at"), isPlain ? model : `${model}:${variant}`),
    inputTokens: countAt(entry, "tokens_prompt"),
    cachedInputTokens: countAt(entry, "tokens_cached"),
    outputTokens: countAt(entry, "tokens_completion"),
    requests: 1,
    amount: amountAt(entry, "cost_total"),
    currency: "USD",
  };
}
