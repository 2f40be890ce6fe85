import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { budgetEach, budgetModes, budgetPeriods, budgetScopes, budgetUnits } from "@/lib/shared/budget-words";
import { apiKeys, projects, users } from "./accounts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Rules on what may be used in a period; their counters are windows. Source: docs/budgets.md#rule. */
export const budgets = pgTable(
  "budgets",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    name: text("name").notNull(),
    scope: text("scope", { enum: budgetScopes }).notNull(),
    /** Of a plan that may have gone since the rule has ended. */
    planId: integer("plan_id"),
    userId: uuid("user_id").references(() => users.id),
    projectId: uuid("project_id").references(() => projects.id),
    keyId: uuid("key_id").references(() => apiKeys.id),
    each: text("each", { enum: budgetEach }).notNull().default("none"),
    /** Null: every alias. */
    models: text("models").array(),
    unit: text("unit", { enum: budgetUnits }).notNull(),
    period: text("period", { enum: budgetPeriods }).notNull(),
    timeZone: text("time_zone").notNull(),
    /** Units: micro-cents, tokens or requests. */
    limitAmount: bigint("limit_amount", { mode: "bigint" }).notNull(),
    mode: text("mode", { enum: budgetModes }).notNull().default("stop"),
    enabled: boolean("enabled").notNull().default(true),
    /** Made by an admin: nobody else may change it. */
    locked: boolean("locked").notNull().default(false),
    managedByFile: boolean("managed_by_file").notNull().default(false),
    endedAt: moment("ended_at"),
    createdBy: uuid("created_by"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (table) => [
    check("budgets_limit_not_negative", sql`${table.limitAmount} >= 0`),
    check(
      "budgets_one_subject",
      sql`num_nonnulls(${table.planId}, ${table.userId}, ${table.projectId}, ${table.keyId}) = CASE ${table.scope} WHEN 'platform' THEN 0 ELSE 1 END`,
    ),
    index("budgets_of_platform").on(table.scope).where(sql`scope = 'platform'`),
    index("budgets_of_plan").on(table.planId).where(sql`plan_id IS NOT NULL`),
    index("budgets_of_account").on(table.userId).where(sql`user_id IS NOT NULL`),
    index("budgets_of_project").on(table.projectId).where(sql`project_id IS NOT NULL`),
    index("budgets_of_key").on(table.keyId).where(sql`key_id IS NOT NULL`),
  ],
);

/** Another limit for one member of a rule with a counter for each; null: none. */
export const budgetExceptions = pgTable(
  "budget_exceptions",
  {
    budgetId: uuid("budget_id")
      .notNull()
      .references(() => budgets.id),
    member: uuid("member").notNull(),
    limitAmount: bigint("limit_amount", { mode: "bigint" }),
  },
  (table) => [primaryKey({ columns: [table.budgetId, table.member] })],
);

/** The member of rules with one counter. */
export const NO_MEMBER = "00000000-0000-0000-0000-000000000000";

/**
 * The counters of a rule: one row for each member and period. The end of a rule for ever is infinite, which the driver
 * cannot read as a date. Units: those of the rule. Source: docs/budgets.md#windows.
 */
export const budgetWindows = pgTable(
  "budget_windows",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedByDefaultAsIdentity(),
    budgetId: uuid("budget_id")
      .notNull()
      .references(() => budgets.id),
    member: uuid("member").notNull().default(NO_MEMBER),
    startsAt: timestamp("starts_at", { withTimezone: true, mode: "string" }).notNull(),
    endsAt: timestamp("ends_at", { withTimezone: true, mode: "string" }).notNull(),
    /** What had been used when the rule began. */
    seed: bigint("seed", { mode: "bigint" }).notNull().default(sql`0`),
    used: bigint("used", { mode: "bigint" }).notNull().default(sql`0`),
    held: bigint("held", { mode: "bigint" }).notNull().default(sql`0`),
    /** More than the limit, for this period only. */
    extra: bigint("extra", { mode: "bigint" }).notNull().default(sql`0`),
  },
  (table) => [
    check("budget_windows_used", sql`${table.used} >= 0`),
    check("budget_windows_held", sql`${table.held} >= 0`),
    check("budget_windows_time", sql`${table.endsAt} > ${table.startsAt}`),
    uniqueIndex("budget_windows_at").on(table.budgetId, table.member, table.endsAt),
  ],
);
