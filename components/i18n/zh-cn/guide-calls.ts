import type { callGuides as source } from "../en/guide-calls";

export const callGuides: typeof source = {
  streaming: {
    title: "流式输出",
    lead: "设置 `stream: true` 后，回答会以所调用协议的事件逐段返回。",
    answer: "每个 `data:` 行是一段文字；最后几行依次为结束标记、Token 数和 `[DONE]`：",
    rules: [
      "在节点真正作答之前不会发送任何内容：此前的错误是带状态码的普通错误，其他节点仍可接替。",
      "Messages 的流以 `message_stop` 结束；Responses 的流以 `response.completed`、`response.incomplete` 或 `response.failed` 结束，随后是 `[DONE]`。",
      "Chat Completions 只有在 `stream_options: {include_usage: true}` 时才会在结尾给出 Token 数。",
      "模型暂无输出时，会用注释或 `ping` 事件保持连接：15 秒后开始，此后每 10 秒一次。",
      "若提前断开，服务商已产生的部分会计费（可能多于您已收到的）；由节点中断的流不计费。",
      "费用要到结束时才确定，请通过 `GET /v1/usage/{requestId}` 查询。",
    ],
    problems: [
      {
        what: "流结束时没有 `[DONE]`",
        help: "流已中断，最后一个事件为错误，SDK 会将其抛出。未计费，请重新发送请求。",
      },
      {
        what: "所有内容一次性到达",
        help: "您与网关之间的代理在缓冲。请关闭其缓冲；响应头 `x-accel-buffering: no` 已提出此要求。",
      },
      {
        what: "回答在句中停止",
        help: "`finish_reason` 为 `length`（Messages 为 `max_tokens`）：请提高输出上限。",
      },
    ],
  },
  tools: {
    title: "工具调用",
    lead: "用 JSON Schema 描述每个工具。模型会返回它想发起的调用；由您的程序执行并把结果发回，模型再继续作答。",
    answer: "模型尚未作答，而是请求一次调用。发回结果后它会继续：",
    rules: [
      "工具会在协议之间自动转换，因此无论模型的节点使用哪种协议，代码都相同。",
      "一个请求最多 128 个工具，名称最长 128 个字符。",
      "发回结果之前，先原样发回模型的消息，包含其中的每个调用，ID 保持不变。",
      "`parallel_tool_calls: false` 要求每次只调用一个；`tool_choice` 可指定某个工具或禁止调用。",
      "由服务商执行的工具（如联网搜索）仅在模型的节点支持时可用，其中一些按次计费。",
    ],
    problems: [
      {
        what: "400，提示某个调用缺少结果",
        help: "每个 `tool_calls` 条目都需要一条角色为 `tool`、带有其 `tool_call_id` 的消息；Messages 中为带有 `tool_use_id` 的 `tool_result`。",
      },
      {
        what: "模型没有调用工具",
        help: "并非所有模型都支持工具，请查看模型页。此外，可在 `description` 中说明何时使用，或用 `tool_choice` 指定。",
      },
      {
        what: "参数不是有效的 JSON",
        help: "回答被截断，请提高 `max_tokens`。网关不会修补回答中的参数。",
      },
    ],
  },
  json: {
    title: "以 JSON 作答",
    lead: "提供回答的 JSON Schema，模型会据此作答：Chat Completions 用 `response_format`，Messages 用 `output_config.format`，Responses 用 `text.format`。",
    answer: "回答的文本就是 JSON：",
    rules: [
      "对不支持 Schema 的模型，会改为在指令中说明，并在 `x-tollgate-warnings` 中注明。",
      "使用 `strict: true` 时，多数服务商要求所有属性都列入 `required`，并设置 `additionalProperties: false`。",
      "`x-tollgate-strict: 1` 会拒绝无法把 Schema 交给模型的请求。",
    ],
    problems: [
      {
        what: "JSON 无法解析",
        help: "达到 `max_tokens` 的回答会被截断：解析前请检查 `finish_reason`，并提高上限。",
      },
      {
        what: "400，与 Schema 有关",
        help: "服务商只支持 JSON Schema 的一部分，错误信息会指出不支持的内容。",
      },
      {
        what: "回答的成员与 Schema 不符",
        help: "该模型只是被告知了 Schema。请选择模型页中标有“按 Schema 输出 JSON”的模型。",
      },
    ],
  },
  images: {
    title: "图片",
    lead: "将图片作为数据放入消息，与相关文字并列，支持 PNG、JPEG、WebP 和 GIF。",
    answer: "回答是文本，与其他调用相同：",
    rules: [
      "`https` 地址只在模型的节点会自行获取时可用，网关本身不获取任何内容。",
      "模型页会标出已知可读取图片的模型。",
      "图片按输入 Token 计费，数量以服务商统计为准。",
      "整个请求最大 10 MiB，除非管理员另行设置。base64 数据比原文件大三分之一。",
    ],
    problems: [
      { what: "400：模型不能读取图片", help: "请选择支持图片的模型，或去掉图片。未计费。" },
      { what: "413 `PAYLOAD_TOO_LARGE`", help: "请缩小图片，或减少一次发送的数量。" },
      { what: "400，与图片地址有关", help: "该模型的节点只接受数据，请将图片作为数据发送。" },
    ],
  },
  embeddings: {
    title: "嵌入",
    lead: "嵌入是一组表示文本含义的数字：数字相近的文本含义相近。一次调用可以处理多段文本。",
    answer: "每段文本对应一个向量，顺序相同：",
    rules: [
      "只有嵌入类模型接受此类调用，可在模型页按类型筛选。",
      "`input` 可以是一段文本、最多 2,048 段文本的列表，或相应的 Token ID，均不得为空。",
      "`dimensions` 可在模型支持时请求更短的向量，`encoding_format: base64` 可使响应更短。",
      "只对输入 Token 计费。",
      "不同模型的向量不能相互比较；只有使用同一模型的节点才会接替。",
    ],
    problems: [
      { what: "400，并给出另一个路径", help: "模型类型与路径不符：生成与嵌入各有自己的路径。" },
      { what: "400，并带有 `input[3]`", help: "第四段文本为空，或格式与其他文本不同。" },
      { what: "没有可用的嵌入模型", help: "本网关不提供嵌入模型，请联系管理员。" },
    ],
  },
};
