import type { guide as source } from "../en/guide";

import { callGuides } from "./guide-calls";
import { clientGuides } from "./guide-clients";
import { serviceGuides } from "./guide-service";

export const guide: typeof source = {
  ...clientGuides,
  ...callGuides,
  ...serviceGuides,
  title: "文档",
  lead: "从注册到调用只需四步，随后是各项功能的使用指南。",
  reference: "API 参考",
  quickStart: "快速开始",
  guides: "指南",
  groups: {
    start: "开始",
    clients: "客户端",
    calls: "调用",
    account: "密钥与费用",
    service: "网关",
  },
  parts: {
    example: "示例",
    answer: "返回内容",
    answerCode: "返回示例",
    rules: "须知",
    problems: "出错时",
    more: "继续阅读",
    operation: "API 参考中的字段",
  },
  copyPage: "复制为 Markdown",
  problemColumns: { what: "现象", help: "处理方法" },
  neighbours: "前后文档",
  previous: "上一篇：{title}",
  next: "下一篇：{title}",
  search: "搜索文档",
  found: { one: "{count} 条结果", other: "{count} 条结果" },
  nothingFound: "指南和 API 参考中都没有这些词。",
  searchFailed: "无法加载搜索，请检查网络后重新输入。",
  account: { title: "1. 注册账户", body: "使用用户名和密码注册。注册页会说明新账户的初始余额。" },
  key: {
    title: "2. 创建 API 密钥",
    body: "在控制台打开“API 密钥”并创建。密钥仅显示一次：请复制为 `.env` 内容，保存成文件，再用 `set -a; . ./.env; set +a` 载入终端。PowerShell 中使用 `Get-Content .env | ForEach-Object { $n, $v = $_ -split '=', 2; Set-Item env:$n $v }`；curl 示例请在 Git Bash 或 WSL 中运行。",
  },
  call: {
    title: "3. 发出请求",
    body: "代码从变量 `{variable}` 读取您的密钥，`.env` 内容已设置该变量。OpenAI 客户端的 Base URL 带 `/v1`；Anthropic 客户端和 Claude Code 不带。Claude Code、Codex、Cursor 和各 SDK 有单独的指南。",
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
  limitHeaders: {
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
  benchmark: {
    title: "首页数据的测量方法",
    lead: "压测程序以 128 个连接同时请求简短的回答。模拟服务商会立即作答，因此测到的只有网关本身。密钥、限流、预留、计费和日志全部开启；每轮压测后，账本必须与服务商的计数完全一致，否则该轮作废。各网关按随机顺序轮流测量多轮，数据取中位数。`npm run bench` 可在您的机器上重复测量，源码中的 `docs/performance.md` 列出每一轮的结果以及各网关开启的功能。",
  },
  errors: {
    title: "错误与重试",
    lead: "错误始终为 JSON，包含错误码和请求 ID，格式与所调用的协议一致，且不计费；由您断开的请求按已产生的部分计费。",
    answer: "两家供应商的库都能读取的错误：",
    rules: [
      "429、500、502 和 503 可以重试；带有 `Retry-After` 时请等待相应的秒数。其他错误码请先更正请求。",
      "SDK 会自动重试，默认两次。",
      "重试的请求是新的请求：网关不支持幂等键。",
      "`error.param` 为出错字段的路径；错误码不足以说明时，`error.details.reason` 给出原因：`content_policy` 表示模型的供应商拒绝了内容。",
      "在 `/v1/responses` 上，错误码使用该协议的名称，如 `model_not_found`；本网关的错误码在 `error.details.error_code` 中。",
    ],
    problems: [
      {
        what: "同一请求反复失败",
        help: "请将 `x-request-id` 中的 ID 告知管理员，日志会显示经过。",
      },
      { what: "响应不是 JSON", help: "该响应并非来自网关，而是来自其前面的代理。" },
    ],
    columns: { status: "状态码", code: "错误码", meaning: "处理方法" },
    codes: "全部错误码",
    meanings: {
      INVALID_REQUEST: "按错误信息更正对应字段。",
      INVALID_API_KEY: "检查密钥：可能已禁用、过期或删除。",
      INVALID_CREDENTIALS: "仅用于登录：用户名或密码错误。",
      UNAUTHORIZED: "仅用于 `/api`：令牌缺失或已过期，请重新登录。API 密钥只能用于 `/v1`。",
      QUOTA_EXCEEDED: "提高密钥额度或补充余额。在 `/v1/responses` 上为 429。",
      FORBIDDEN: "此密钥不能使用该模型；在 `/api` 下表示账户无权执行此操作。",
      MODEL_NOT_FOUND: "使用模型页中列出的名称。",
      NOT_FOUND: "检查路径和 ID。",
      METHOD_NOT_ALLOWED: "使用响应头 `Allow` 给出的方法。",
      CONFLICT: "仅用于 `/api`：名称已存在，或已被他人更改。请重新加载。",
      PAYLOAD_TOO_LARGE: "减少一次发送的内容：更小的图片、更短的历史。",
      UNSUPPORTED_MEDIA_TYPE: "发送 JSON，并设置 `Content-Type: application/json`。",
      RATE_LIMITED: "按 `Retry-After` 等待后重试。",
      INTERNAL_ERROR: "重试；并将请求 ID 告知管理员。",
      UPSTREAM_ERROR: "重试即可，未计费。",
      NO_AVAILABLE_NODE: "在 `Retry-After` 之后重试，未计费。",
    },
  },
  fields: {
    title: "各字段的处理方式",
    lead: "适用于需要转换的请求；节点协议相同时，所有字段原样透传。未列出的字段会被省略并给出警告。",
    field: "字段",
    to: "到 {protocol}",
    names: { chat: "Chat Completions", messages: "Messages", responses: "Responses" },
    fates: { mapped: "转换", ignored: "无影响", dropped: "省略", refused: "拒绝" },
  },
};
