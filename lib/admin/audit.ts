import { and, count, desc, eq, gte, lt } from "drizzle-orm";
import { offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import { bumpConfigVersion } from "@/lib/db/config-channel";
import type { Orm, Session } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { auditLog } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/http";

/** The account and address of an action. */
export interface Actor {
  id: string;
  username: string;
  ip: string;
}

/** An action and its target. `before` and `after` are records as the API shows them, without secrets. */
export interface AuditEvent {
  /** Like `node.update`. */
  action: string;
  targetType: "node" | "model" | "price" | "plan" | "user" | "key" | "setting";
  targetId: string;
  before?: unknown;
  after?: unknown;
}

/** Writes one entry of the audit log; call it in the transaction of the change. Source: docs/reliability.md#s3-11. */
export async function recordAudit(orm: Orm, actor: Actor, event: AuditEvent): Promise<void> {
  await orm.insert(auditLog).values({
    actorId: actor.id,
    actorName: actor.username,
    ip: actor.ip,
    action: event.action,
    targetType: event.targetType,
    targetId: event.targetId,
    before: event.before ?? null,
    after: event.after ?? null,
  });
}

/** Records an action of a user on their own account or key. */
export function recordOwnAct(
  db: Session,
  actor: Actor,
  action: "user.login" | "user.password" | "user.delete" | "key.create" | "key.update" | "key.delete",
  targetId: string,
  after?: unknown,
): Promise<void> {
  const targetType = action.startsWith("key.") ? "key" : "user";
  return recordAudit(db.orm, actor, { action, targetType, targetId, after });
}

/** A filter of the audit log; absent fields match everything. */
export interface AuditFilter {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
}

/** The audit log, newest first. */
export async function listAudit(
  db: Session,
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page<ReturnType<typeof entryOf>>> {
  if (filter.actorId !== undefined && !isUuid(filter.actorId)) return pageOf(request, [], 0);
  const condition = and(
    filter.from && gte(auditLog.createdAt, filter.from),
    filter.to && lt(auditLog.createdAt, filter.to),
    filter.actorId === undefined ? undefined : eq(auditLog.actorId, filter.actorId),
    filter.action === undefined ? undefined : eq(auditLog.action, filter.action),
    filter.targetType === undefined ? undefined : eq(auditLog.targetType, filter.targetType),
    filter.targetId === undefined ? undefined : eq(auditLog.targetId, filter.targetId),
  );
  const rows = await db.orm
    .select()
    .from(auditLog)
    .where(condition)
    .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
    .limit(request.pageSize)
    .offset(offsetOf(request));
  const [total] = await db.orm.select({ total: count() }).from(auditLog).where(condition);
  return pageOf(request, rows.map(entryOf), total?.total ?? 0);
}

function entryOf(row: typeof auditLog.$inferSelect) {
  return { ...row, createdAt: row.createdAt.toISOString() };
}

/** The result of a change of the configuration, and its audit entry. */
export interface ConfigChange<Result> {
  result: Result;
  audit: AuditEvent;
}

const takenNames: Record<string, [field: string, message: string]> = {
  nodes_name_unique: ["name", "is the name of another node"],
  models_alias_unique: ["alias", "is the alias of another model"],
  plans_pkey: ["id", "is the id of another plan"],
};

/**
 * Runs one change of the configuration in a transaction with its audit entry and a new configuration version.
 * Throws: CONFLICT for a taken name, and what the work throws.
 */
export async function changeConfig<Result>(
  db: Session,
  actor: Actor,
  work: (tx: Orm) => Promise<ConfigChange<Result>>,
): Promise<Result> {
  try {
    return await db.orm.transaction(async (tx) => {
      const { result, audit } = await work(tx);
      await recordAudit(tx, actor, audit);
      await bumpConfigVersion(tx);
      return result;
    });
  } catch (error) {
    const [field, message] = (isUniqueViolation(error) && takenNames[constraintOf(error) ?? ""]) || [];
    if (field === undefined || message === undefined) throw error;
    throw new GatewayError("CONFLICT", `\`${field}\` ${message}.`, {
      fields: { [field]: [message] },
      cause: error,
    });
  }
}

/** Refuses to change what the configuration file declares. Throws: CONFLICT. Source: docs/contract.md#s3. */
export function refuseManagedByFile(row: { managedByFile: boolean }): void {
  if (!row.managedByFile) return;
  throw new GatewayError("CONFLICT", "This is managed by the configuration file; change it there.");
}

/** Returns the row. Throws: NOT_FOUND when it is undefined. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new GatewayError("NOT_FOUND", `There is no such ${what}.`);
  return row;
}

/** Returns a well-formed id. Throws: NOT_FOUND for a malformed one, like for an unknown one. */
export function uuidOf(id: string, what: string): string {
  return found(isUuid(id) ? id : undefined, what);
}
