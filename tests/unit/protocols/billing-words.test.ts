import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { billingWords } from "@/lib/protocols/failures/billing-words";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { classifyFailure, isRateLimit } from "@/lib/protocols/failures/failure-class";
import type { ProviderId } from "@/lib/protocols/profiles/providers";

const said = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });

const refusals: [string, number, string][] = [
  [
    "OpenAI",
    429,
    said("You exceeded your current quota, please check your plan and billing details.", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
  ],
  [
    "OpenAI, without a code",
    429,
    said("You exceeded your current quota, please check your plan and billing details."),
  ],
  [
    "OpenAI, hard limit",
    400,
    said("Billing hard limit has been reached", { code: "billing_hard_limit_reached" }),
  ],
  [
    "OpenAI, not active",
    429,
    said("Your account is not active, please check your billing details on our website."),
  ],
  [
    "Anthropic",
    400,
    said(
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.",
      {
        type: "invalid_request_error",
      },
    ),
  ],
  [
    "Anthropic, limit",
    400,
    said("You have reached your specified API usage limits. You will regain access on 2026-12-01."),
  ],
  ["Anthropic, type", 403, said("No.", { type: "billing_error" })],
  [
    "OpenRouter",
    402,
    said("Insufficient credits. Add more using https://openrouter.ai/credits", { code: 402 }),
  ],
  ["OpenRouter, key", 403, said("Key limit exceeded (total limit). Manage it using your settings.")],
  ["DeepSeek", 402, said("Insufficient Balance", { type: "unknown_error", code: "invalid_request_error" })],
  [
    "Qwen",
    400,
    said("Access denied, please make sure your account is in good standing.", { code: "Arrearage" }),
  ],
  ["Qwen, overdue", 403, said("x", { code: "PostpaidBillOverdue" })],
  [
    "Volcengine",
    403,
    said("The request failed because your account has an overdue balance.", { code: "AccountOverdueError" }),
  ],
  ["Zhipu", 429, said("余额不足或无可用资源包,请充值。", { code: "1113" })],
  ["Z.AI", 429, said("Insufficient balance or no resource package. Please recharge.", { code: "1113" })],
  [
    "Moonshot",
    429,
    said("Your account org-1<ak-2> is suspended, please check your plan and billing details", {
      type: "exceeded_current_quota_error",
    }),
  ],
  [
    "xAI",
    403,
    said("Your team 1 has either used all available credits or reached its monthly spending limit."),
  ],
  [
    "SiliconFlow",
    403,
    JSON.stringify({ code: 30001, message: "Sorry, your account balance is insufficient" }),
  ],
  ["Fireworks", 412, said("Account acme is suspended, possibly due to reaching the monthly spending limit.")],
  [
    "new-api",
    403,
    said("用户额度不足, 剩余额度: ¥0.000000 (request id: 2)", {
      type: "new_api_error",
      code: "insufficient_user_quota",
    }),
  ],
  ["new-api, without a code", 403, said("用户额度不足, 剩余额度: ¥-0.25", { type: "new_api_error" })],
  ["new-api, token", 403, said("令牌额度不足", { code: "pre_consume_token_quota_failed" })],
  ["new-api, exhausted token", 401, said("该令牌额度已用尽 TokenStatusExhausted[sk-a***b]")],
  [
    "new-api, nothing left",
    403,
    said("预扣费额度失败, 用户剩余额度: ＄0.000000, 需要预扣费额度: ＄0.069900"),
  ],
  [
    "new-api, token in English",
    403,
    said("token quota is not enough, token remain quota: -12, need quota: 300", {
      code: "pre_consume_token_quota_failed",
    }),
  ],
  [
    "one-api",
    403,
    said("user quota is not enough", { type: "one_api_error", code: "insufficient_user_quota" }),
  ],
  ["one-api, without a code", 403, said("user quota is not enough (request id: 2)")],
  [
    "a relay with credit limits",
    403,
    said("User's credit limit is insufficient, remaining credit limit: $0.000000", {
      code: "insufficient_user_quota",
    }),
  ],
  [
    "a relay with credit limits, without a code",
    403,
    said("User's credit limit is insufficient, remaining: $0"),
  ],
  ["a relay, by its own code", 403, said("x", { code: "local:insufficient_quota" })],
  ["a relay, inside an answer", 200, said("user quota is not enough", { code: "insufficient_user_quota" })],
  ["any, under 402", 402, "no JSON"],
  ["any, inside an answer", 200, said("x", { code: 402 })],
  ["OpenAI, inside an answer", 200, said("x", { type: "insufficient_quota" })],
  ["Moonshot, inside an answer", 200, said("x", { type: "exceeded_current_quota_error" })],
  ["Zhipu, inside an answer", 200, said("余额不足或无可用资源包,请充值。", { code: "1113" })],
];

const classOf = (status: number, body: string, provider: ProviderId | null = null) =>
  classifyFailure(status < 300 ? "answer" : "status", readFailure(status, body), provider);

describe("a vendor whose account cannot pay", () => {
  test.each(refusals)("%s: another node is asked, the caller gets a 503", (_vendor, status, body) => {
    expect(classOf(status, body)).toMatchObject({
      fault: "ours",
      failover: true,
      clientStatus: 503,
      code: "NO_AVAILABLE_NODE",
      health: "billing",
    });
  });

  test.each<[number, string, string | number]>([
    [
      402,
      "This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 312.",
      402,
    ],
    [
      403,
      "预扣费额度失败, 用户剩余额度: ＄0.056700, 需要预扣费额度: ＄0.069900 (request id: 2)",
      "insufficient_user_quota",
    ],
    [
      403,
      "token quota is not enough, token remain quota: ¥12.5, need quota: ¥300",
      "pre_consume_token_quota_failed",
    ],
  ])(
    "a request that costs more than is left says nothing of smaller ones (%s: %s)",
    (status, message, code) => {
      expect(classOf(status, said(message, { code }))).toMatchObject({
        clientStatus: 503,
        failover: true,
        health: "none",
      });
    },
  );

  test.each<[string, number, string]>([
    [
      "a rate limit in words of a quota",
      429,
      said("You exceeded your current quota. Please retry in 12.5s."),
    ],
    [
      "a quota a minute",
      429,
      said("You exceeded your current quota, please check your plan and billing details.", {
        details: [{ quotaId: "GenerateRequestsPerMinutePerProject", retryDelay: "12s" }],
      }),
    ],
    ["a rate limit", 429, said("Rate limit reached for requests", { code: "rate_limit_exceeded" })],
  ])("%s is none", (_what, status, body) => {
    expect(classOf(status, body)).toMatchObject({ clientStatus: 503, health: "cooldown" });
  });

  test.each([
    'messages[0].content: "Your credit balance is too low" is not valid here',
    "Invalid value: 'You exceeded your current quota'. Supported values are: 'a' and 'b'.",
    "Unknown tool `insufficient_quota`",
    "The text “余额不足” was flagged",
    "Field prompt: customers write that insufficient balance is shown to them",
    "tools[0].description: explain why your account is in arrears",
  ])("a caller's own words about it are the caller's: %s", (message) => {
    expect(classOf(400, said(message))).toMatchObject({ fault: "client", clientStatus: 400, health: "none" });
  });

  test.each([
    'JSON schema conversion failed:\nUnrecognized schema: {"type":"a\\" spend limit \\"b"}',
    "1 validation error:\n  {'input': 'it\\'s a spend limit \\'b'}",
    "Unrecognized schema: spend limit",
    "Invalid template: prepayment credits are depleted",
    "Cannot parse\nYour credit balance is too low",
  ])("words in the midst of a refused request are the caller's: %s", (message) => {
    for (const status of [400, 413, 422])
      expect(classOf(status, said(message))).toMatchObject({ fault: "client", health: "none" });
  });

  test.each<[string, number, string]>([
    [
      "with apostrophes",
      429,
      "You've hit your organization's monthly spend limit. It'll reset on 1 December.",
    ],
    ["with a typographic apostrophe", 400, "You’ve reached your spend limit."],
    ["of an organization", 400, "Your organization has reached its spend limit."],
    ["of a workspace", 400, "You have reached your specified workspace API usage limits."],
    [
      "of a tier",
      429,
      "You have reached your API usage limits: your organization has crossed its threshold.",
    ],
    ["with a quotation behind", 403, 'Key limit exceeded for the key "mine".'],
  ])("a vendor's sentence %s counts", (_what, status, message) => {
    expect(classOf(status, said(message))).toMatchObject({ health: "billing", clientStatus: 503 });
  });

  test("a sentence about a named field is the caller's", () => {
    const body = said("Insufficient balance is not a tool", { param: "tools[0].function.name" });
    expect(classOf(400, body)).toMatchObject({ fault: "client", clientStatus: 400 });
  });
});

describe("a provider whose quota comes back within a minute", () => {
  const quota = said("You exceeded your current quota, please check your plan and billing details.", {
    type: "insufficient_quota",
    code: "insufficient_quota",
  });
  const limits: [string, number, string, ProviderId | null][] = [
    ["Qwen", 429, quota, "qwen"],
    ["Qwen, inside an answer", 200, quota, "qwen"],
    ["Qwen, without a code", 429, said("You exceeded your current quota, please check your plan."), "qwen"],
    [
      "Qwen, allocation",
      429,
      said("Allocated quota exceeded, please increase your quota limit.", {
        code: "Throttling.AllocationQuota",
      }),
      "qwen",
    ],
    [
      "Qwen's code through a relay",
      429,
      said("You exceeded your current quota.", { code: "Throttling.AllocationQuota" }),
      null,
    ],
    ["Qwen's code inside an answer", 200, said("x", { code: "Throttling.RateQuota" }), null],
    [
      "Gemini",
      429,
      said("You exceeded your current quota, please check your plan and billing details."),
      "gemini",
    ],
  ];
  test.each(limits)("%s: it is a rate limit", (_what, status, body, provider) => {
    const found = classOf(status, body, provider);
    expect(found).toMatchObject({ fault: "ours", failover: true, clientStatus: 503, health: "cooldown" });
    expect(isRateLimit(found)).toBe(true);
  });

  test.each<[number, string, string]>([
    [400, "Arrearage", "Access denied, please make sure your account is in good standing."],
    [403, "PrepaidBillOverdue", "The prepaid bill is overdue."],
    [403, "PostpaidBillOverdue", "The postpaid bill is overdue."],
    [403, "CommodityNotPurchased", "Commodity has not purchased yet."],
    [403, "AllocationQuota.FreeTierOnly", "The free tier of the model has been exhausted."],
  ])("%s %s of Qwen is about money", (status, code, message) => {
    expect(classOf(status, said(message, { code }), "qwen").health).toBe("billing");
  });

  test("others mean money with the same words", () => {
    for (const provider of [null, "openai", "other"] as const)
      for (const status of [429, 200]) expect(classOf(status, quota, provider).health).toBe("billing");
  });
});

/** Sentences that each open the circuit where a vendor says them. */
const sentences = [
  ...refusals.flatMap(([, , body]) => {
    const { error, message = error?.message } = body.startsWith("{") ? JSON.parse(body) : {};
    return typeof message === "string" && message.length > 3 ? [message] : [];
  }),
  "spend limit",
  "Your organization has reached its spend limit",
  "Your prepayment credits are depleted.",
  "用户额度不足, 剩余额度: ¥0",
  "user quota is not enough",
];

const python = (text: string) => {
  const inside = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return text.includes("'") && !text.includes('"') ? `"${inside}"` : `'${inside.replaceAll("'", "\\'")}'`;
};
/** How nodes quote what a caller has sent. */
const quotations: ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => JSON.stringify({ type: text, items: [text] }, null, 2),
  python,
  (text) => `b${python(text)}`,
  (text) => `{'type': 'enum', 'input': ${python(text)}}`,
  (text) => `\`${text}\``,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `“${text}”`,
  (text) => `「${text}」`,
  (text) => `"${text}"`,
];

test("a caller's text that a refused request quotes anywhere never says that the account cannot pay", () => {
  const noise = fc.string({
    unit: fc.constantFrom("a", " ", "'", '"', "\\", "`", "\n", "”", "」", "it's"),
    maxLength: 6,
  });
  const mine = fc.tuple(noise, fc.constantFrom(...sentences), noise).map((parts) => parts.join(""));
  const before = fc.constantFrom(
    "",
    "\n",
    "Unrecognized schema: ",
    "JSON schema conversion failed:\nUnrecognized schema: ",
    "1 validation error for body.tools.0\n  Input should be a list, you've sent ",
    "It isn't valid: ",
  );
  const after = fc.constantFrom("", " is not of type 'object'", "\nSee the documentation.", " and 'b'");
  const nodes = fc.constantFrom(...([400, 413, 422, 200] as const));
  fc.assert(
    fc.property(
      before,
      mine,
      fc.constantFrom(...quotations),
      after,
      nodes,
      (start, text, quote, end, status) => {
        const message = `${start}${quote(text)}${end}`;
        const bodies = [
          said(message, status === 200 ? { code: 400 } : {}),
          JSON.stringify({ detail: [{ type: "enum", loc: ["body"], msg: message, input: text }] }),
          JSON.stringify({ error: message }),
        ];
        for (const body of bodies) expect(classOf(status, body).health).not.toBe("billing");
      },
    ),
    { numRuns: 2_000 },
  );
});

test("every sentence counts from the beginning of a message only", () => {
  for (const { source } of billingWords.flatMap(({ phrases = [] }) => phrases)) expect(source).toMatch(/^\^/);
});

const DOCUMENT = "docs/protocols.md";
const BEGIN = "<!-- billing: begin -->\n";
const END = "<!-- billing: end -->";

function rendered(): string {
  const rows = billingWords.map(({ vendor, codes = [], phrases = [], rateLimitAt = [], document }) => {
    const words = codes.map((word) => `\`${word}\``).join(" ");
    const sentences = phrases.map(({ source }) => `\`${source.replaceAll("|", "\\|")}\``).join(" ");
    const limits = rateLimitAt.map((provider) => `\`${provider}\``).join(" ");
    return `| ${vendor} | ${words} | ${sentences} | ${limits} | [source](${document}) |`;
  });
  return `${["| Vendor | Codes | Sentences | A rate limit at | Document |", "|---|---|---|---|---|", ...rows].join("\n")}\n`;
}

test("the document of protocols lists the words of each vendor", () => {
  const text = readFileSync(DOCUMENT, "utf8");
  const from = text.indexOf(BEGIN);
  expect(from, `${DOCUMENT} holds ${BEGIN}`).toBeGreaterThan(0);
  if (process.env.UPDATE_DOCS === "1") {
    writeFileSync(DOCUMENT, text.slice(0, from + BEGIN.length) + rendered() + text.slice(text.indexOf(END)));
    return;
  }
  const table = text.slice(from + BEGIN.length, text.indexOf(END));
  expect(table, "run UPDATE_DOCS=1 npx vitest run tests/unit/protocols/billing-words.test.ts").toBe(
    rendered(),
  );
});
