export const site = {
  tagline: "One address for every model",
  heroTitle: "Two protocols in, any provider out, every cent accounted for",
  heroLead:
    "Tollgate is a model gateway. OpenAI clients reach Anthropic models and the other way round; when a node fails, the next one answers; and each request has a receipt that adds up to the millionth of a cent.",
  start: "Create an account",
  openConsole: "Open the console",
  readDocs: "Quick start",
  snippetTitle: "Your first call",
  snippetLead: "Pick your client. Only the address and the key are different.",
  diagram: {
    title: "How a request travels",
    clients: "Your clients",
    clientList: ["OpenAI SDKs", "Anthropic SDKs", "Claude Code", "curl"],
    gateway: "Tollgate",
    gatewayList: ["Key and limits", "Hold on the balance", "Conversion", "Failover", "Receipt"],
    nodes: "Nodes",
    nodeList: ["Chat completions", "Messages", "Your own servers"],
  },
  features: {
    title: "What you get",
    protocols: {
      title: "Both protocols, both ways",
      body: "Chat completions and messages, streamed or not, with tools. Same protocol on both sides is passed through untouched; different ones are converted.",
    },
    failover: {
      title: "Failover before the first word",
      body: "Nothing reaches the client until a node really answers, so a failing node costs some milliseconds, not an error.",
    },
    money: {
      title: "Exact money",
      body: "Every request is reserved, then settled once. Whole numbers of millionths of a cent, no rounding surprises, and server errors are never billed.",
    },
    limits: {
      title: "Limits that explain themselves",
      body: "Per second, per minute and tokens per minute for each key. A refusal says which limit was hit and when it frees up.",
    },
    sight: {
      title: "See every attempt",
      body: "The log of a request shows each node that was tried, how long it took, and why the next one was chosen.",
    },
    host: {
      title: "Yours to run",
      body: "One process, one command, and an embedded database to begin with. PostgreSQL and Redis when you grow.",
    },
  },
  modelsTitle: "Models and prices",
  modelsLead: "What this gateway serves right now.",
  allModels: "All models",
  closing: "From nothing to a billed first call in two minutes",
};
