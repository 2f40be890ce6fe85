import type { billing as source } from "../en/billing";

export const billing: typeof source = {
  title: "账单",
  lead: "余额及其每一笔变动，精确到元的小数点后第八位。",
  balance: "余额",
  remaining: "剩余",
  exactly: "精确值 {amount}",
  used: "已用",
  quota: "累计获得",
  held: "进行中的请求预留",
  usedShare: "已用 {used} / {quota}",
  requests: "累计请求数",
  askAdmin: "余额由管理员补充。每次充值或邀请奖励都会在下方单独列为一行。",
  ledger: "明细",
  ledgerHint: "发放与调整逐笔列出；用量按密钥和 UTC 日期汇总。",
  caption: "余额变动",
  empty: "还没有变动。",
  columns: { time: "时间", type: "类型", reference: "说明", amount: "金额", balance: "变动后余额" },
  types: { signup: "初始余额", grant: "发放", adjustment: "调整", invite: "邀请奖励", charge: "用量" },
  charge: { one: "{key}：{count} 个请求", other: "{key}：{count} 个请求" },
  openLogs: "查看 {key} 在 {date} 的日志",
  seeUsage: "查看用量",
};
