/** The guides for programs and libraries; their settings are those of `components/snippets`. */
export const clientGuides = {
  "claude-code": {
    title: "Claude Code",
    lead: "Claude Code speaks the Messages protocol. Four variables point it to this gateway, and every model of the gateway can answer it, whichever protocol the model's node speaks.",
    rules: [
      "`ANTHROPIC_BASE_URL` is the address of the gateway, without `/v1`.",
      "The key goes into `ANTHROPIC_AUTH_TOKEN`. Set no `ANTHROPIC_API_KEY` beside it: Claude Code warns about two credentials.",
      "`ANTHROPIC_MODEL` answers you; `ANTHROPIC_DEFAULT_HAIKU_MODEL` does small tasks in the background. Both take any name of the models page.",
      'To keep the variables, write them under `"env"` in `~/.claude/settings.json`.',
      "One question makes many requests: give the key a plan with enough requests a minute. Counting tokens is free, 60 times a minute for each key.",
    ],
    problems: [
      {
        what: "401 `INVALID_API_KEY`",
        help: "Claude Code sent another key, or yours is disabled or has expired. Load the `.env` file into the terminal again, and start Claude Code from there.",
      },
      {
        what: "404 `MODEL_NOT_FOUND`",
        help: "Claude Code asked for one of its own models. Set both model variables.",
      },
      {
        what: "402 `QUOTA_EXCEEDED`",
        help: "Raise the key's quota, or ask for more balance. The Billing page says which of the two is used up.",
      },
      {
        what: "429 `RATE_LIMITED`",
        help: "Claude Code waits and repeats by itself. If it happens often, choose a faster plan for the key.",
      },
    ],
  },
  codex: {
    title: "Codex",
    lead: "Codex speaks the Responses protocol. A few lines in `~/.codex/config.toml` make this gateway its provider.",
    rules: [
      "`base_url` ends with `/v1`. `env_key` is the name of the variable that holds the key, not the key.",
      "`supports_websockets = false` keeps Codex on HTTP. The gateway has no WebSockets and answers such a handshake with 426.",
      "Codex knows the context window and the reasoning levels of its own models only. “Connect & verify” in the console has a file that tells it those of this gateway.",
    ],
    problems: [
      {
        what: "Codex says that the variable is missing",
        help: "Export it in the terminal from which you start Codex.",
      },
      {
        what: "401",
        help: "The variable holds something other than a working key of this gateway.",
      },
      { what: "404 `model_not_found`", help: "`model` must be a name of the models page." },
      {
        what: "429 with the code `insufficient_quota`",
        help: "The quota of the key or the balance of the account is used up. On `/v1/responses` that is 429, not 402, because its clients know no 402.",
      },
    ],
  },
  editors: {
    title: "Cursor, Cline and Continue",
    lead: "Editors that take an “OpenAI compatible” provider work with three values: the base URL with `/v1`, a key, and the name of a model.",
    rules: [
      "Use a key for each editor: the log and Usage then tell what each of them costs, and one can be disabled without the others.",
      "The name of the model must be written exactly as on the models page.",
      "Completion as you type makes many small requests. A quota on the key bounds what they can cost.",
    ],
    problems: [
      {
        what: "Cursor finds no connection, curl does",
        help: "Cursor calls from its own servers: this address must be reachable from the internet.",
      },
      { what: "404 `NOT_FOUND`", help: "The base URL lacks `/v1`, or has more after it." },
      { what: "404 `MODEL_NOT_FOUND`", help: "Copy the name from the models page." },
      { what: "403 `FORBIDDEN`", help: "The key is limited to other models. Edit its list of models." },
    ],
  },
  "openai-sdk": {
    title: "OpenAI SDKs",
    lead: "The OpenAI libraries work as they are: give them the address of this gateway with `/v1` and one of your keys. The AI SDK and OpenAI's Agents use the Responses protocol.",
    answer: "The answer has the form that the library knows. `model` is the name that you asked for.",
    rules: [
      "Chat Completions, Responses, embeddings and the list of models are there, streamed or not, with tools and images.",
      "Files, batches, audio, fine-tuning and the generation of images are not: their paths are 404 `NOT_FOUND`.",
      "Use the raw response of the library to read headers such as `x-request-id` and `x-tollgate-cost`.",
      "The libraries repeat a call twice after 429 and 5xx. A repeated call is a new request, which is billed when it is answered.",
    ],
    problems: [
      { what: "404 `NOT_FOUND`", help: "The base URL lacks `/v1`." },
      {
        what: "401 `INVALID_API_KEY`",
        help: "The library has read a key of another provider from `OPENAI_API_KEY`. Give it the key in code, as above.",
      },
      {
        what: "400 `INVALID_REQUEST` about a field",
        help: "The message names the field, and `error.param` has its path. See “Protocols” for what becomes of each field.",
      },
    ],
  },
  "anthropic-sdk": {
    title: "Anthropic SDKs",
    lead: "The Anthropic libraries work as they are: give them the address of this gateway without `/v1` and one of your keys.",
    answer: "The answer has the form that the library knows. `model` is the name that you asked for.",
    rules: [
      "`messages.create`, `messages.stream`, `messages.count_tokens` and `models.list` are there.",
      "`max_tokens` is required, as at Anthropic. No version header is required.",
      "Batches and files are not there: their paths are 404 `NOT_FOUND`.",
      "Limits are in the headers `anthropic-ratelimit-requests-*` and `anthropic-ratelimit-tokens-*`.",
    ],
    problems: [
      {
        what: "400: `max_tokens` is required",
        help: "Add it. Chat Completions choose one where there is none; Messages do not.",
      },
      {
        what: "401 `INVALID_API_KEY`",
        help: "The library has read another key from `ANTHROPIC_API_KEY`. Give it the key in code, as above.",
      },
      {
        what: "The error class is `BadRequestError`",
        help: "Read `error.message`: it names the field. `error.details.error_code` has the code of this gateway.",
      },
    ],
  },
};
