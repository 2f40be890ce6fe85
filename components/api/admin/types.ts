import type { ApiInput, ApiOutput } from "@/lib/api/routes";

/** A node with the models it serves and its health. */
export type NodeView = ApiOutput<"GET /api/admin/nodes">["data"][number];

/** The same with the calls of its last sixty minutes. */
export type NodeDetail = ApiOutput<"GET /api/admin/nodes/{id}">;

/** The health of a node in one process. */
export type NodeHealth = NodeView["health"];

/** The result of a node's test. */
export type NodeTestResult = ApiOutput<"POST /api/admin/nodes/{id}/test">;

/** The result of testing a node that is not saved. */
export type DraftTest = ApiOutput<"POST /api/admin/nodes/test">;

/** A node's own list of models. */
export type NodeModels = ApiOutput<"GET /api/admin/nodes/{id}/models">;

/** How fast and how well a node answered over time. */
export type NodeStats = ApiOutput<"GET /api/admin/nodes/{id}/stats">;

/** A model with its routes and the price in force. */
export type AdminModel = ApiOutput<"GET /api/admin/models/{id}">;

/** A price version with the alias it belongs to. */
export type PriceRecord = ApiOutput<"GET /api/admin/prices">["data"][number];

/** A plan with how many keys and accounts have it. */
export type AdminPlan = ApiOutput<"GET /api/admin/plans">["data"][number];

/** An account as admins see it. */
export type AdminUser = ApiOutput<"GET /api/admin/users/{id}">;

/** An account in the list, with what it was billed in the last 30 days. */
export type ListedUser = ApiOutput<"GET /api/admin/users">["data"][number];

/** Statistics of all accounts. */
export type AdminStats = ApiOutput<"GET /api/admin/stats">;

/** Revenue, cost and margin. */
export type Margin = ApiOutput<"GET /api/admin/margin">;

/** One audit entry. */
export type AuditEntry = ApiOutput<"GET /api/admin/audit">["data"][number];

/** The result of a rehearsal. */
export type Rehearsal = ApiOutput<"POST /api/admin/rehearsal">;

/** A state that can be assumed for a node. */
export type AssumedState = NonNullable<ApiInput<"POST /api/admin/rehearsal">["body"]["assume"]>[string];

/** The settings that can be changed at run time. */
export type AdminSettings = ApiOutput<"GET /api/admin/settings">;

/** What an admin tells users and visitors. */
export type Announcement = ApiOutput<"GET /api/admin/announcements">["data"][number];

/** A code of an admin to register with. */
export type Invitation = ApiOutput<"GET /api/admin/invitations">["data"][number];

/** Whether every balance agrees with the ledger. */
export type Reconciliation = ApiOutput<"GET /api/admin/reconcile">;

/** A month's sums by account, project or cost centre. */
export type AdminStatement = ApiOutput<"GET /api/admin/statements/{month}">;
