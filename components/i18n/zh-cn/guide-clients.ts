import type { clientGuides as source } from "../en/guide-clients";

export const clientGuides: typeof source = {
  "claude-code": {
    title: "Claude Code 接入",
    lead: "Claude Code 使用 Messages 协议。设置四个变量即可指向本网关；无论模型的节点使用哪种协议，网关上的每个模型都能为它作答。",
    rules: [
      "`ANTHROPIC_BASE_URL` 是网关地址，不带 `/v1`。",
      "密钥放在 `ANTHROPIC_AUTH_TOKEN` 中。不要同时设置 `ANTHROPIC_API_KEY`：Claude Code 会对两个凭证发出警告。",
      "`ANTHROPIC_MODEL` 负责作答，`ANTHROPIC_DEFAULT_HAIKU_MODEL` 处理后台的小任务。两者都可填写模型页中的任意名称。",
      '如需长期保存这些变量，写入 `~/.claude/settings.json` 的 `"env"` 中。',
      "一个问题会产生许多请求，请为密钥选择每分钟请求数足够的套餐。Token 计数免费，每个密钥每分钟 60 次。",
    ],
    problems: [
      {
        what: "401 `INVALID_API_KEY`",
        help: "Claude Code 发送了其他密钥，或您的密钥已禁用或过期。请在终端重新载入 `.env` 文件，并从该终端启动 Claude Code。",
      },
      {
        what: "404 `MODEL_NOT_FOUND`",
        help: "Claude Code 请求了它自带的模型名称。请设置上述两个模型变量。",
      },
      {
        what: "402 `QUOTA_EXCEEDED`",
        help: "提高密钥额度，或补充账户余额。“账单”页会说明是哪一项已用完。",
      },
      {
        what: "429 `RATE_LIMITED`",
        help: "Claude Code 会自行等待并重试。如果经常出现，请为密钥选择更快的套餐。",
      },
    ],
  },
  codex: {
    title: "Codex 接入",
    lead: "Codex 使用 Responses 协议。在 `~/.codex/config.toml` 中写入几行即可将本网关设为它的服务商。",
    rules: [
      "`base_url` 以 `/v1` 结尾。`env_key` 是存放密钥的变量名，不是密钥本身。",
      "`supports_websockets = false` 让 Codex 使用 HTTP。网关不支持 WebSocket，会以 426 回应此类握手。",
      "Codex 只了解自带模型的上下文窗口和推理等级。控制台的“接入与验证”提供一个文件，可告知它本网关的模型。",
    ],
    problems: [
      { what: "Codex 提示缺少变量", help: "请在启动 Codex 的终端中导出该变量。" },
      { what: "401", help: "变量中的内容不是本网关的有效密钥。" },
      { what: "404 `model_not_found`", help: "`model` 必须是模型页中的名称。" },
      {
        what: "429，代码为 `insufficient_quota`",
        help: "密钥额度或账户余额已用完。`/v1/responses` 用 429 而不是 402，因为它的客户端不识别 402。",
      },
    ],
  },
  editors: {
    title: "Cursor、Cline 与 Continue",
    lead: "支持“OpenAI 兼容”服务商的编辑器只需三项：带 `/v1` 的 Base URL、一个密钥和一个模型名称。",
    rules: [
      "建议每个编辑器使用单独的密钥：日志和“用量”页即可分别显示费用，也可以单独禁用。",
      "模型名称必须与模型页完全一致。",
      "边输入边补全会产生许多小请求，为密钥设置额度可限制费用。",
    ],
    problems: [
      {
        what: "Cursor 无法连接，但 curl 可以",
        help: "Cursor 从自己的服务器发出请求：此地址必须能从互联网访问。",
      },
      { what: "404 `NOT_FOUND`", help: "Base URL 缺少 `/v1`，或其后还有多余内容。" },
      { what: "404 `MODEL_NOT_FOUND`", help: "请从模型页复制名称。" },
      { what: "403 `FORBIDDEN`", help: "该密钥仅限其他模型，请编辑它的模型列表。" },
    ],
  },
  "openai-sdk": {
    title: "OpenAI 的 SDK",
    lead: "OpenAI 的库无需改动：填入本网关带 `/v1` 的地址和您的密钥即可。AI SDK 和 OpenAI Agents 使用 Responses 协议。",
    answer: "回答的格式与该库一致，`model` 为您请求的名称。",
    rules: [
      "支持 Chat Completions、Responses、嵌入和模型列表，流式或非流式，含工具与图片。",
      "不支持文件、批处理、音频、微调和图片生成，这些路径返回 404 `NOT_FOUND`。",
      "读取 `x-request-id`、`x-tollgate-cost` 等响应头时，请使用该库的原始响应。",
      "遇到 429 和 5xx 时，这些库会重试两次。每次重试都是新的请求，得到回答后计费。",
    ],
    problems: [
      { what: "404 `NOT_FOUND`", help: "Base URL 缺少 `/v1`。" },
      {
        what: "401 `INVALID_API_KEY`",
        help: "该库从 `OPENAI_API_KEY` 读取了其他服务商的密钥。请像上面那样在代码中传入密钥。",
      },
      {
        what: "400 `INVALID_REQUEST`，与某个字段有关",
        help: "错误信息会指出字段，`error.param` 为其路径。各字段的处理方式见“协议”。",
      },
    ],
  },
  "anthropic-sdk": {
    title: "Anthropic 的 SDK",
    lead: "Anthropic 的库无需改动：填入本网关不带 `/v1` 的地址和您的密钥即可。",
    answer: "回答的格式与该库一致，`model` 为您请求的名称。",
    rules: [
      "支持 `messages.create`、`messages.stream`、`messages.count_tokens` 和 `models.list`。",
      "与 Anthropic 相同，`max_tokens` 为必填；无需版本请求头。",
      "不支持批处理和文件，这些路径返回 404 `NOT_FOUND`。",
      "限流信息在响应头 `anthropic-ratelimit-requests-*` 和 `anthropic-ratelimit-tokens-*` 中。",
    ],
    problems: [
      {
        what: "400：缺少 `max_tokens`",
        help: "请补上。Chat Completions 在缺少时会自动选择，Messages 不会。",
      },
      {
        what: "401 `INVALID_API_KEY`",
        help: "该库从 `ANTHROPIC_API_KEY` 读取了其他密钥。请像上面那样在代码中传入密钥。",
      },
      {
        what: "错误类型为 `BadRequestError`",
        help: "`error.message` 会指出字段，`error.details.error_code` 为本网关的错误码。",
      },
    ],
  },
};
