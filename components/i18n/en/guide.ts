export const guide = {
  title: "Docs",
  lead: "Four steps from an account to a call, then a guide for each thing that a client does.",
  reference: "API reference",
  quickStart: "Quick start",
  guides: "Guides",
  neighbours: "Before and after",
  previous: "Previous: {title}",
  next: "Next: {title}",
  search: "Search the docs",
  found: { one: "{count} guide", other: "{count} guides" },
  nothingFound: "No guide has these words. The API reference may have them.",
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
  streaming: {
    title: "Streaming",
    body: "With `stream: true` the answer comes piece by piece, as events of the protocol that you called. Until a node really answers, nothing is sent: an error before that is an ordinary error with its status, and another node may still take over. An error after it is an event of the stream, which SDKs raise. Chat Completions tell tokens at the end of a stream only if you ask with `stream_options`. If you leave early, what had been produced is billed.",
  },
  tools: {
    title: "Tools",
    body: "Describe each tool with a JSON schema. The model answers with the calls that it wants; your program runs them, sends the results back, and the model goes on. Tools are converted between protocols, so the same code works whatever protocol the model's node speaks.",
  },
  json: {
    title: "Answers as JSON",
    body: "Give the JSON schema of the answer: in `response_format` for Chat Completions, in `output_config.format` for Messages, in `text.format` for Responses. A model that takes no schema is told it as an instruction instead, and `x-tollgate-warnings` says so. Check what you get: an answer that reaches `max_tokens` is cut.",
  },
  images: {
    title: "Images",
    body: "Send an image as data within the message: PNG, JPEG, WebP or GIF. An `https` address works where the model's node fetches it; the gateway itself fetches nothing. The models page shows which models are known to read images. A model that is known to read none refuses the call with 400.",
  },
  money: {
    title: "Usage and costs",
    body: "Input and output tokens at the model's prices, at the end of the request. A request may begin while anything is left. The last one may cost more than that, unless the gateway is set to refuse it; a second one never begins. Refused requests and server errors cost nothing. If you leave in the middle of a stream, what had been produced is billed.",
    unit: "The header `x-tollgate-cost` is in cents, hundredths of a yuan: `x-tollgate-cost: 0.5256` means 0.5256 cents, that is ¥0.005256. Divide by 100 to get yuan. Other amounts of the API are in cents too, unless it says otherwise.",
    receipt:
      "A stream has no such header, because its cost is known at its end: ask `GET /v1/usage/{requestId}` with the id from the header `x-request-id`. It answers with tokens, prices and `receipt.total` in cents. `GET /v1/usage` tells what the key has left, in cents too.",
  },
  limits: {
    title: "Limits and headers",
    body: "Each key has requests a second, requests a minute and tokens a minute from its plan. A request over a limit is refused with 429 and is not billed. Each answer tells what is left of the limits that the key has:",
    columns: { header: "Header", meaning: "Meaning" },
    headers: {
      "x-request-id":
        "The id of the request, as in the logs. Give it to an administrator when something went wrong.",
      "x-ratelimit-limit-requests": "How many requests a minute the key may make.",
      "x-ratelimit-remaining-requests": "How many of them are left now.",
      "x-ratelimit-reset-requests": "How long until all of them are free again.",
      "x-ratelimit-remaining-tokens":
        "How many tokens of this minute are left; with `limit` and `reset` as above. Calls of Messages have `anthropic-ratelimit-requests-*` and `anthropic-ratelimit-tokens-*` instead.",
      "retry-after": "Of a refusal: how many seconds to wait.",
      "x-tollgate-cost": "What the request cost, in cents (hundredths of a yuan); not for streams.",
      "x-tollgate-warnings": "What was left out or changed for the model's node; absent when nothing was.",
    },
  },
  explain: {
    title: "Explain routing",
    body: "Send `x-tollgate-explain: 1` with any request: nothing is sent or billed, and the answer shows which nodes would be tried in which order, the exact body, and the amount that would be reserved.",
  },
  benchmark: {
    title: "How the figures of the front page are measured",
    body: "A load generator asks for short answers over 128 connections at once. A simulated provider answers at once, so that only the gateway is measured. Key, limits, hold, bill and log are switched on, and after each load the ledger must equal what the provider has counted, to the last digit, or the run does not count. The gateways run one after the other in random order, in several rounds; the figures are medians. `npm run bench` repeats it on your machine, and `docs/performance.md` in the source has every round and what each gateway had switched on.",
  },
  errors: {
    title: "Errors and retries",
    lead: "An error is always JSON, with a code and a request id, in the form of the protocol that you called. A call that ends with one costs nothing. Repeating helps with 429, 502 and 503, after the seconds that `Retry-After` says; with other codes below 500 correct the request first. The SDKs repeat by themselves, twice unless you say otherwise. A repeated request is a new one: the gateway knows no idempotency keys.",
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
