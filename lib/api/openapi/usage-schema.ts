import { z } from "zod";
import { budgetUse } from "@/lib/api/schemas/budget-use";
import { accountUse, limitUse, placesUse } from "@/lib/api/schemas/limit-use";

/** GET /v1/usage. Money in cents. Source: docs/contract.md#s6. */
export const keyUsage = z.object({
  quota: z.number(),
  usedQuota: z.number(),
  held: z.number(),
  remaining: z
    .number()
    .describe("The least of what key and account have left, and of what is left of their rules on money"),
  plan: z.object({ id: z.int(), name: z.string() }),
  limits: z.object({
    qps: limitUse,
    rpm: limitUse,
    tpm: limitUse,
    concurrent: placesUse.optional().describe("Calls at once; absent: not limited"),
  }),
  accountLimits: accountUse,
  budgets: z.array(budgetUse).describe("The rules by period that the key meets"),
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
