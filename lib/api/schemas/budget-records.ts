import { z } from "zod";
import { budgetEach, budgetModes, budgetPeriods, budgetScopes, budgetUnits } from "@/lib/shared/budget-words";

const amount = z.number().describe("Cents with up to 6 decimals, tokens or requests");

/** A counter in one period. Source: docs/budgets.md#windows. */
const counter = {
  startsAt: z.iso.datetime().nullable().describe("Null: has no beginning"),
  endsAt: z.iso.datetime().nullable().describe("Null: never ends"),
  limit: amount.nullable().describe("With the extra; null: none"),
  extra: amount,
  used: amount,
  held: amount.describe("Reserved by running requests"),
};

/** A counter of a period. */
export const budgetWindow = z.object(counter);

/** The counter of a member of a rule with a counter for each. */
export const budgetMember = z.object({
  member: z.string(),
  memberName: z.string().nullable().describe("Null: the account or key is not known any more"),
  ...counter,
});

/** GET /api/user/budgets. Amounts in cents, tokens or requests. Source: docs/budgets.md#rule. */
export const budgetRecord = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(budgetScopes),
  subject: z
    .object({
      id: z.string(),
      name: z.string(),
      owner: z.string().nullable().describe("The account of a key or project"),
    })
    .nullable()
    .describe("The plan, account, project or key; null: the whole platform"),
  each: z.enum(budgetEach),
  models: z.array(z.string()).nullable(),
  unit: z.enum(budgetUnits),
  period: z.enum(budgetPeriods),
  timeZone: z.string(),
  limit: z.number(),
  mode: z.enum(budgetModes),
  enabled: z.boolean(),
  locked: z.boolean().describe("Made by an admin: nobody else may change it"),
  managedByFile: z.boolean(),
  mayChange: z.boolean().describe("Whether the caller may change it"),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  exceptions: z
    .array(z.object({ member: z.string(), memberName: z.string().nullable(), limit: z.number().nullable() }))
    .describe("For those who may change the rule"),
  resetsAt: z.iso.datetime().nullable().describe("The end of the running period; null: never"),
  window: budgetWindow
    .nullable()
    .describe(
      "The running period of the one counter, or of the caller's own; null: there is none, or it is not the caller's",
    ),
  memberCount: z.int().describe("Members with a counter in the running period"),
  fullest: z.array(budgetMember).describe("The five members that have used the largest part"),
});

/** What a rule would begin with. */
export const budgetPreview = z.object({
  timeZone: z.string(),
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  used: amount
    .nullable()
    .describe("Used in the running period; null: a rule with a counter for each begins with 0"),
  request: z
    .object({ reserves: amount, uses: amount })
    .nullable()
    .describe("What a request of the last days reserved and used on average; null: there was none"),
});
