import { z } from "zod";
import { MAX_CENTS } from "@/lib/kernel/money";
import { isTimeZone } from "@/lib/kernel/time-zone";
import { budgetModes, budgetPeriods, budgetUnits } from "@/lib/shared/budget-words";
import { text, whole } from "./fields";

/**
 * One budget of the file: of the platform, or of a plan, with a counter for each. Exceptions and extra amounts name accounts and
 * keys, so they are given in the admin pages. Source: docs/budgets.md#file.
 */
export const budgetEntry = z.strictObject({
  name: text(1, 80),
  scope: z.enum(["platform", "plan"], "must be platform or plan"),
  planId: whole(1, 1_000_000).optional(),
  each: z.enum(["none", "account", "key"], "must be none, account or key").default("none"),
  models: z
    .array(text(1, 200))
    .min(1, "must name at least one model; null means all")
    .max(20, "must name at most 20 models")
    .nullable()
    .default(null),
  unit: z.enum(budgetUnits, "must be money, tokens or requests"),
  period: z.enum(budgetPeriods, "must be day, week, month, quarter, year or total"),
  timeZone: z
    .string()
    .refine(isTimeZone, "must be the name of a time zone, such as Asia/Shanghai")
    .optional(),
  limit: whole(0, MAX_CENTS),
  mode: z.enum(budgetModes, "must be stop, hard or warn").default("stop"),
  enabled: z.boolean().default(true),
});

/** One declared budget. Units: the limit in cents, tokens or requests. */
export type BudgetEntry = z.infer<typeof budgetEntry>;
