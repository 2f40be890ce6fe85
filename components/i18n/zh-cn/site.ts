import type { site as source } from "../en/site";

export const site: typeof source = {
  tagline: "面向开发者和团队的模型网关",
  heroPhrases: ["现有代码不变，", "即可调用", "任意 AI 模型"],
  heroLead:
    "{product} 位于您的程序与 AI 模型服务商之间。继续使用 OpenAI 或 Anthropic 的库，只需更换地址：一个密钥即可调用这里的所有模型。服务商故障时由下一个接替，每个请求都有一张费用收据。",
  accountDeleted: "您的账户已删除。",
  start: "注册账户",
  openConsole: "打开控制台",
  readDocs: "阅读文档",
  startsWith: "注册即获 {balance} 初始余额。每次调用只按模型价格计费，不另收费用。",
  noFee: "每次调用只按模型价格计费，不另收费用。",
  firstCall: "您的代码，只换成本网关的地址：",
  live: {
    caption:
      "请求示意图：第一个节点在 88 毫秒后失败，第二个节点作答；1,204 个输入 Token 与 356 个输出 Token 的收据为 {amount}。",
    lanes: {
      checks: "密钥、限流、预留",
      failed: "503，尚未向客户端发送：稍候后切换到下一个节点",
      answered: "430 毫秒后首 Token，随后流式返回",
      settled: "结算一次",
    },
    firstToken: "首 Token",
    answer: "该测试把本地时间与 UTC 比较，因此在格林尼治以西会失败。请修改 clock.ts 的第 42 行 …",
    input: "输入",
    output: "输出",
    total: "计费",
  },
  facts: {
    title: "实测数据",
    milliseconds: "{count} 毫秒",
    rate: "单个进程每秒处理的请求数，每个请求都在应答结束前完成计费并写入日志。",
    ofPortkey: "与 Portkey 开源网关的每秒请求数之比（{clients} 个客户端）；后者不校验密钥，也不计费。",
    ofGo: "与一款用 Go 编写的精简网关的每秒请求数之比；后者只校验一个密钥，没有限流，用量事后才写入。",
    cpu: "处理一个请求所用的处理器时间，已包含密钥校验、限流、计费和日志。",
    how: "测量环境为一台 {cores} 核机器，128 个客户端同时请求：网关使用一个核心，客户端、数据库和模拟服务商共用其余核心。",
    method: "测量方法",
  },
  works: {
    title: "可用的智能体与 SDK",
    lead: "使用真实的库测试过流式、非流式与工具调用。",
  },
  features: {
    title: "核心能力",
    protocols: {
      title: "四种协议互通",
      body: "支持 chat completions、messages、responses 与 Gemini，流式或非流式，含工具调用。两端协议相同时原样透传，不同时自动转换。",
    },
    failover: {
      title: "首个 Token 之前完成切换",
      body: "在节点真正作答之前不会向客户端发送任何内容，因此节点故障只多花零点几秒，而不会变成错误。",
    },
    money: {
      title: "精确计费",
      body: "每个请求先预留、后结算且只结算一次。金额精确到元的小数点后第八位，没有舍入误差；服务器错误不计费。",
    },
    limits: {
      title: "清晰的限流",
      body: "每个密钥按秒、按分钟、按每分钟 Token 数限流。被拒绝时会说明触发了哪项限制、何时恢复。",
    },
    sight: {
      title: "看得见每次尝试",
      body: "请求日志展示尝试过的每个节点、各自耗时，以及为何选择下一个。",
    },
    host: {
      title: "自主部署",
      body: "一个进程、一条命令，内置数据库即可起步；需要时再接入 PostgreSQL 与 Redis。",
    },
  },
  picture: {
    title: "一切尽在眼前",
    lead: "费用、请求、Token、错误和延迟，直到每个请求及其费用。",
    alt: "控制台的用量页面：一周的费用，按模型堆叠，并与前一周比较",
  },
  status: {
    title: "服务状态",
    feed: "Atom 订阅",
    lead: "因调用方原因被拒绝的请求（例如超出限额）不计入。",
    overall: {
      operational: "所有模型目前运行正常。",
      quiet: "没有模型出现故障。",
      degraded: "部分请求失败。",
      down: "部分模型的多数请求失败。",
      few: "最近 24 小时的请求过少，无法判断。",
      idle: "最近 24 小时没有请求。",
    },
    troubled: {
      down: {
        one: "多数请求失败：{total} 个模型中的 {count} 个（{names}）。",
        other: "多数请求失败：{total} 个模型中的 {count} 个（{names}）。",
      },
      degraded: {
        one: "部分请求失败：{total} 个模型中的 {count} 个（{names}）。",
        other: "部分请求失败：{total} 个模型中的 {count} 个（{names}）。",
      },
      few: {
        one: "请求过少，无法判断：{total} 个模型中的 {count} 个（{names}）。",
        other: "请求过少，无法判断：{total} 个模型中的 {count} 个（{names}）。",
      },
    },
    notices: "公告",
    planned: "计划事项",
    warning: "警告",
    since: "自 {from} 起",
    during: "{from} 至 {until}",
    period: "时间范围",
    allTime: "全部",
    asOf: "截至 {time}。时间和日期以 {zone} 时区为准。",
    empty: "本网关还没有上线的模型。",
    hideNotice: "隐藏此公告",
    notice: "公告",
  },
  footer: { contact: "联系方式：", licence: "MIT 许可证" },
  modelsTitle: "模型与价格",
  modelsLead: "本网关当前提供的模型。",
  modelPrices: {
    generation: "输入 {input} · 输出 {output} / 百万 Token",
    embedding: "{input} / 百万 Token",
  },
  allModels: { one: "全部 {count} 个模型", other: "全部 {count} 个模型" },
  closing: "从零到第一个计费请求，只需一分钟",
};
