import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { HostedCalls } from "@/lib/kernel/usage";
import { clientProtocols, type NodeProtocol, operationNames } from "@/lib/protocols/protocol";
import type { PricedAs } from "@/lib/shared/prices/priced-as";

/** A `bytea` column as a Buffer with both drivers. */
export const bytea = customType<{ data: Buffer; driverData: Buffer | Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (value) => Buffer.from(value),
});

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const microCents = (name: string) => bigint(name, { mode: "bigint" });

/** One call to one node within a request, as stored in `request_log.attempts`. */
export interface StoredAttempt {
  /** 1-based. */
  n: number;
  nodeId: string | null;
  nodeName: string;
  protocol: NodeProtocol;
  upstreamModel: string;
  /** `ok`, or the kind of failure. */
  result: string;
  upstreamStatus: number | null;
  startedMs: number;
  /** Time to the upstream's response headers, and to the first meaningful event. */
  headersMs: number | null;
  firstEventMs: number | null;
  totalMs: number;
  reason: string;
  /** Why there was no access with the node's credential, and whose it is; absent when it did not come to that. */
  access?: { code: string; principal: string | null };
}

/** Reservations of quota. Source: docs/reliability.md#s2-1. */
export const usageHolds = pgTable(
  "usage_holds",
  {
    requestId: uuid("request_id").primaryKey(),
    keyId: uuid("key_id").notNull(),
    userId: uuid("user_id").notNull(),
    amountMicroCents: microCents("amount_micro_cents").notNull(),
    state: text("state", { enum: ["held", "settled", "released", "expired"] }).notNull(),
    ownerInstance: text("owner_instance").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
    resolvedAt: moment("resolved_at"),
    /** The windows of the rules that the request counts in, and its five needs. Null: none. Source: docs/budgets.md#windows. */
    windows: bigint("windows", { mode: "bigint" }).array(),
    windowNeeds: bigint("window_needs", { mode: "bigint" }).array(),
  },
  (table) => [
    check("usage_holds_amount_not_negative", sql`${table.amountMicroCents} >= 0`),
    index("usage_holds_open").on(table.expiresAt).where(sql`state = 'held'`),
  ],
);

/**
 * Narrow, insert-only (by trigger), never dropped; its primary key makes settlements idempotent.
 * Source: docs/reliability.md#a2b.
 */
export const usageLedger = pgTable(
  "usage_ledger",
  {
    requestId: uuid("request_id").primaryKey(),
    keyId: uuid("key_id").notNull(),
    userId: uuid("user_id").notNull(),
    model: text("model").notNull(),
    inputTokens: integer("input_tokens").notNull(),
    cacheReadTokens: integer("cache_read_tokens").notNull(),
    cacheWriteTokens: integer("cache_write_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
    costMicroCents: microCents("cost_micro_cents").notNull(),
    priceVersion: integer("price_version").notNull(),
    billingSource: text("billing_source", { enum: ["upstream", "estimated", "partial", "none"] }).notNull(),
    /** The hold had expired before the settlement. */
    late: boolean("late").notNull().default(false),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** Null: no tool was run. */
    hostedCalls: jsonb("hosted_calls").$type<HostedCalls>(),
    /** Null: the counts of tokens and the price version tell the cost. */
    pricedAs: jsonb("priced_as").$type<PricedAs>(),
    /** The windows that the request was charged to. Null: none. */
    windows: bigint("windows", { mode: "bigint" }).array(),
  },
  (table) => [check("usage_ledger_cost_not_negative", sql`${table.costMicroCents} >= 0`)],
);

/**
 * Wide, one row per request, partitioned by `created_at`; old partitions are dropped. Source: docs/contract.md#s5 (log
 * entry).
 */
export const requestLog = pgTable(
  "request_log",
  {
    requestId: uuid("request_id").notNull(),
    createdAt: moment("created_at").notNull(),
    userId: uuid("user_id").notNull(),
    keyId: uuid("key_id").notNull(),
    model: text("model").notNull(),
    protocol: text("protocol", { enum: clientProtocols }).notNull(),
    stream: boolean("stream").notNull(),
    status: text("status", { enum: ["success", "error", "cancelled", "interrupted"] }).notNull(),
    httpStatus: integer("http_status").notNull(),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    promptTokens: integer("prompt_tokens").notNull(),
    completionTokens: integer("completion_tokens").notNull(),
    cacheReadTokens: integer("cache_read_tokens").notNull(),
    cacheWriteTokens: integer("cache_write_tokens").notNull(),
    reasoningTokens: integer("reasoning_tokens").notNull(),
    usageSource: text("usage_source", { enum: ["upstream", "estimated", "none"] }).notNull(),
    costMicroCents: microCents("cost_micro_cents").notNull(),
    /** The cost that would have been billed, when nothing was. */
    wouldHaveCostMicroCents: microCents("would_have_cost_micro_cents"),
    priceVersion: integer("price_version").notNull(),
    heldMicroCents: microCents("held_micro_cents").notNull(),
    latencyMs: integer("latency_ms").notNull(),
    ttftMs: integer("ttft_ms"),
    attemptCount: integer("attempt_count").notNull(),
    nodeId: uuid("node_id"),
    warnings: text("warnings").array().notNull(),
    attempts: jsonb("attempts").$type<StoredAttempt[]>().notNull(),
    /** Milliseconds from the start at which each stage ended. */
    timeline: jsonb("timeline").$type<Record<string, number>>().notNull(),
    clientRequestId: text("client_request_id"),
    userAgent: text("user_agent"),
    operation: text("operation", { enum: operationNames }).notNull().default("generate"),
    /** Null: no tool was run. */
    hostedCalls: jsonb("hosted_calls").$type<HostedCalls>(),
    /** Null: the counts of tokens and the price version tell the cost. */
    pricedAs: jsonb("priced_as").$type<PricedAs>(),
    /** At the prices of the route; for admins only. Null: not known. Source: docs/contract.md#margin. */
    nodeCostMicroCents: microCents("node_cost_micro_cents"),
  },
  (table) => [
    primaryKey({ columns: [table.createdAt, table.requestId] }),
    index("request_log_by_user").on(table.userId, table.createdAt, table.requestId),
    index("request_log_by_key").on(table.keyId, table.createdAt, table.requestId),
    index("request_log_by_id").on(table.requestId),
    // Failures are rare: without these indexes a page of failures reads the whole log. With the status in them, those of
    // one kind are counted without reading the log.
    index("request_log_failures")
      .on(table.createdAt, table.requestId, table.status)
      .where(sql`status <> 'success'`),
    index("request_log_failures_by_user")
      .on(table.userId, table.createdAt, table.requestId, table.status)
      .where(sql`status <> 'success'`),
    // Requests with more than one attempt are rare too.
    index("request_log_failovers").on(table.createdAt, table.requestId).where(sql`attempt_count > 1`),
  ],
);

/** For requests whose node cost is known: the sum of that cost, their number, and the sum that was billed. */
function nodeCostSums() {
  return {
    nodeCostMicroCents: microCents("node_cost_micro_cents").notNull().default(sql`0`),
    costedCount: bigint("costed_count", { mode: "number" }).notNull().default(0),
    costedRevenueMicroCents: microCents("costed_revenue_micro_cents").notNull().default(sql`0`),
  };
}

/** Sums per account, key, model and bucket of time. */
const usageSums = {
  bucket: moment("bucket").notNull(),
  userId: uuid("user_id").notNull(),
  keyId: uuid("key_id").notNull(),
  model: text("model").notNull(),
  requestCount: bigint("request_count", { mode: "number" }).notNull(),
  errorCount: bigint("error_count", { mode: "number" }).notNull(),
  promptTokens: bigint("prompt_tokens", { mode: "number" }).notNull(),
  completionTokens: bigint("completion_tokens", { mode: "number" }).notNull(),
  cacheReadTokens: bigint("cache_read_tokens", { mode: "number" }).notNull(),
  cacheWriteTokens: bigint("cache_write_tokens", { mode: "number" }).notNull(),
  costMicroCents: microCents("cost_micro_cents").notNull(),
  latencySumMs: bigint("latency_sum_ms", { mode: "number" }).notNull(),
  /** Answered requests per latency bucket, `lib/kernel/latency-histogram.ts`. */
  latencyHistogram: integer("latency_histogram").array().notNull(),
  /** Requests per error code, in the order of `errorCodeOrder`. */
  errorCounts: integer("error_counts").array().notNull(),
  /** What the cache has saved; below 0: it cost more. */
  cacheSavingMicroCents: microCents("cache_saving_micro_cents").notNull().default(sql`0`),
  /**
   * Tokens read from the cache and written to it for which the saving is known; sums from before 0010 have fewer than
   * all.
   */
  cacheSavingTokens: bigint("cache_saving_tokens", { mode: "number" }).notNull().default(0),
  ...nodeCostSums(),
};

/**
 * Usage in 15-minute buckets: settlements add to them, and statistics read them at the edges of a range.
 * Source: docs/reliability.md#a2.
 */
export const usageRollups = pgTable("usage_rollups", usageSums, (table) => [
  primaryKey({ columns: [table.userId, table.bucket, table.keyId, table.model] }),
  index("usage_rollups_by_time").on(table.bucket),
]);

/**
 * The same in 4-hour buckets, written by `usage_rollups_fold` and corrected by a trigger: a sixteenth of the rows for
 * the inner part of a long range. Can be recomputed from `usage_rollups`.
 */
export const usageRollups4h = pgTable("usage_rollups_4h", usageSums, (table) => [
  primaryKey({ columns: [table.userId, table.bucket, table.keyId, table.model] }),
  index("usage_rollups_4h_by_time").on(table.bucket),
]);

/** One row: the moment up to which `usage_rollups_4h` is complete. */
export const rollupProgress = pgTable("rollup_progress", {
  id: integer("id").primaryKey(),
  foldedUntil: moment("folded_until").notNull(),
});

/** Attempts by node in 15-minute buckets. Source: docs/reliability.md#a2. */
export const nodeRollups = pgTable(
  "node_rollups",
  {
    bucket: moment("bucket").notNull(),
    nodeId: uuid("node_id").notNull(),
    model: text("model").notNull(),
    attemptCount: bigint("attempt_count", { mode: "number" }).notNull(),
    failureCount: bigint("failure_count", { mode: "number" }).notNull(),
    promptTokens: bigint("prompt_tokens", { mode: "number" }).notNull(),
    completionTokens: bigint("completion_tokens", { mode: "number" }).notNull(),
    costMicroCents: microCents("cost_micro_cents").notNull(),
    latencySumMs: bigint("latency_sum_ms", { mode: "number" }).notNull(),
    /**
     * Attempts per latency bucket of their whole time; after these, per bucket of the time to their first event, which
     * old rows lack.
     */
    latencyHistogram: integer("latency_histogram").array().notNull(),
    ...nodeCostSums(),
  },
  (table) => [
    primaryKey({ columns: [table.nodeId, table.bucket, table.model] }),
    index("node_rollups_by_time").on(table.bucket),
  ],
);

/**
 * Answers that Responses clients asked to keep, partitioned by day; old partitions are dropped. `items` and `envelope`
 * are sealed under the secret of the caller's key, which the database does not have. Source: docs/responses.md#s4-1.
 */
export const storedResponses = pgTable(
  "stored_responses",
  {
    requestId: uuid("request_id").notNull(),
    createdAt: moment("created_at").notNull(),
    keyId: uuid("key_id").notNull(),
    /** The account of the key; the database sets it where an earlier version leaves it out. Null: not counted yet. */
    userId: uuid("user_id"),
    /** The response whose items come before these; null: none. */
    parentId: uuid("parent_id"),
    /** How many responses are read to resolve this one, itself included. */
    depth: integer("depth").notNull(),
    /** The node that answered. */
    nodeId: uuid("node_id"),
    itemCount: integer("item_count").notNull(),
    /** Keyed digests of the ids of the items. */
    itemTags: bigint("item_tags", { mode: "bigint" }).array().notNull(),
    /** The input and output items. */
    items: bytea("items").notNull(),
    /** The response without its output. */
    envelope: bytea("envelope").notNull(),
    /** The size of `items` and `envelope` together. */
    bytes: integer("bytes").notNull(),
    /**
     * How many tokens the items add to the estimate of a request with them as input; null: an earlier version stored
     * them.
     */
    tokens: integer("tokens"),
  },
  (table) => [
    primaryKey({ columns: [table.requestId, table.createdAt] }),
    index("stored_responses_by_key").on(table.keyId, table.createdAt, table.requestId),
    index("stored_responses_by_item").using("gin", table.itemTags),
  ],
);

/**
 * How much each account stored on each day (UTC), kept by triggers of `stored_responses`. `bytes` includes 1 KiB for
 * each row beside its content. Source: docs/responses.md#s4-3.
 */
export const storedResponseUsage = pgTable(
  "stored_response_usage",
  {
    userId: uuid("user_id").notNull(),
    day: date("day").notNull(),
    bytes: bigint("bytes", { mode: "bigint" }).notNull(),
    responses: bigint("responses", { mode: "bigint" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);
