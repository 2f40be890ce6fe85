import type { planWords as source } from "../en/plan-words";

export const planWords: typeof source = {
  title: "此套餐允许什么",
  limits: {
    qps: "每秒 {count} 个请求",
    rpm: "每分钟 {count} 个请求",
    tpm: "每分钟 {count} 个 Token",
    concurrent: "同时 {count} 个调用",
  },
  ofAccount: "使用此套餐的账户，其所有密钥（不论密钥使用什么套餐）合计最多可用{limits}。",
  keysOfAccount: "使用此套餐的账户最多可有 {count} 个密钥。",
  atMost: "使用此套餐的每个密钥最多可用{limits}，超出部分返回 429。",
  noLimits: "使用此套餐的密钥不限速。",
  keyQuota: "创建密钥时未填额度，则可用 {amount}。",
  open: "任何账户都可以为自己的密钥选择此套餐，不论账户自身是什么套餐；无需审批，也不收费。",
  closed: "只有自身套餐为此套餐的账户才能为密钥选择它。账户的套餐由管理员指定。",
  ofAccounts: "使用此套餐的账户可以为每个密钥选择 {plans}；未选择的密钥使用此套餐。",
  notOn: "不能选择 {plans}。",
  nothingElse: "套餐不限制模型，也不改变价格。",
};
