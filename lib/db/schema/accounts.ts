import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { OperationName } from "@/lib/protocols/protocol";
import { userRoles } from "@/lib/shared/user-roles";
import { bytea } from "./usage";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** QPS, RPM, TPM and calls at once; null is no limit, and so is an absent `concurrent`. */
export interface LimitValues {
  qps: number | null;
  rpm: number | null;
  tpm: number | null;
  concurrent?: number | null;
}

/** Limits of an account over all its keys together, and its number of keys; null is no limit. */
export interface AccountLimits {
  qps: number | null;
  rpm: number | null;
  tpm: number | null;
  concurrent: number | null;
  keys: number | null;
}

/** Tiers of limits. Source: docs/spec.md#s8, docs/contract.md#s3. */
export const plans = pgTable("plans", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  qps: integer("qps"),
  rpm: integer("rpm"),
  tpm: integer("tpm"),
  /** Calls of one key at once. */
  concurrent: integer("concurrent"),
  /** Limits of each account on the plan, over all its keys; an absent member is no limit. */
  accountLimits: jsonb("account_limits").$type<Partial<AccountLimits>>(),
  keyQuotaMicroCents: bigint("key_quota_micro_cents", { mode: "bigint" }).notNull(),
  selfService: boolean("self_service").notNull().default(false),
  managedByFile: boolean("managed_by_file").notNull().default(false),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

/** Accounts. Money in micro-cents. Source: docs/spec.md#s2-2, docs/reliability.md#s2-1. */
export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    username: text("username").notNull(),
    /** Lower case; unique without regard to case. */
    usernameKey: text("username_key").notNull().unique(),
    name: text("name").notNull().default(""),
    email: text("email").notNull().default(""),
    passwordHash: text("password_hash").notNull(),
    role: text("role", { enum: userRoles }).notNull().default("user"),
    status: text("status", { enum: ["active", "suspended", "deleted"] })
      .notNull()
      .default("active"),
    /** Incremented to end all older sessions. */
    tokenVersion: integer("token_version").notNull().default(1),
    planId: integer("plan_id")
      .notNull()
      .references(() => plans.id),
    /** The account's own limits; absent members are those of its plan. Source: docs/contract.md#account-limits. */
    limitOverrides: jsonb("limit_overrides").$type<Partial<AccountLimits>>(),
    quotaMicroCents: bigint("quota_micro_cents", { mode: "bigint" }).notNull(),
    usedMicroCents: bigint("used_micro_cents", { mode: "bigint" }).notNull().default(sql`0`),
    heldMicroCents: bigint("held_micro_cents", { mode: "bigint" }).notNull().default(sql`0`),
    requestCount: bigint("request_count", { mode: "bigint" }).notNull().default(sql`0`),
    inviteCode: text("invite_code").notNull().unique(),
    invitedBy: uuid("invited_by"),
    createdAt: moment("created_at").notNull().defaultNow(),
    deletedAt: moment("deleted_at"),
    /**
     * The time of the suspension in force; null while the account is active, or when a process of an older version
     * suspended it.
     */
    suspendedAt: moment("suspended_at"),
    /** For administrators. */
    suspendedReason: text("suspended_reason"),
    /** Whom statements count the account's use for; admins write it. */
    costCentre: text("cost_centre").notNull().default(""),
  },
  (table) => [
    // No index on amounts: each settlement changes them, and updates that touch no index are cheaper.
    index("users_by_creation").on(table.createdAt, table.id),
    check("users_used_not_negative", sql`${table.usedMicroCents} >= 0`),
    check("users_held_not_negative", sql`${table.heldMicroCents} >= 0`),
  ],
);

/** Keys of several people, paid by one account. Source: docs/budgets.md#projects. */
export const projects = pgTable(
  "projects",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** The payer. */
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    costCentre: text("cost_centre").notNull().default(""),
    createdAt: moment("created_at").notNull().defaultNow(),
    archivedAt: moment("archived_at"),
  },
  (table) => [
    uniqueIndex("projects_live_name")
      .on(table.userId, sql`lower(${table.name})`)
      .where(sql`archived_at IS NULL`),
  ],
);

/** Who may use a project; its payer is always an owner. */
export const projectMembers = pgTable(
  "project_members",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    role: text("role", { enum: ["owner", "member"] }).notNull(),
    addedBy: uuid("added_by"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index("project_members_of_user").on(table.userId),
  ],
);

/** API keys; a deleted key keeps its row and hash. Source: docs/spec.md#s2-1, docs/reliability.md#s2-1, #s3-1. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    keyHash: bytea("key_hash").notNull().unique(),
    keyPrefix: text("key_prefix").notNull(),
    name: text("name").notNull(),
    /** `blocked`: disabled by an admin, who alone can enable it again. */
    status: text("status", { enum: ["active", "disabled", "blocked"] })
      .notNull()
      .default("active"),
    planId: integer("plan_id")
      .notNull()
      .references(() => plans.id),
    /** Null: every alias. */
    models: text("models").array(),
    expiresAt: moment("expires_at"),
    quotaMicroCents: bigint("quota_micro_cents", { mode: "bigint" }).notNull(),
    usedMicroCents: bigint("used_micro_cents", { mode: "bigint" }).notNull().default(sql`0`),
    heldMicroCents: bigint("held_micro_cents", { mode: "bigint" }).notNull().default(sql`0`),
    lastUsedAt: moment("last_used_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
    deletedAt: moment("deleted_at"),
    /** The number in the secret of a console key; null for keys of people. Source: docs/reliability.md#s3-1b. */
    consoleNumber: integer("console_number"),
    /** A console key ends when its account's token version differs. */
    consoleTokenVersion: integer("console_token_version"),
    /** Null: a key of its account alone. Fixed for the key's life. */
    projectId: uuid("project_id").references(() => projects.id),
    /** The member who made a key of a project; null: the account. Fixed for the key's life. */
    createdBy: uuid("created_by"),
  },
  (table) => [
    uniqueIndex("api_keys_console")
      .on(table.userId)
      .where(sql`console_number IS NOT NULL AND deleted_at IS NULL`),
    index("api_keys_by_user").on(table.userId, table.createdAt),
    check("api_keys_used_not_negative", sql`${table.usedMicroCents} >= 0`),
    check("api_keys_held_not_negative", sql`${table.heldMicroCents} >= 0`),
  ],
);

/** The filters of a saved view; absent ones match everything. Source: docs/contract.md#views. */
export interface SavedFilters {
  /** The time before now; excludes `from` and `to`. */
  last?: "1h" | "24h" | "7d" | undefined;
  from?: string | undefined;
  to?: string | undefined;
  tokenId?: string | undefined;
  projectId?: string | undefined;
  createdBy?: string | undefined;
  userId?: string | undefined;
  model?: string | undefined;
  status?: "success" | "error" | "cancelled" | "interrupted" | undefined;
  outcome?: "failed" | "refused" | "unanswered" | undefined;
  errorCode?: string | undefined;
  operation?: OperationName | undefined;
  minLatencyMs?: number | undefined;
  /** Cents as decimal text. */
  minCost?: string | undefined;
  requestId?: string | undefined;
}

/** Filters of the log under a name. */
export interface SavedView {
  name: string;
  /** The account's own requests, or everybody's. */
  list: "own" | "all";
  filters: SavedFilters;
}

/** The saved views of an account, in its order; not in `users`, whose rows each settlement copies. */
export const logViews = pgTable("log_views", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  views: jsonb("views").$type<SavedView[]>().notNull(),
});

/** Changes of an account's quota, one row each, append-only. Source: docs/contract.md#s5 (ledger). */
export const quotaGrants = pgTable(
  "quota_grants",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    kind: text("kind", { enum: ["signup", "grant", "adjustment", "invite"] }).notNull(),
    /** Signed. */
    amountMicroCents: bigint("amount_micro_cents", { mode: "bigint" }).notNull(),
    reason: text("reason").notNull().default(""),
    actorId: uuid("actor_id"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("quota_grants_by_user").on(table.userId, table.createdAt)],
);

/** Invitations of admins to register. Source: docs/contract.md#invitations. */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    code: text("code").notNull().unique(),
    /** For admins: whom or what it is for. */
    note: text("note").notNull(),
    maxUses: integer("max_uses").notNull(),
    usedCount: integer("used_count").notNull().default(0),
    /** Null: it does not expire. */
    expiresAt: moment("expires_at"),
    /** Null: the plan of every new account, also once this plan is deleted. */
    planId: integer("plan_id").references(() => plans.id, { onDelete: "set null" }),
    /** Null: the quota of every new account. */
    quotaCents: bigint("quota_cents", { mode: "number" }),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [check("invitations_used_within_limit", sql`${table.usedCount} <= ${table.maxUses}`)],
);

/** Sign-ins and named tokens that can be ended one by one. Source: docs/contract.md#logins, docs/reliability.md#s3-5. */
export const logins = pgTable(
  "logins",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `login`: a bearer token of a login; `browser`: a cookie made from such a token; `token`: a token with a name. */
    kind: text("kind", { enum: ["browser", "login", "token"] }).notNull(),
    /** Only named tokens have one. */
    name: text("name"),
    /** The user agent. */
    client: text("client").notNull(),
    ip: text("ip").notNull(),
    createdAt: moment("created_at").notNull(),
    /** Null: not used yet. */
    lastUsedAt: moment("last_used_at"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("logins_by_user").on(table.userId)],
);

/** Failed logins and attempts per address, so that throttling survives restarts. Source: docs/reliability.md#s3-4. */
export const loginThrottle = pgTable("login_throttle", {
  /** `user:<username_key>`, `login-ip:<address>` or `register-ip:<address>`; a network stands for IPv6 addresses. */
  subject: text("subject").primaryKey(),
  count: integer("count").notNull().default(0),
  windowStartedAt: moment("window_started_at").notNull().defaultNow(),
  blockedUntil: moment("blocked_until"),
});

/** Append-only record of who changed what. No secrets. Source: docs/reliability.md#s3-11. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    createdAt: moment("created_at").notNull().defaultNow(),
    actorId: uuid("actor_id"),
    actorName: text("actor_name").notNull().default(""),
    action: text("action").notNull(),
    targetType: text("target_type").notNull(),
    targetId: text("target_id").notNull(),
    before: jsonb("before"),
    after: jsonb("after"),
    ip: text("ip").notNull().default(""),
    /** Shared by the entries of one change of several records; null: it was a change of one. */
    batchId: uuid("batch_id"),
  },
  (table) => [
    index("audit_log_by_time").on(table.createdAt),
    index("audit_log_by_actor").on(table.actorId, table.createdAt),
    index("audit_log_by_target").on(table.targetId, table.createdAt),
    index("audit_log_by_action").on(table.action, table.createdAt),
    index("audit_log_by_batch").on(table.batchId, table.createdAt, table.id).where(sql`batch_id IS NOT NULL`),
  ],
);
