import { z } from "zod";
import { accountReasons, refusalReasons } from "@/lib/kernel/errors";

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

/** Any failure under `/v1beta`. Source: docs/gemini.md#errors. */
export const googleError = z.object({
  error: z.object({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ "@type": z.string() })),
  }),
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
