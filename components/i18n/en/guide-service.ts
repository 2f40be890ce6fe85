/** The guides for keys, money and what the gateway does with a request. */
export const serviceGuides = {
  keys: {
    title: "Keys and quotas",
    lead: "A key opens the model API. Each has a quota, a plan, and a list of models that it may use; all keys of an account spend its one balance.",
    answer: "The key itself is in `key`, once: the gateway stores only a hash of it. Money is in cents.",
    rules: [
      "The quota bounds what the key may spend in all; the balance bounds what all keys may spend. The smaller of the two counts.",
      "A quota that is left out is that of the plan. You may change it at any time, in API keys or with the API.",
      "The plan sets requests a second, requests a minute and tokens a minute. A key without a choice has the plan of the account.",
      "Send the key as `Authorization: Bearer`, `x-api-key` or `api-key`. It opens `/v1`, never `/api`: that needs the token of a login, which is valid for 7 days.",
      "A disabled key works again when you enable it; a deleted one never does. Both end at once for new requests.",
    ],
    problems: [
      {
        what: "401 `INVALID_API_KEY`",
        help: "The key is unknown, disabled, expired or deleted: the answer does not tell which, the list of keys does.",
      },
      {
        what: "402 `QUOTA_EXCEEDED`",
        help: "The message says whether the key's quota or the balance is used up.",
      },
      { what: "403 `FORBIDDEN`", help: "The key may not use this model. Add it to the key's list." },
      {
        what: "A key has leaked",
        help: "Disable or delete it in API keys; the log of the key shows what was done with it.",
      },
    ],
  },
  limits: {
    title: "Limits and headers",
    lead: "Each key has requests a second, requests a minute and tokens a minute from its plan. A request over a limit is refused with 429 and is not billed. Each answer tells what is left:",
    rules: [
      "A request counts from its beginning, with an estimate of its tokens, which is corrected when it ends. What a limit has refused does not count.",
      "The windows slide: what you used 60 seconds ago is free again.",
      "An account may have limits of its own over all its keys together, and one of its number of keys: an administrator sets them, or the account's plan does. They hold whatever plans its keys have. Where key and account have a limit, the headers tell what leaves less.",
      "A plan or an account may also limit the calls at once.",
      "`GET /v1/models` and `GET /v1/usage` do not count. Counting tokens has a limit of its own, 60 a minute.",
      "A key has also a limit of requests at once, far above its plan. Beyond it, and while the gateway is overloaded, the answer is 503 with `Retry-After`.",
    ],
    problems: [
      {
        what: "429 `RATE_LIMITED`",
        help: "Wait as long as `Retry-After` says. The message names the limit; Limits shows it live.",
      },
      {
        what: "429 that says “over all its keys”",
        help: "The keys of your account together have met a limit of the account. Another key does not help. Limits shows what is used of it.",
      },
      {
        what: "409 `CONFLICT` for a new key",
        help: "The account has as many keys as it may have. Delete one, or ask an administrator.",
      },
      {
        what: "429 for large requests only",
        help: "A request for more tokens than the plan has in a minute passes only when the minute before was empty. Lower `max_tokens`, or choose another plan.",
      },
      {
        what: "503 with `Retry-After: 1` to `3`",
        help: "The gateway has too much to do. Wait, then repeat.",
      },
    ],
  },
  money: {
    title: "Billing",
    lead: "A request costs its tokens times the prices of its model. It is reserved when the request begins, and settled once, exactly, before the answer ends.",
    answer:
      "A worked example: 1,204 input tokens at ¥2.00 and 356 output tokens at ¥8.00 a million cost ¥0.005256. Every receipt has these lines, in cents:",
    unit: "The header `x-tollgate-cost` is in cents, hundredths of a yuan: `x-tollgate-cost: 0.5256` means 0.5256 cents, that is ¥0.005256. Divide by 100 to get yuan. Other amounts of the API are in cents too, unless it says otherwise.",
    rules: [
      "Input that the provider reads from its cache, or writes to it, has prices of its own. Reasoning counts as output. Tools that the provider runs may have a price per call.",
      "A request may begin while anything is left. The last one may cost more than that, unless the gateway is set to refuse it; a second one never begins. The balance is then below zero.",
      "Refused requests and server errors cost nothing, and neither do attempts at nodes that failed.",
      "If you leave in the middle of a stream, what had been produced is billed.",
      "A price that changes counts for the requests that begin after that.",
      "Billing shows each movement of the balance: grants one by one, charges for each key and day in UTC.",
    ],
    problems: [
      {
        what: "402 `QUOTA_EXCEEDED`",
        help: "Raise the key's quota, or ask for more balance. On `/v1/responses` it is 429 with the code `insufficient_quota`.",
      },
      {
        what: "402 with `Retry-After`",
        help: "Running requests hold what is left. Repeat when they have ended, or set a smaller `max_tokens`.",
      },
      {
        what: "No `x-tollgate-cost`",
        help: "The answer is a stream: ask `GET /v1/usage/{requestId}` after its end.",
      },
    ],
  },
  usage: {
    title: "Usage API",
    lead: "Two calls with the key tell what it may still spend, and what one request cost. Statistics of the account come from `/api/user/stats`, with the token of a login.",
    answer: "What the key has left, and how much of its limits is used now; money in cents:",
    rules: [
      "`GET /v1/usage/{requestId}` has tokens, prices, attempts and `receipt.total` of one request of this key. The id is in the header `x-request-id`.",
      "`remaining` is what the key may spend: the smaller of its quota and the balance, less what running requests hold.",
      "Neither of them is billed or counts as a request of the plan.",
      "`GET /api/user/stats?period=7d` adds up requests, tokens and cost by day and model; `/api/user/logs/export` is every request as CSV.",
    ],
    problems: [
      {
        what: "404 `NOT_FOUND` for a request id",
        help: "The request is one of another key, or is still running: its receipt is there once it has ended.",
      },
      {
        what: "401 `UNAUTHORIZED` under `/api`",
        help: "Keys open `/v1` only. Sign in with `POST /api/user/login`.",
      },
    ],
  },
  failover: {
    title: "Failover",
    lead: "A model may have several nodes. When one fails before it has answered, the next one is asked, and you see nothing of it but a short delay.",
    answer:
      "The first node of this request failed: the receipt shows both attempts, and only the answer is billed.",
    rules: [
      "Nodes with a lower priority number come first; equal ones share the requests by their weights. A conversation stays with its node, for its cache.",
      "At most three nodes are asked, each once. For a stream all of them together have 60 s until the answer begins.",
      "After the first word nothing is repeated: a stream that breaks then ends with an error, and is not billed.",
      "A node that fails five times in a row is left out for 30 s, longer if it fails again, and is then tried with single requests.",
      "Mistakes of the request are not repeated on other nodes.",
    ],
    problems: [
      {
        what: "502 `UPSTREAM_ERROR`",
        help: "Every node that was asked has failed. Repeat it; the log of the request shows each attempt.",
      },
      {
        what: "503 `NO_AVAILABLE_NODE`",
        help: "No node of the model can be reached now. Wait as long as `Retry-After` says, or use another model.",
      },
    ],
  },
  protocols: {
    title: "Protocols",
    lead: "Every model that generates can be called at `/v1/chat/completions`, `/v1/messages` and `/v1/responses`. If its node speaks another protocol, the request and the answer are converted.",
    answer: "The same model, called in Messages:",
    rules: [
      "The same protocol on both sides passes as it is: fields that the gateway does not know are kept.",
      "What has no counterpart is left out and named in the header `x-tollgate-warnings`, for example `dropped:seed`.",
      "Send `x-tollgate-strict: 1` to get a 400 instead, unless another node of the model loses nothing.",
      "Text, images, tools with their results, reasoning, output limits and JSON schemas are converted, streamed or not.",
    ],
    problems: [
      {
        what: "A setting has no effect",
        help: "Look for its field in the table above, and into `x-tollgate-warnings`.",
      },
      {
        what: "400 `INVALID_REQUEST` for a field that another model takes",
        help: "This model's node speaks another protocol, and the field changes the answer. Leave it out, or choose a model that speaks the protocol natively.",
      },
    ],
  },
  explain: {
    title: "Explain routing",
    lead: "Send `x-tollgate-explain: 1` with any request: nothing is sent or billed, and the answer shows what would happen.",
    answer: "Which nodes would be asked, in this order, and with which body:",
    rules: [
      "`attempts` has the nodes in their order, why each stands there, the exact body for it, and what that body leaves out. `skipped` has those that are left out now, and why.",
      "`hold` is the amount that would be reserved, in cents: the estimate of the input, and the output at its limit.",
      "`limits` is what the key has used of its plan now.",
      "Names of nodes and models of providers are shown to keys of administrators only; other keys see numbers.",
    ],
    problems: [
      {
        what: "The answer is an error",
        help: "The request would be refused for the same reason: the model, a field, or the key.",
      },
      {
        what: "`attempts` differ from call to call",
        help: "Nodes of one priority share the requests by their weights, and a node that fails is moved back.",
      },
    ],
  },
};
