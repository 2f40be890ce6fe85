import { z } from "zod";
import { budgetUse } from "./budget-use";
import { atMost, cents, characters, must, planId } from "./fields";
import { accountUse, limitUse, placesUse } from "./limit-use";
import { endMoment } from "./moments";
import { pageQuery } from "./pages";

const MAX_MODELS = 200;

const keyName = characters(1, 100)
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ pattern: "\\S" });

const keyModels = z
  .array(characters(1, 200), must("must be a list of model aliases, or null for all"))
  .min(1, "must name at least one model; null means all")
  .max(MAX_MODELS, `must name at most ${MAX_MODELS} models`)
  .nullable();

const keyExpiry = endMoment.nullable().describe("In the future; a date means its end in UTC. Null: never");

/** POST /api/user/tokens. Source: docs/spec.md#s4-7, docs/contract.md#s5. */
export const createKeyRequest = z.strictObject({
  name: keyName,
  planId: planId.optional(),
  quota: cents.optional(),
  models: keyModels.optional(),
  expiresAt: keyExpiry.optional(),
  projectId: atMost(100)
    .optional()
    .describe("The project that it is made for, whose payer's it is; cannot change later"),
});

/** GET /api/user/tokens. */
export const keysQuery = pageQuery.extend({
  projectId: atMost(100).optional().describe("Of a project, or `personal`: of none"),
  createdBy: atMost(100).optional().describe("Made by this account"),
});

/** PATCH /api/user/tokens/{id}. Source: docs/spec.md#s4-8, docs/contract.md#s5. */
export const updateKeyRequest = z.strictObject({
  name: keyName.optional(),
  status: z.enum(["active", "disabled"], must("must be active or disabled")).optional(),
  quota: cents.optional(),
  models: keyModels.optional(),
  expiresAt: keyExpiry.optional(),
  planId: planId.optional(),
});

/** A key in lists. Money in cents with up to 6 decimals. Source: docs/spec.md#s2-1, docs/contract.md#s5. */
export const keyRecord = z.object({
  id: z.string(),
  keyPrefix: z.string(),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
  blocked: z.boolean().describe("Disabled by an admin, who alone can enable it again"),
  quota: z.number(),
  usedQuota: z.number(),
  held: z.number(),
  planId: z.int(),
  models: z.array(z.string()).nullable(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  projectId: z.string().nullable().describe("Null: of no project"),
  createdBy: z.string().nullable().describe("Who made a key of a project"),
});

/** The response of creating a key, the only one that contains the key itself. */
export const createKeyResponse = z.object({ apiKey: keyRecord, key: z.string() });

/** GET /api/user/console-key. */
export const consoleKeyRecord = z.object({ apiKey: keyRecord.nullable() });

/** GET /api/user/tokens/{id}/limits. */
export const keyLimits = z.object({
  plan: z.object({ id: z.int(), name: z.string() }),
  qps: limitUse,
  rpm: limitUse,
  tpm: limitUse,
  concurrent: placesUse.optional().describe("Calls at once; absent: not limited"),
  account: accountUse,
  budgets: z.array(budgetUse).describe("The rules by period that the key meets"),
});
