export const site = {
  tagline: "A model gateway for developers and teams",
  /** The headline breaks only between its phrases; the spaces between them belong to them. */
  heroPhrases: ["Call any AI model\u00a0", "with the code\u00a0", "you already have"],
  heroLead:
    "{product} stands between your programs and the providers of AI models. Keep your OpenAI or Anthropic library and change its address: one key reaches every model here. When a provider fails, the next one answers, and each request has a receipt of what it cost.",
  accountDeleted: "Your account is deleted.",
  start: "Create an account",
  openConsole: "Open the console",
  readDocs: "Read the docs",
  startsWith: "You start with {balance}. A call costs what the price of its model says, and nothing on top.",
  noFee: "A call costs what the price of its model says, and nothing on top.",
  firstCall: "Your code, with the address of this gateway:",
  live: {
    caption:
      "A drawn request: its first node fails after 88 ms, the second one answers, and the receipt of 1,204 input and 356 output tokens is {amount}.",
    lanes: {
      checks: "Key, limits, hold",
      failed: "503, nothing sent yet: a short pause, then the next node",
      answered: "first token after 430 ms, then streamed",
      settled: "Settled once",
    },
    firstToken: "First token",
    answer:
      "The test fails west of Greenwich, because it compares local time with UTC. Change line 42 of clock.ts …",
    input: "Input",
    output: "Output",
    total: "Billed",
  },
  facts: {
    title: "Measured",
    milliseconds: "{count} ms",
    rate: "requests a second: what one process serves while it bills and logs each of them before its answer ends.",
    ofPortkey:
      "as many requests a second as Portkey's open gateway, which checks no key and bills nothing; with {clients} clients.",
    ofGo: "as many as a lean gateway written in Go, which checks one key, has no limits and writes down what was used later.",
    cpu: "of processor time for one request. The key, the limits, the bill and the log are all in it.",
    how: "Measured with 128 clients at once on a machine of {cores} cores: the gateway has one, the clients, the database and a simulated provider share the rest.",
    method: "How this is measured",
  },
  works: {
    title: "Agents and SDKs that work",
    lead: "Tested with the real libraries, streamed and not, with tools.",
  },
  features: {
    title: "What you get",
    protocols: {
      title: "Four protocols, every way",
      body: "Chat completions, messages, responses and Gemini, streamed or not, with tools. The same protocol on both sides passes untouched; different ones are converted.",
    },
    failover: {
      title: "Failover before the first word",
      body: "Nothing reaches the client until a node really answers, so a failing node costs a fraction of a second, not an error.",
    },
    money: {
      title: "Exact money",
      body: "Every request is reserved, then settled once. Exact to the eighth decimal of a yuan, no rounding surprises, and server errors are never billed.",
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
  picture: {
    title: "Everything in sight",
    lead: "Spend, requests, tokens, errors and latency, down to the single request and what it cost.",
    alt: "The page Usage of the console: a week of spend, stacked by model, against the week before",
  },
  status: {
    title: "Status",
    feed: "Atom feed",
    lead: "Requests refused because the caller was at fault, such as going over a limit, are not counted.",
    overall: {
      operational: "All models are working.",
      quiet: "No model is failing.",
      degraded: "Some requests fail.",
      down: "Some models fail most requests.",
      few: "Too few requests in the last 24 hours to say.",
      idle: "Nothing was asked in the last 24 hours.",
    },
    /** Which models, below the sentence about all. */
    troubled: {
      down: {
        one: "Most requests fail: {count} of {total} models ({names}).",
        other: "Most requests fail: {count} of {total} models ({names}).",
      },
      degraded: {
        one: "Some requests fail: {count} of {total} models ({names}).",
        other: "Some requests fail: {count} of {total} models ({names}).",
      },
      few: {
        one: "Too few requests to tell: {count} of {total} models ({names}).",
        other: "Too few requests to tell: {count} of {total} models ({names}).",
      },
    },
    notices: "Notices",
    planned: "Planned",
    warning: "Warning",
    since: "From {from}",
    during: "{from} – {until}",
    period: "Period",
    allTime: "All",
    asOf: "As of {time}. Times and days are those of {zone}.",
    empty: "No model is live on this gateway yet.",
    hideNotice: "Hide this announcement",
    notice: "Announcement",
  },
  footer: { contact: "Contact:", licence: "MIT licence" },
  modelsTitle: "Models and prices",
  modelsLead: "What this gateway serves right now.",
  modelPrices: {
    generation: "{input} in · {output} out per 1M tokens",
    embedding: "{input} per 1M tokens",
  },
  allModels: { one: "The only model", other: "All {count} models" },
  closing: "From nothing to a billed first call in a minute",
};
