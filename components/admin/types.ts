import type { z } from "zod";
import type * as requests from "@/lib/api/schemas/admin";
import type * as records from "@/lib/api/schemas/admin-records";
import type * as settings from "@/lib/api/schemas/admin-settings";

/** A node with the models it serves and its health. */
export type NodeView = z.output<typeof records.nodeView>;

/** The same with the calls of its last sixty minutes. */
export type NodeDetail = z.output<typeof records.nodeDetail>;

/** The health of a node in one process. */
export type NodeHealth = NodeView["health"];

/** The result of a node's test. */
export type NodeTestResult = z.output<typeof records.nodeTestResult>;

/** A model with its routes and the price in force. */
export type AdminModel = z.output<typeof records.adminModelRecord>;

/** A price version with the alias it belongs to. */
export type PriceRecord = z.output<typeof records.priceRecord>;

/** A plan with how many keys and accounts have it. */
export type AdminPlan = z.output<typeof records.adminPlanView>;

/** An account as admins see it. */
export type AdminUser = z.output<typeof records.adminUserRecord>;

/** Statistics of all accounts. */
export type AdminStats = z.output<typeof records.adminStats>;

/** One audit entry. */
export type AuditEntry = z.output<typeof records.auditEntry>;

/** The result of a rehearsal. */
export type Rehearsal = z.output<typeof records.rehearsalResponse>;

/** A state that can be assumed for a node. */
export type AssumedState = NonNullable<z.input<typeof requests.rehearsalRequest>["assume"]>[string];

/** The settings that can be changed at run time. */
export type AdminSettings = z.output<typeof settings.settingsRecord>;

/** Whether every balance agrees with the ledger. */
export type Reconciliation = z.output<typeof records.reconcileResponse>;
