import type { limits as source } from "../en/limits";

export const limits: typeof source = {
  title: "限流",
  lead: "密钥的速率上限。超出上限的请求返回 429，不计费。",
  key: "密钥",
  planIs: "{name} 套餐",
  qps: "每秒请求数（QPS）",
  rpm: "每分钟请求数（RPM）",
  tpm: "每分钟 Token 数（TPM）",
  usedOf: "{used} / {limit}",
  unlimited: { qps: "每秒请求数不限", rpm: "每分钟请求数不限", tpm: "每分钟 Token 数不限" },
  used: "已用 {used}",
  resets: "{time}内释放",
  next: {
    now: "下一个请求可立即开始。",
    tokens: "最多可用 {count} 个 Token。",
    further: { one: "本分钟内还可再发 {count} 个。", other: "本分钟内还可再发 {count} 个。" },
    wait: "下一个请求需等待 {time}：{limit}已用完。",
  },
  refused: {
    disabled: "此密钥已禁用，使用它的请求会被拒绝。",
    expired: "此密钥已过期，使用它的请求会被拒绝。",
    exhausted: "此密钥的额度已用完，使用它的请求会被拒绝。",
  },
  noKeys: "创建密钥后可查看其限流情况。",
  tiers: "全部套餐",
  tiersLead:
    "所有套餐都不收费：无论使用哪个套餐，每次调用都按模型价格计费。套餐只决定密钥的速率，创建或编辑密钥时为每个密钥选择，可随时更改。",
  mayChoose: "您的账户使用 {plan} 套餐。您的每个密钥都可以使用 {plans}；未选择的密钥使用账户的套餐。",
  ofPlan: {
    qps: "每秒 {count} 个请求",
    rpm: "每分钟 {count} 个请求",
    tpm: "每分钟 {count} 个 Token",
    fast: "不限速",
    quota: "新密钥可用 {amount}，也可自行设置额度。",
    free: "可用于您的任意密钥。",
    given: "只能由管理员为账户开通，如有需要请联系管理员。",
  },
  yours: "账户套餐",
  refusal: "被拒绝时的响应",
  refusalLead: "状态码为 429，Retry-After 给出需要等待的秒数。等待后重试即可。",
  retryCode: "代码中的重试",
};
