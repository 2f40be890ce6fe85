import { z } from "zod";
import { isTimeZone } from "@/lib/kernel/time-zone";
import { isUuid } from "@/lib/kernel/uuid";
import { budgetEach, budgetModes, budgetPeriods, budgetScopes, budgetUnits } from "@/lib/shared/budget-words";
import { characters, must, planId, queryNumber, whole } from "./fields";
import { pageQuery } from "./pages";

/** The largest limit, in cents, tokens or requests. */
const MAX_LIMIT = 1_000_000_000_000;

const MAX_MODELS = 20;

const MAX_EXCEPTIONS = 1_000;

const name = characters(1, 80)
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ pattern: "\\S" });

const limit = whole(0, MAX_LIMIT).describe("Cents, tokens or requests; 0: nothing passes");

const id = (what: string) =>
  z
    .string(must(`must be the id of ${what}`))
    .refine(isUuid, `must be the id of ${what}`)
    .meta({ format: "uuid" });

const timeZone = z
  .string(must("must be a time zone such as UTC or Asia/Shanghai"))
  .refine(isTimeZone, "must be a time zone such as UTC or Asia/Shanghai")
  .meta({ pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$" });

const models = z
  .array(characters(1, 200), must("must be a list of model aliases, or null for all"))
  .min(1, "must name at least one model; null means all")
  .max(MAX_MODELS, `must name at most ${MAX_MODELS} models`)
  .nullable();

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, must(`must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`));

const exceptions = z
  .array(z.strictObject({ member: id("an account or a key"), limit: limit.nullable() }))
  .max(MAX_EXCEPTIONS, `must have at most ${MAX_EXCEPTIONS} members`)
  .describe("Another limit for single members of a rule with a counter for each; null: none");

/** What a new rule counts and allows. */
const rule = {
  name,
  models: models.default(null).describe("Only these aliases count, together; null: all"),
  unit: oneOf(budgetUnits),
  period: oneOf(budgetPeriods).describe("Calendar periods, weeks from Monday; `total`: for ever"),
  timeZone: timeZone.optional().describe("Of the calendar; the installation's when absent"),
  limit,
  mode: oneOf(budgetModes)
    .default("stop")
    .describe(
      "`stop` refuses once the limit is reached; `hard` never lets used and reserved pass it; `warn` refuses nothing",
    ),
  enabled: z.boolean(must("must be true or false")).default(true),
  fromNow: z
    .boolean(must("must be true or false"))
    .default(false)
    .describe("Begins with 0 instead of what was used in the running period"),
};

/** POST /api/user/budgets. Source: docs/budgets.md#rule. */
export const createBudgetRequest = z.strictObject({
  ...rule,
  scope: oneOf(["account", "project", "key"]).describe("Whose requests count"),
  projectId: id("a project").optional(),
  tokenId: id("a key").optional(),
  each: oneOf(["none", "key", "member"]).default("none").describe("One counter together, or one for each"),
  exceptions: exceptions.default([]),
});

/** POST /api/admin/budgets. */
export const createAdminBudgetRequest = z.strictObject({
  ...rule,
  scope: oneOf(budgetScopes).describe("Whose requests count"),
  planId: planId.optional(),
  userId: id("an account").optional(),
  projectId: id("a project").optional(),
  tokenId: id("a key").optional(),
  each: oneOf(budgetEach).default("none").describe("One counter together, or one for each"),
  exceptions: exceptions.default([]),
});

/** PATCH /api/user/budgets/{id}. */
export const updateBudgetRequest = z.strictObject({
  name: name.optional(),
  limit: limit.optional(),
  mode: oneOf(["stop", "warn"]).optional().describe("A rule that is `hard` stays so"),
  enabled: z.boolean(must("must be true or false")).optional(),
  exceptions: exceptions.optional().describe("Replaces all exceptions"),
});

/** PUT /api/user/budgets/{id}/extra. */
export const extraRequest = z.strictObject({
  member: id("an account or a key").optional().describe("Of a rule with a counter for each"),
  amount: whole(0, MAX_LIMIT).describe(
    "More than the limit, in the running period only; replaces what was given before",
  ),
  reason: characters(0, 200).default(""),
});

/** GET /api/user/budgets. */
export const budgetsQuery = pageQuery.extend({
  scope: oneOf(budgetScopes).optional().describe("Only budgets of this scope"),
  projectId: id("a project").optional().describe("Only budgets of this project"),
  tokenId: id("a key").optional().describe("Only budgets that this key meets"),
});

const planOfQuery = queryNumber(0, 2_147_483_647).optional();

/** GET /api/admin/budgets. */
export const adminBudgetsQuery = budgetsQuery.extend({
  planId: planOfQuery.describe("Only budgets of this plan"),
  userId: id("an account")
    .optional()
    .describe("Only budgets of this account, its keys and the projects that it pays"),
});

/** GET /api/user/budgets/{id}/windows. */
export const budgetWindowsQuery = pageQuery.extend({
  member: id("an account or a key").optional().describe("Whose counter, of a budget with a counter for each"),
});

/** GET /api/user/budgets/{id}/members. */
export const budgetMembersQuery = pageQuery.extend({
  sort: oneOf(["share", "used"])
    .prefault("share")
    .describe("`share`: by the part of the limit that is used; `used`: by the amount"),
});

const preview = {
  projectId: id("a project").optional().describe("The project that the budget would be for"),
  tokenId: id("a key").optional().describe("The key that the budget would be for"),
  models: z
    .string()
    .regex(/^[A-Za-z0-9._:/@,-]{0,2600}$/, "must be aliases with commas between them")
    .transform((text) => text.split(",").filter((alias) => alias !== ""))
    .optional()
    .describe("Only requests of these aliases, with commas between them"),
  unit: oneOf(budgetUnits).describe("What would be counted"),
  period: oneOf(budgetPeriods).describe("After which time counting would begin anew"),
  timeZone: timeZone.optional().describe("The zone of the calendar; the installation's without it"),
};

/** GET /api/user/budget-preview. */
export const budgetPreviewQuery = z.object({
  ...preview,
  scope: oneOf(["account", "project", "key"]).describe("Whose requests would count"),
});

/** GET /api/admin/budget-preview. */
export const adminBudgetPreviewQuery = z.object({
  ...preview,
  scope: oneOf(budgetScopes).describe("Whose requests would count"),
  planId: planOfQuery.describe("The plan that the budget would be for"),
  userId: id("an account").optional().describe("The account that the budget would be for"),
});
