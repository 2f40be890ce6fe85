import type { guide as source } from "../en/guide";

export const guide: typeof source = {
  title: "文档",
  lead: "从注册到调用只需四步，随后是各项功能的使用指南。",
  reference: "API 参考",
  quickStart: "快速开始",
  guides: "指南",
  neighbours: "前后文档",
  previous: "上一篇：{title}",
  next: "下一篇：{title}",
  search: "搜索文档",
  found: { one: "{count} 篇指南", other: "{count} 篇指南" },
  nothingFound: "没有包含这些词的指南，可到 API 参考中查找。",
  account: { title: "1. 注册账户", body: "使用用户名和密码注册。注册页会说明新账户的初始余额。" },
  key: {
    title: "2. 创建 API 密钥",
    body: "在控制台打开“API 密钥”并创建。密钥仅显示一次：请复制为 `.env` 内容，保存成文件，再用 `set -a; . ./.env; set +a` 载入终端。",
  },
  call: {
    title: "3. 发出请求",
    body: "代码从变量 `{variable}` 读取您的密钥，`.env` 内容已设置该变量。OpenAI 客户端的 Base URL 带 `/v1`；Anthropic 客户端和 Claude Code 不带。Codex、Cursor、Cline 和 Continue 的配置见控制台的“接入与验证”。",
  },
  see: {
    title: "4. 查看结果",
    body: "请求会立即出现在日志中，包含费用、尝试过程和收据。“用量”页按日期和模型汇总，可查看全部或单个密钥。",
  },
  addresses: {
    title: "地址",
    columns: { client: "客户端", url: "Base URL", header: "密钥位置" },
    rows: { openai: "OpenAI SDK 及兼容应用", anthropic: "Anthropic SDK", claude: "Claude Code" },
  },
  protocols: {
    title: "协议",
    body: "每个生成模型都可通过 `/v1/chat/completions`、`/v1/messages` 和 `/v1/responses` 调用；嵌入模型通过 `/v1/embeddings` 调用。若节点使用其他协议，请求与回答会自动转换。没有对应项的内容会被省略，并列在响应头 `x-tollgate-warnings` 中；发送 `x-tollgate-strict: 1` 则改为报错。",
  },
  streaming: {
    title: "流式输出",
    body: "设置 `stream: true` 后，回答会以所调用协议的事件逐段返回。在节点真正作答之前不会发送任何内容：此前的错误是带状态码的普通错误，其他节点仍可接替；此后的错误是流中的一个事件，SDK 会将其抛出。Chat Completions 的流只有在通过 `stream_options` 要求时才会在结尾给出 Token 数。若提前断开，已产生的部分会计费。",
  },
  tools: {
    title: "工具调用",
    body: "用 JSON Schema 描述每个工具。模型会返回它想发起的调用；由您的程序执行并把结果发回，模型再继续作答。工具会在协议之间自动转换，因此无论模型的节点使用哪种协议，代码都相同。",
  },
  json: {
    title: "以 JSON 作答",
    body: "提供回答的 JSON Schema：Chat Completions 用 `response_format`，Messages 用 `output_config.format`，Responses 用 `text.format`。对不支持 Schema 的模型，会改为在指令中说明，并在 `x-tollgate-warnings` 中注明。请检查返回内容：达到 `max_tokens` 的回答会被截断。",
  },
  images: {
    title: "图片",
    body: "将图片作为数据放入消息，支持 PNG、JPEG、WebP 或 GIF。`https` 地址只在模型的节点会自行获取时可用，网关本身不获取任何内容。模型页会标出已知可读取图片的模型；已知不能读取图片的模型会以 400 拒绝请求。",
  },
  money: {
    title: "用量与费用",
    body: "请求结束时按模型价格对输入与输出 Token 计费。只要还有余额，请求就可以开始：最后一个请求可能超出余额（除非网关设置为拒绝），但不会有第二个。被拒绝的请求和服务器错误不计费。若在流式过程中离开，已产生的部分会计费。",
    unit: "响应头 `x-tollgate-cost` 的单位是“分”（百分之一元）：`x-tollgate-cost: 0.5256` 表示 0.5256 分，即 ¥0.005256。除以 100 即为元。除另有说明外，API 中的其他金额也以分为单位。",
    receipt:
      "流式响应没有这个响应头，因为费用要到结束时才确定：请用响应头 `x-request-id` 中的 ID 调用 `GET /v1/usage/{requestId}`，它会返回 Token 数、价格和以分为单位的 `receipt.total`。`GET /v1/usage` 返回密钥的剩余额度，单位同样是分。",
  },
  limits: {
    title: "限流与响应头",
    body: "每个密钥按套餐限制每秒请求数、每分钟请求数和每分钟 Token 数。超限的请求返回 429，不计费。每个响应都会给出密钥各项限制的剩余量：",
    columns: { header: "响应头", meaning: "含义" },
    headers: {
      "x-request-id": "请求 ID，与日志中的相同。出现问题时请提供给管理员。",
      "x-ratelimit-limit-requests": "密钥每分钟可发出的请求数。",
      "x-ratelimit-remaining-requests": "目前还剩多少。",
      "x-ratelimit-reset-requests": "全部恢复还需多久。",
      "x-ratelimit-remaining-tokens":
        "本分钟还剩多少 Token；`limit` 和 `reset` 同上。Messages 协议的请求改用 `anthropic-ratelimit-requests-*` 和 `anthropic-ratelimit-tokens-*`。",
      "retry-after": "被拒绝时需要等待的秒数。",
      "x-tollgate-cost": "该请求的费用，单位为分（百分之一元）；流式响应没有。",
      "x-tollgate-warnings": "为适配模型节点而省略或更改的内容；没有则不出现。",
    },
  },
  explain: {
    title: "路由说明",
    body: "任何请求加上 `x-tollgate-explain: 1`：不会真正发送，也不计费；回答会列出将依次尝试的节点、实际请求体，以及将预留的金额。",
  },
  benchmark: {
    title: "首页数据的测量方法",
    body: "压测程序以 128 个连接同时请求简短的回答。模拟服务商会立即作答，因此测到的只有网关本身。密钥、限流、预留、计费和日志全部开启；每轮压测后，账本必须与服务商的计数完全一致，否则该轮作废。各网关按随机顺序轮流测量多轮，数据取中位数。`npm run bench` 可在您的机器上重复测量，源码中的 `docs/performance.md` 列出每一轮的结果以及各网关开启的功能。",
  },
  errors: {
    title: "错误与重试",
    lead: "错误始终为 JSON，包含错误码和请求 ID，格式与所调用的协议一致，且不计费。429、502 和 503 可在等待 `Retry-After` 给出的秒数后重试；其他低于 500 的状态码请先更正请求。SDK 会自动重试，默认两次。重试的请求是新的请求：网关不支持幂等键。",
    columns: { status: "状态码", code: "错误码", meaning: "处理方法" },
    meanings: {
      INVALID_REQUEST: "按错误信息更正对应字段。",
      INVALID_API_KEY: "检查密钥：可能已禁用、过期或删除。",
      QUOTA_EXCEEDED: "提高密钥额度或补充余额。",
      FORBIDDEN: "此密钥不能使用该模型。",
      MODEL_NOT_FOUND: "使用模型页中列出的名称。",
      RATE_LIMITED: "按 `Retry-After` 等待后重试。",
      INTERNAL_ERROR: "重试；并将请求 ID 告知管理员。",
      UPSTREAM_ERROR: "重试即可，未计费。",
      NO_AVAILABLE_NODE: "在 `Retry-After` 之后重试，未计费。",
    },
  },
};
