import type { guide as source } from "../en/guide";

export const guide: typeof source = {
  title: "文档",
  lead: "从注册到调用只需四步，随后是细节说明。",
  reference: "API 参考",
  onThisPage: "本页内容",
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
  money: {
    title: "计费规则",
    body: "请求结束时按模型价格对输入与输出 Token 计费。被拒绝的请求和服务器错误不计费。若在流式过程中离开，已产生的部分会计费。响应头 `x-tollgate-cost` 和 `GET /v1/usage/{requestId}` 给出单个请求的费用，单位为 ¥0.01。",
  },
  limits: {
    title: "限流",
    body: "每个密钥按套餐限制每秒请求数、每分钟请求数和每分钟 Token 数。超限返回 429 和 `Retry-After`，`x-ratelimit` 响应头给出剩余量。",
  },
  explain: {
    title: "路由说明",
    body: "任何请求加上 `x-tollgate-explain: 1`：不会真正发送，也不计费；回答会列出将依次尝试的节点、实际请求体，以及将预留的金额。",
  },
  errors: {
    title: "错误",
    lead: "始终为 JSON，包含错误码和请求 ID。",
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
