import type { connect as source } from "../en/connect";

export const connect: typeof source = {
  title: "接入与验证",
  lead: "选择客户端并复制其配置，然后由本页发出该客户端会发出的请求，检查是否可用。",
  client: "客户端",
  model: "模型",
  configuration: "1. 配置",
  configurationLead:
    "此配置从环境变量 `{variable}` 读取密钥。创建密钥时点击“复制为 .env”，将内容保存为名为 `.env` 的文件，再用 `set -a; . ./.env; set +a` 载入终端。PowerShell 中使用 `Get-Content .env | ForEach-Object { $n, $v = $_ -split '=', 2; Set-Item env:$n $v }`。",
  editors: {
    cursor:
      "在 Cursor Settings 中依次打开 Models 和 API Keys，用您自己的密钥替换 `tgw-…`，并打开这两项设置。Cursor 从自己的服务器发出请求，因此该地址必须可从互联网访问。",
    cline: "在 Cline 的设置中填写供应商表单，并用您自己的密钥替换 `tgw-…`。",
    continue:
      "Continue 从文件 `~/.continue/.env` 读取密钥：请在其中加入一行 `TOLLGATE_API_KEY=tgw-…`，并换成您自己的密钥。",
  },
  baseUrl: "Base URL",
  catalogue: {
    lead: "Codex 只了解自家模型的上下文窗口和推理强度。要让它了解本网关的模型，请将此文件保存到 config.toml 所在的文件夹，并将下面这一行写入 config.toml，放在第一个表之前。",
    download: "下载 Codex 模型目录",
  },
  verify: "2. 验证",
  verifyLead:
    "从此浏览器发出 {client} 的请求，每秒一次，任何套餐都允许。它们是普通调用：每次消耗几个 Token，会计费并出现在日志中。",
  run: "开始验证",
  again: "重新验证",
  running: "正在检查…",
  caption: "检查项",
  columns: { check: "检查", result: "结果", time: "耗时", cost: "费用" },
  states: { waiting: "未开始", running: "进行中", passed: "通过", failed: "未通过" },
  summaryPassed: "{count} 项检查全部通过。{client} 可使用此配置。",
  summaryFailed: { one: "{count} 项检查未通过。", other: "{count} 项检查未通过。" },
  summaryRefused: "密钥被拒绝，其余检查需要可用的密钥。",
  probes: {
    models: { name: "模型列表", detail: "{count} 个模型，其中包含 {model}" },
    whole: { name: "单次回答", detail: "{output} 个 Token，结束原因 {reason}" },
    stream: { name: "流式回答", detail: "{count} 个事件，完整" },
    tools: { name: "工具调用", detail: "调用了 {tool}" },
    count: { name: "Token 计数", detail: "{count} 个输入 Token" },
    usage: { name: "密钥剩余额度", detail: "剩余 {remaining}" },
  },
  failures: {
    modelMissing: "此密钥的模型列表中没有该模型。",
    noText: "回答中没有文本。",
    noEnd: "流式回答缺少结束事件。",
    noTool: "模型没有调用工具就作答。部分模型不支持工具。",
    badShape: "回答的格式不符合该客户端的预期。",
  },
};
