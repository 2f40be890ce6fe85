import { z } from "zod";
import { budgetModes, budgetPeriods, budgetScopes, budgetUnits } from "@/lib/shared/budget-words";

/** A rule that a key meets, and what is used of it. Source: docs/budgets.md#told. */
export const budgetUse = z.object({
  name: z.string(),
  scope: z.enum(budgetScopes).describe("Whose requests count"),
  unit: z.enum(budgetUnits).describe("Of all amounts: money in cents"),
  period: z.enum(budgetPeriods),
  mode: z.enum(budgetModes).describe("`warn` refuses nothing"),
  models: z.array(z.string()).nullable().describe("Only these count; null: all"),
  limit: z.number().nullable().describe("Null: none for this key"),
  used: z
    .number()
    .optional()
    .describe("Absent, as `held` and `remaining`, where the counter is that of all accounts"),
  held: z.number().optional().describe("Reserved by running requests"),
  remaining: z.number().nullable().optional().describe("Below 0: more was used than allowed"),
  resetsAt: z.iso.datetime({ offset: true }).nullable().describe("Null: never"),
});
