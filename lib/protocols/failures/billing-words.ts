import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { ProviderId } from "@/lib/protocols/profiles/providers";

/** One vendor's words for an operator's account that cannot pay. */
export interface BillingWords {
  readonly vendor: string;
  /** Error codes or types, in lower case. */
  readonly codes?: readonly string[];
  /** Beginnings of messages. */
  readonly phrases?: readonly RegExp[];
  /** Providers that use the same words for a limit of requests or tokens a minute. */
  readonly rateLimitAt?: readonly ProviderId[];
  /** The vendor's document. */
  readonly document: string;
}

/** The words of vendors for an account that cannot pay. Source: docs/protocols.md#s13-5. */
export const billingWords: readonly BillingWords[] = [
  {
    vendor: "OpenAI, and servers with its words",
    codes: ["insufficient_quota"],
    phrases: [/^you (?:have )?exceeded your current quota\b/i],
    rateLimitAt: ["qwen", "gemini"],
    document: "https://developers.openai.com/api/docs/guides/error-codes",
  },
  {
    vendor: "OpenAI",
    codes: ["billing_hard_limit_reached", "billing_not_active", "account_deactivated"],
    phrases: [/^your account is not active, please check your billing/i],
    document: "https://developers.openai.com/api/docs/guides/error-codes",
  },
  {
    vendor: "Anthropic",
    codes: [
      "billing_error",
      "enforced_spend_limit_reached",
      "contract_spend_limit_reached",
      "ramp_limit_exceeded",
      "organization_on_hold",
    ],
    phrases: [
      /^your credit balance is too low\b/i,
      /^you have reached your (?:specified )?(?:workspace )?api usage limits\b/i,
      /^(?:this|your) organization (?:is |has been )?(?:on hold|disabled)\b/i,
      /^(?:you(?:['’]ve| have) (?:hit|reached|exceeded)|(?:your|this) (?:organization|workspace|account|api key)) .{0,60}\bspend limit\b/i,
    ],
    document: "https://platform.claude.com/docs/en/api/errors",
  },
  {
    vendor: "Google",
    codes: ["billing_disabled"],
    phrases: [
      /^this api method requires billing to be enabled\b/i,
      /^your prepayment credits are depleted\b/i,
    ],
    document: "https://ai.google.dev/gemini-api/docs/troubleshooting",
  },
  {
    vendor: "OpenRouter",
    phrases: [/^insufficient credits\b/i, /^this request requires more credits\b/i, /^key limit exceeded\b/i],
    document: "https://openrouter.ai/docs/api/reference/errors-and-debugging",
  },
  {
    vendor: "DeepSeek",
    phrases: [/^insufficient balance\b/i],
    document: "https://api-docs.deepseek.com/quick_start/error_codes",
  },
  {
    vendor: "Alibaba (Qwen)",
    codes: [
      "arrearage",
      "prepaidbilloverdue",
      "postpaidbilloverdue",
      "commoditynotpurchased",
      "allocationquota.freetieronly",
    ],
    phrases: [
      /^access denied, (?:please|plesase) make sure your account is in good standing\b/i,
      /^the free tier of the model has been exhausted\b/i,
    ],
    document: "https://www.alibabacloud.com/help/en/model-studio/error-code",
  },
  {
    vendor: "Volcengine (Ark)",
    codes: ["accountoverdueerror", "account_overdue_error"],
    phrases: [/^(?:the request failed because )?your account has an overdue balance\b/i],
    document: "https://www.volcengine.com/docs/82379/1299023",
  },
  {
    vendor: "Zhipu, Z.AI",
    phrases: [/^余额不足/, /^(?:您的)?账户已欠费/, /^your glm coding plan\b.{0,40}\bhas expired\b/i],
    document: "https://docs.z.ai/api-reference/api-code",
  },
  {
    vendor: "Moonshot (Kimi)",
    codes: ["exceeded_current_quota_error"],
    phrases: [
      /^your account .{0,80}\bis suspended(?: due to insufficient balance|, please check your plan)/i,
    ],
    document: "https://platform.moonshot.ai/docs/api/chat",
  },
  {
    vendor: "MiniMax",
    codes: ["insufficient_balance_error"],
    document: "https://platform.minimax.io/docs/api-reference/errorcode",
  },
  {
    vendor: "xAI",
    phrases: [
      /^your (?:newly created )?team (?:.{0,60} )?(?:has (?:either )?used all available credits|doesn't have any credits)/i,
    ],
    document: "https://docs.x.ai/docs/key-information/debugging",
  },
  {
    vendor: "Relays (new-api, one-api)",
    codes: ["insufficient_user_quota", "pre_consume_token_quota_failed", "local:insufficient_quota"],
    phrases: [
      /^(?:用户|该?令牌|预扣费)额度/,
      /^(?:user|token) quota is not enough\b/i,
      /^(?:(?:user['’]s|your) )?credit limit is insufficient\b/i,
    ],
    document: "https://docs.newapi.ai/",
  },
  {
    vendor: "SiliconFlow, Fireworks, Together and others",
    codes: [
      "insufficient_balance",
      "insufficient_credits",
      "insufficient_funds",
      "payment_required",
      "credit_limit_exceeded",
    ],
    phrases: [
      /^(?:sorry, )?your (?:account )?(?:balance|credits?) (?:is|are) (?:insufficient|exhausted|not enough)/i,
      /^account .{0,60}\bis suspended, possibly due to reaching the monthly spending limit/i,
      /^(?:your )?credit limit (?:has been )?exceeded\b/i,
    ],
    document: "https://docs.siliconflow.com/en/faqs/error-code",
  },
];

/** Statuses of such refusals, in addition to 402. */
const statuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 412, 422, 429, 434]);

/** A quota that resets by itself is a rate limit, regardless of the words. */
const returnsSoon = /\bretry (?:in|after) \d|retryDelay|per_?(?:minute|day)|\bper (?:minute|day)\b/i;
const throttling = /^throttling\b/i;

/**
 * True when a vendor refuses because the operator's account cannot pay. Any error may repeat words of the caller: a
 * sentence counts only in an error without a field, at the beginning of the message, and before any quotation mark.
 * Source: docs/protocols.md#s13-5.
 */
export function isAboutBilling(failure: UpstreamFailure, provider: ProviderId | null): boolean {
  if (isAboutRate(failure, provider)) return false;
  return failure.status === 402 || rowsOf(failure).length > 0;
}

/**
 * True for a limit that resets by itself, reported in words of money or quota; `provider` null: the node's provider is
 * unknown. Source: docs/protocols.md#s13-5.
 */
export function isAboutRate(failure: UpstreamFailure, provider: ProviderId | null): boolean {
  const { status, code, type, message, marks } = failure;
  if (throttling.test(code ?? "") || throttling.test(type ?? "")) return true;
  const found = rowsOf(failure);
  if (found.length === 0) return false;
  if (status === 429 && returnsSoon.test(`${message}\n${marks ?? ""}`)) return true;
  return provider !== null && found.every(({ rateLimitAt = [] }) => rateLimitAt.includes(provider));
}

/** The vendors with these words. */
function rowsOf({ status, type, code, message, param }: UpstreamFailure): BillingWords[] {
  if (status !== null && status >= 300 && !statuses.has(status)) return [];
  const named = [code, type].map((word) => word?.toLowerCase() ?? "");
  const [words = ""] = param === null ? message.trimStart().split(quotation, 1) : [];
  return billingWords.filter(
    ({ codes = [], phrases = [] }) =>
      codes.some((known) => named.includes(known)) || phrases.some((phrase) => phrase.test(words)),
  );
}

/** True for a refusal that depends on the cost of this request: the account can still pay for smaller ones. */
export function isAboutOneCost({ message }: UpstreamFailure): boolean {
  if (/\bcan only afford\b/i.test(message)) return true;
  return neededCost.test(message) && Number(leftQuota.exec(message)?.[1]) > 0;
}

/** The words of relays for the cost of a request, and for the remaining quota. */
const neededCost = /\bneed quota\b|需要预扣费额度/i;
const leftQuota = /(?:\bremain(?:ing)? quota|剩余额度)\s*[:：][^\d-]{0,3}(-?\d+(?:\.\d+)?)/i;

/** The beginning of a quotation; the apostrophe in "you've" is none, that in `b'text'` is one. */
const quotation = /["`“„«「『‘]|(?<!\w)(?:[bru]{1,2})?'/i;
