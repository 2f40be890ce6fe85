import type { AdminWords } from "../messages";
import { logs } from "./logs";
import { usage } from "./usage";

/** To an account a request has a cost; to admins it is billed, and has a cost at its provider beside that. */
export const ofAdmin: AdminWords = {
  logs: {
    ...logs,
    minCost: "Min. billed (¥)",
    columns: { ...logs.columns, cost: "Billed" },
    detail: { ...logs.detail, cost: "Tokens and billing" },
  },
  usage: {
    ...usage,
    allLead: "What everybody used and what was billed for it, by model, account, key and day.",
    metrics: { ...usage.metrics, cost: "Billed" },
    units: { ...usage.units, cost: "Billed, ¥" },
    cost: "Billed",
    columns: { ...usage.columns, cost: "Billed", share: "Share of billed" },
    sentences: {
      ...usage.sentences,
      cost: "{total} billed over {period}, peak {peak} {when}, most on {name} ({share}).",
    },
    shortSentences: {
      ...usage.shortSentences,
      cost: "{total} billed over {period}, peak {peak} {when}.",
    },
  },
};
