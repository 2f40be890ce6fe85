import type { AdminWords } from "../messages";
import { logs } from "./logs";
import { usage } from "./usage";

export const ofAdmin: AdminWords = {
  logs: {
    ...logs,
    minCost: "最低计费金额（元）",
    columns: { ...logs.columns, cost: "计费金额" },
    detail: { ...logs.detail, cost: "Token 与计费" },
  },
  usage: {
    ...usage,
    allLead: "所有账户的用量与计费金额，可按模型、账户、密钥和日期查看。",
    metrics: { ...usage.metrics, cost: "计费金额" },
    units: { ...usage.units, cost: "计费金额（元）" },
    cost: "计费金额",
    columns: { ...usage.columns, cost: "计费金额", share: "计费占比" },
    sentences: {
      ...usage.sentences,
      cost: "{period}内计费 {total}，峰值 {peak}（{when}），主要来自 {name}（{share}）。",
    },
    shortSentences: {
      ...usage.shortSentences,
      cost: "{period}内计费 {total}，峰值 {peak}（{when}）。",
    },
  },
};
