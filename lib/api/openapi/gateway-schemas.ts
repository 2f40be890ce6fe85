import { z } from "zod";
import { accountReasons, refusalReasons } from "@/lib/kernel/errors";
import { modelCapabilities, modelKinds, protocolIds } from "@/lib/protocols/protocol";
import { accountUse, limitUse, placesUse } from "../schemas/fields";

const whole = z.int().min(0);

/** The usage of an answer in Chat Completions. */
const chatUsage = z.looseObject({
  prompt_tokens: whole,
  completion_tokens: whole,
  total_tokens: whole,
});

/** POST /v1/chat/completions without a stream. Source: docs/protocols.md#s4. */
export const chatAnswer = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: whole,
      message: z.looseObject({ role: z.literal("assistant"), content: z.string().nullish() }),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: chatUsage.optional(),
});

/** POST /v1/messages without a stream. Source: docs/protocols.md#s5. */
export const messagesAnswer = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  usage: z.looseObject({ input_tokens: whole, output_tokens: whole }),
});

/** POST /v1/responses without a stream. Source: docs/responses.md#s2-6. */
export const responsesAnswer = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number(),
  status: z.string(),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z
    .looseObject({
      input_tokens: whole,
      input_tokens_details: z.looseObject({ cached_tokens: whole }),
      output_tokens: whole,
      output_tokens_details: z.looseObject({ reasoning_tokens: whole }),
      total_tokens: whole,
    })
    .nullish(),
});

/** POST /v1/messages/count_tokens. */
export const countAnswer = z.object({ input_tokens: whole });

/** A model, with the members that both client libraries read. Source: docs/protocols.md#s15-1. */
export const gatewayModel = z.object({
  id: z.string(),
  object: z.literal("model"),
  type: z.literal("model"),
  created: z.int(),
  created_at: z.iso.datetime(),
  owned_by: z.string(),
  kind: z.enum(modelKinds).describe("`embedding`: for POST /v1/embeddings only"),
  display_name: z.string(),
  max_input_tokens: z.int().nullable(),
  max_tokens: z.int().nullable(),
  lifecycle: z.string(),
  line: z.null(),
  deprecated_at: z.null(),
  retires_at: z.null(),
  capabilities: z.null(),
  supports: z
    .array(z.enum(modelCapabilities))
    .describe(
      "What is known that it can do on every enabled node; what is missing is not known, or not there",
    ),
  protocols: z.array(z.enum(protocolIds)).describe("Those that are served without conversion"),
  pricing: z.object({
    unit: z.literal("cents_per_million_tokens"),
    input: z.number(),
    output: z.number(),
    cache_read: z.number(),
    cache_write: z.number(),
  }),
});

/** GET /v1/models. */
export const gatewayModels = z.object({
  object: z.literal("list"),
  data: z.array(gatewayModel),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

/** The page parameters of the model list, for both protocols. */
export const gatewayModelsQuery = z.object({
  limit: z
    .string()
    .regex(/^(0{0,3}[1-9]|0{0,2}[1-9]\d|0?[1-9]\d\d|1000)$/)
    .optional()
    .describe(
      "At most this many, 1 to 1000; the whole list comes without `limit`, `after_id` and `before_id`",
    ),
  after: z.string().optional().describe("Id of the model before the page"),
  after_id: z.string().optional().describe("The same as `after`"),
  before_id: z.string().optional().describe("Id of the model behind the page"),
});

/** GET /v1/usage. Money in cents. Source: docs/contract.md#s6. */
export const keyUsage = z.object({
  quota: z.number(),
  usedQuota: z.number(),
  held: z.number(),
  remaining: z.number(),
  plan: z.object({ id: z.int(), name: z.string() }),
  limits: z.object({
    qps: limitUse,
    rpm: limitUse,
    tpm: limitUse,
    concurrent: placesUse.optional().describe("Calls at once; absent: not limited"),
  }),
  accountLimits: accountUse,
  storedResponses: z
    .object({
      accountUsed: z.int().describe("Of all keys of the account"),
      accountLimit: z.int().describe("What all keys of the account may have stored"),
      keyLimit: z.int().describe("What this key may have stored"),
      unit: z.literal("bytes"),
    })
    .nullable()
    .describe("What is stored of Responses calls; the oldest go first. Null: nothing is stored here"),
  isValid: z.boolean(),
  unit: z.literal("cents"),
});

/** Any failure under `/v1`, readable for both client libraries. Source: docs/protocols.md#s13-1. */
export const gatewayError = z.object({
  type: z.literal("error"),
  error: z.looseObject({
    type: z.string(),
    message: z.string(),
    code: z.string(),
    param: z.string().nullable(),
    details: z.looseObject({
      error_code: z.string(),
      vendor_code: z.string().optional(),
      reason: z
        .enum(["content_policy", "key_limit", "account_limit"])
        .optional()
        .describe(
          "`content_policy`: the model's vendor refuses the content of the request, with status 403 or 400; the others: whose limit refused it, with 429",
        ),
      limit: z
        .enum(["qps", "rpm", "tpm", "concurrent"])
        .optional()
        .describe("The limit that refused the request; `concurrent`: calls at once"),
    }),
  }),
  request_id: z.string(),
});

/** Any failure under `/api`. Source: docs/contract.md#s7. */
export const apiError = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    fields: z.record(z.string(), z.array(z.string())).optional().describe("What is wrong with which field"),
    reason: z
      .enum([...refusalReasons, ...accountReasons])
      .optional()
      .describe("Why, when the code does not say it; `outcome_unknown`: it may be done nevertheless"),
    since: z.iso.datetime().optional().describe("Since when that is so"),
    by: z.string().optional().describe("The username of the admin who changed it"),
    current: z
      .looseObject({})
      .optional()
      .describe("With `changed_since`: the record as it is now, as its own operation shows it"),
  }),
});

/** GET /api/health/live. */
export const liveAnswer = z.object({ status: z.literal("ok") });

/** GET /api/health/ready. */
export const readyAnswer = z.object({
  status: z.enum(["ready", "not ready"]),
  problems: z.array(z.string()),
  degraded: z.array(z.string()),
});
