import type { guide as source } from "../en/guide";

export const guide: typeof source = {
  title: "文档",
  reference: "API 参考",
  guides: "指南",
  groups: {
    start: "开始",
    clients: "客户端",
    calls: "调用",
    account: "密钥与费用",
    service: "网关",
  },
  answerCode: "返回示例",
  copyPage: "复制为 Markdown",
  onThisPage: "本页内容",
  neighbours: "前后文档",
  previous: "上一篇：{title}",
  next: "下一篇：{title}",
  search: "搜索文档",
  found: { one: "{count} 条结果", other: "{count} 条结果" },
  nothingFound: "指南和 API 参考中都没有这些词。",
  searchFailed: "无法加载搜索，请检查网络后重新输入。",
  comments: {
    limits: "只显示响应头。",
    money: "先显示本次调用的费用（单位：分），再查询密钥的剩余额度。",
    keys: "TOLLGATE_TOKEN 是 POST /api/user/login 返回的令牌。额度以分为单位。",
    failover: "先调用一次，再查询这次调用的收据。",
    protocols: "同一个模型，四种协议。",
    errors: "遇到 429 和 5xx 时，按 Retry-After 重试。",
  },
  fields: {
    field: "字段",
    to: "到 {protocol}",
    fates: { mapped: "转换", ignored: "无影响", dropped: "省略", refused: "拒绝" },
  },
};
