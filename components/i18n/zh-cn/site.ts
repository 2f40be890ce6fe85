import type { site as source } from "../en/site";

export const site: typeof source = {
  tagline: "所有模型，一个地址",
  heroTitle: "两种协议接入，任意供应商输出，每一分钱都有账可查",
  heroLead:
    "Tollgate 是一个模型网关。OpenAI 客户端可以调用 Anthropic 模型，反之亦然；节点故障时由下一个节点作答；每个请求都有一张精确到百万分之一分的收据。",
  start: "注册账户",
  openConsole: "打开控制台",
  readDocs: "快速开始",
  snippetTitle: "您的第一个请求",
  snippetLead: "选择您的客户端，只需更换地址和密钥。",
  diagram: {
    title: "请求的路径",
    clients: "您的客户端",
    clientList: ["OpenAI SDK", "Anthropic SDK", "Claude Code", "curl"],
    gateway: "Tollgate",
    gatewayList: ["密钥与限流", "预留余额", "协议转换", "故障切换", "收据"],
    nodes: "节点",
    nodeList: ["Chat completions", "Messages", "自有服务器"],
  },
  features: {
    title: "核心能力",
    protocols: {
      title: "双协议双向互通",
      body: "支持 chat completions 与 messages，流式或非流式，含工具调用。两端协议相同时原样透传，不同时自动转换。",
    },
    failover: {
      title: "首字之前完成切换",
      body: "在节点真正作答之前不会向客户端发送任何内容，因此节点故障只损失几毫秒，而不是一个错误。",
    },
    money: {
      title: "精确计费",
      body: "每个请求先预留、后结算且只结算一次。以百万分之一分的整数计算，没有舍入误差；服务器错误不计费。",
    },
    limits: {
      title: "讲得清楚的限流",
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
  modelsTitle: "模型与价格",
  modelsLead: "本网关当前提供的模型。",
  allModels: "全部模型",
  closing: "从零到第一个计费请求，只需两分钟",
};
