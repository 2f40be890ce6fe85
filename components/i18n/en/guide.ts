import { callGuides } from "./guide-calls";
import { clientGuides } from "./guide-clients";
import { serviceGuides } from "./guide-service";

export const guide = {
  ...clientGuides,
  ...callGuides,
  ...serviceGuides,
  title: "Docs",
  lead: "Four steps from an account to a call, then a guide for each thing that a client does.",
  reference: "API reference",
  quickStart: "Quick start",
  guides: "Guides",
  groups: {
    start: "Start",
    clients: "Clients",
    calls: "Calls",
    account: "Keys and money",
    service: "The gateway",
  },
  parts: {
    example: "Example",
    answer: "What comes back",
    answerCode: "An answer",
    rules: "Good to know",
    problems: "When it goes wrong",
    more: "Read on",
    operation: "Its fields in the API reference",
  },
  copyPage: "Copy page as Markdown",
  problemColumns: { what: "What you see", help: "What to do" },
  onThisPage: "On this page",
  neighbours: "Before and after",
  previous: "Previous: {title}",
  next: "Next: {title}",
  search: "Search the docs",
  found: { one: "{count} result", other: "{count} results" },
  nothingFound: "Nothing in the guides and the API reference has these words.",
  searchFailed: "The search could not be loaded. Check the connection and type again.",
  account: {
    title: "1. Create an account",
    body: "Register with a username and a password. The page says what a new account may spend.",
  },
  key: {
    title: "2. Create an API key",
    body: "In the console, open API keys and create one. The key is shown once. Copy it as a `.env` block, save that as a file, and load it into your terminal with `set -a; . ./.env; set +a`. In PowerShell: `Get-Content .env | ForEach-Object { $n, $v = $_ -split '=', 2; Set-Item env:$n $v }`; the examples for curl are written for Git Bash or WSL there.",
  },
  call: {
    title: "3. Make a call",
    body: "The code reads your key from the variable `{variable}`, which the `.env` block has set. OpenAI clients take the base URL with `/v1`; Anthropic clients and Claude Code take it without. Claude Code, Codex, Cursor and the SDKs have guides of their own.",
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
  limitHeaders: {
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
  /** In the code of the guides. */
  comments: {
    limits: "Shows the headers alone.",
    money: "The cost of the call, in cents; then what the key has left.",
    keys: "TOLLGATE_TOKEN is what POST /api/user/login answers. The quota is in cents.",
    failover: "Makes a call, then asks for its receipt.",
    protocols: "The same model in all three protocols.",
    errors: "Repeats after 429 and 5xx, as Retry-After says.",
  },
  benchmark: {
    title: "How the figures of the front page are measured",
    lead: "A load generator asks for short answers over 128 connections at once. A simulated provider answers at once, so that only the gateway is measured. Key, limits, hold, bill and log are switched on, and after each load the ledger must equal what the provider has counted, to the last digit, or the run does not count. The gateways run one after the other in random order, in several rounds; the figures are medians. The gateway written in Go is GoModel. `npm run bench` repeats it on your machine, and `bench/results` in the source has every round and what each gateway had switched on.",
  },
  errors: {
    title: "Errors and retries",
    lead: "An error is always JSON, with a code and a request id, in the form of the protocol that you called. A call that ends with one costs nothing; one that you leave is billed for what was produced.",
    answer: "An error in the form that both vendors' libraries read:",
    rules: [
      "Repeating helps with 429, 500, 502 and 503, after the seconds that `Retry-After` says where it is there. With other codes correct the request first.",
      "The SDKs repeat by themselves, twice unless you say otherwise.",
      "A repeated request is a new one: the gateway knows no idempotency keys.",
      "`error.param` has the path of the wrong field, `error.details.reason` says more where the code is not enough: `content_policy` is a refusal by the model's vendor.",
      "On `/v1/responses` the code has the words of that protocol, such as `model_not_found`; ours is in `error.details.error_code`.",
    ],
    problems: [
      {
        what: "The same request fails again and again",
        help: "Give an administrator the id from `x-request-id`. The log shows what happened to it.",
      },
      {
        what: "The answer is no JSON",
        help: "It is not from the gateway but from a proxy in front of it.",
      },
    ],
    columns: { status: "Status", code: "Code", meaning: "What to do" },
    codes: "Every code",
    meanings: {
      INVALID_REQUEST: "Correct the field that the message names.",
      INVALID_API_KEY: "Check the key: it may be disabled, expired or deleted.",
      INVALID_CREDENTIALS: "Only of a login: the username or the password is wrong.",
      UNAUTHORIZED:
        "Only under `/api`: sign in again, the token is missing or has expired. API keys open `/v1` only.",
      QUOTA_EXCEEDED: "Raise the key's quota, or ask for more balance. 429 on `/v1/responses`.",
      FORBIDDEN: "The key may not use this model; under `/api`: the account may not do this.",
      MODEL_NOT_FOUND: "Use a name from the models page.",
      NOT_FOUND: "Check the path and the id.",
      METHOD_NOT_ALLOWED: "Use the method that the header `Allow` names.",
      CONFLICT:
        "Only under `/api`: something with this name exists, or somebody has changed it since. Load it again.",
      PAYLOAD_TOO_LARGE: "Send less at once: smaller images, a shorter history.",
      UNSUPPORTED_MEDIA_TYPE: "Send JSON with `Content-Type: application/json`.",
      RATE_LIMITED: "Wait as long as `Retry-After` says.",
      INTERNAL_ERROR: "Try again; tell an administrator the request id.",
      UPSTREAM_ERROR: "Try again; nothing was billed.",
      NO_AVAILABLE_NODE: "Try again after `Retry-After`; nothing was billed.",
    },
  },
  fields: {
    title: "What becomes of each field",
    lead: "Of a request that is converted; on a node of the same protocol every field passes. A field that is not listed is left out, with a warning.",
    field: "Field",
    to: "To {protocol}",
    fates: { mapped: "Converted", ignored: "No effect", dropped: "Left out", refused: "Refused" },
  },
};
