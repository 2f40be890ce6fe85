import type { ApiInput, ApiOutput } from "@/lib/api/routes";

/** The signed-in account. Amounts are decimal-integer strings of cents. */
export type Profile = ApiOutput<"GET /api/user/self">;

/** The response of login and registration. */
export type LoginAnswer = ApiOutput<"POST /api/user/login">;

/** What pages need of settings and catalog. */
export type Bootstrap = ApiOutput<"GET /api/bootstrap">;

/** A page of the account's keys. */
export type KeyPage = ApiOutput<"GET /api/user/tokens">;

/** A key record: never the secret. Amounts are cents with up to 6 decimals. */
export type KeyRecord = KeyPage["data"][number];

/** The response of creating a key; the only one with the secret. */
export type CreatedKey = ApiOutput<"POST /api/user/tokens">;

/** The fields of a new account. */
export type Registration = ApiInput<"POST /api/user/register">["body"];

/** The fields of a changed key. */
export type KeyChange = ApiInput<"PATCH /api/user/tokens/{id}">["body"];

/** A tier of limits; null is no limit. */
export type Plan = ApiOutput<"GET /api/user/plans">["data"][number];

/** The live limits of a key. */
export type KeyLimits = ApiOutput<"GET /api/user/tokens/{id}/limits">;

/** A rule by period with its use. Money in cents. */
export type BudgetUse = KeyLimits["budgets"][number];

/** One limit with its live use. */
export type LimitState = KeyLimits["qps"];

/** A model as accounts see it. Prices in cents per million tokens. */
export type CatalogModel = ApiOutput<"GET /api/user/models">["data"][number];

/** One request in the log. */
export type LogEntry = ApiOutput<"GET /api/user/logs">["data"][number];

/** The requests of the log over time. */
export type LogVolume = ApiOutput<"GET /api/user/logs/volume">;

/** One request in full. */
export type LogDetail = ApiOutput<"GET /api/user/logs/{requestId}">;

/** The same as admins see it. */
export type AdminLogDetail = ApiOutput<"GET /api/admin/logs/{requestId}">;

/** A sign-in of the account, or one of its tokens for scripts. */
export type LoginRecord = ApiOutput<"GET /api/user/logins">["data"][number];

/** Filters of the log under a name. */
export type SavedView = ApiOutput<"GET /api/user/views">["views"][number];

/** How well each model answers. */
export type Uptime = ApiOutput<"GET /api/user/models/uptime">;
export type PublicUptime = ApiOutput<"GET /api/status">;

/** What admins tell all users. */
export type UserAnnouncement = ApiOutput<"GET /api/user/announcements">["data"][number];

/** Usage statistics. */
export type Stats = ApiOutput<"GET /api/user/stats">;

/** Sums over a period. */
export type StatTotals = Stats["totals"];

/** One bucket of one model. */
export type SeriesPoint = Stats["series"][number];

/** A month of an account's balance. */
export type LedgerMonth = ApiOutput<"GET /api/user/ledger/months">["data"][number];

/** One movement of an account's balance. */
export type LedgerEntry = ApiOutput<"GET /api/user/ledger">["data"][number];

/** A budget with its running period. Amounts in cents, tokens or requests. */
export type Budget = ApiOutput<"GET /api/user/budgets">["data"][number];

/** A counter of a budget in one period. */
export type BudgetWindow = NonNullable<Budget["window"]>;

/** The counter of one account or key. */
export type BudgetMember = Budget["fullest"][number];

/** An account's statement of a month. */
export type AccountStatement = ApiOutput<"GET /api/user/statements/{month}">;
