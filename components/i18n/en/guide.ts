export const guide = {
  title: "Docs",
  lead: "Four steps from an account to a call, then the details.",
  reference: "API reference",
  onThisPage: "On this page",
  account: {
    title: "1. Create an account",
    body: "Register with a username and a password. The page says what a new account may spend.",
  },
  key: {
    title: "2. Create an API key",
    body: "In the console, open API keys and create one. The key is shown once. Copy it as a `.env` block, save that as a file, and load it into your terminal with `set -a; . ./.env; set +a`.",
  },
  call: {
    title: "3. Make a call",
    body: "The code reads your key from the variable `{variable}`, which the `.env` block has set. OpenAI clients take the base URL with `/v1`; Anthropic clients and Claude Code take it without. The settings of Codex, Cursor, Cline and Continue are under “Connect & verify” in the console.",
  },
  see: {
    title: "4. See it",
    body: "The request is in the logs at once, with its cost, its attempts and a receipt. Usage adds it up by day and model, for one key or all of them.",
  },
  addresses: {
    title: "Addresses",
    columns: { client: "Client", url: "Base URL", header: "Key goes into" },
    rows: {
      openai: "OpenAI SDKs and compatible apps",
      anthropic: "Anthropic SDKs",
      claude: "Claude Code",
    },
  },
  protocols: {
    title: "Protocols",
    body: "Every generation model can be called at `/v1/chat/completions`, `/v1/messages` and `/v1/responses`; embedding models at `/v1/embeddings`. If its node speaks another protocol, the request and the answer are converted. What has no counterpart is left out and named in the header `x-tollgate-warnings`; send `x-tollgate-strict: 1` to get an error instead.",
  },
  money: {
    title: "What is billed",
    body: "Input and output tokens at the model's prices, at the end of the request. Refused requests and server errors cost nothing. If you leave in the middle of a stream, what had been produced is billed. The header `x-tollgate-cost` and `GET /v1/usage/{requestId}` tell the cost of a request, in hundredths of a yuan (¥0.01).",
  },
  limits: {
    title: "Limits",
    body: "Each key has requests a second, requests a minute and tokens a minute from its plan. A refusal is 429 with `Retry-After`. The `x-ratelimit` headers tell what is left.",
  },
  explain: {
    title: "Explain routing",
    body: "Send `x-tollgate-explain: 1` with any request: nothing is sent or billed, and the answer shows which nodes would be tried in which order, the exact body, and the amount that would be reserved.",
  },
  errors: {
    title: "Errors",
    lead: "Always JSON, with a code and a request id.",
    columns: { status: "Status", code: "Code", meaning: "What to do" },
    meanings: {
      INVALID_REQUEST: "Correct the field that the message names.",
      INVALID_API_KEY: "Check the key: it may be disabled, expired or deleted.",
      QUOTA_EXCEEDED: "Raise the key's quota, or ask for more balance.",
      FORBIDDEN: "The key may not use this model.",
      MODEL_NOT_FOUND: "Use a name from the models page.",
      RATE_LIMITED: "Wait as long as `Retry-After` says.",
      INTERNAL_ERROR: "Try again; tell an administrator the request id.",
      UPSTREAM_ERROR: "Try again; nothing was billed.",
      NO_AVAILABLE_NODE: "Try again after `Retry-After`; nothing was billed.",
    },
  },
};
