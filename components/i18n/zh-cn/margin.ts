import type { margin as source } from "../en/margin";

export const margin: typeof source = {
  title: "毛利",
  lead: "收入、节点成本与毛利。仅管理员可见。",
  revenue: "收入",
  covered: "成本已知",
  coveredRevenue: "成本已知的收入",
  coverage: "其中 {share} 的成本已知",
  cost: "成本",
  costNote: "按每个请求发生时的成本价计算",
  margin: "毛利",
  marginNote: "占成本已知收入的 {share}",
  share: "毛利率",
  group: "分组方式",
  by: { models: "按模型", nodes: "按节点", buckets: "按天" },
  first: { models: "模型", nodes: "节点", buckets: "日期" },
  total: "合计",
  deletedNode: "（已删除）",
  empty: "此时段没有已知的成本。",
  emptyHint: "在模型路由的“成本”中填写节点的价格，此后的请求会计入。",
  toModels: "模型与价格",
};
