import { sql } from "drizzle-orm";
import { bigint, index, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./usage";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Closed months, append-only. Source: docs/budgets.md#statements. */
export const statements = pgTable("statements", {
  /** Like `2026-11`. */
  month: text("month").primaryKey(),
  startsAt: moment("starts_at").notNull(),
  endsAt: moment("ends_at").notNull(),
  closedAt: moment("closed_at").notNull().defaultNow(),
  /** Of the lines, in order. */
  sha256: bytea("sha256").notNull(),
});

const sum = (name: string) => bigint(name, { mode: "bigint" }).notNull().default(sql`0`);

/** What an account used with a key and a model in a closed month, append-only. */
export const statementLines = pgTable(
  "statement_lines",
  {
    month: text("month")
      .notNull()
      .references(() => statements.month),
    /** The month that the requests belong to: an earlier one for what settled after it was closed. */
    ofMonth: text("of_month").notNull(),
    userId: uuid("user_id").notNull(),
    keyId: uuid("key_id").notNull(),
    model: text("model").notNull(),
    requests: sum("requests"),
    inputTokens: sum("input_tokens"),
    cacheReadTokens: sum("cache_read_tokens"),
    cacheWriteTokens: sum("cache_write_tokens"),
    outputTokens: sum("output_tokens"),
    costMicroCents: sum("cost_micro_cents"),
  },
  (table) => [
    primaryKey({ columns: [table.month, table.userId, table.keyId, table.model, table.ofMonth] }),
    index("statement_lines_of_account").on(table.userId, table.month),
  ],
);
