import { and, desc, eq } from "drizzle-orm";
import { bumpConfigVersion } from "@/lib/db/config-version";
import type { Orm, Session } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { auditLog } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { markOf } from "@/lib/kernel/json-mark";
import { isObject } from "@/lib/kernel/json-object";
import { isUuid } from "@/lib/kernel/uuid";

/** The account and address of an action. */
export interface Actor {
  id: string;
  username: string;
  ip: string;
  /** Marks of the values that the actor's form had loaded, by field. Source: docs/contract.md#loaded. */
  loaded?: ReadonlyMap<string, string>;
  /** The id that the entries of one change of several records share. */
  batchId?: string;
}

/** An action and its target. `before` and `after` are records as the API shows them, without secrets. */
export interface AuditEvent {
  /** Like `node.update`. */
  action: string;
  targetType:
    | "node"
    | "model"
    | "price"
    | "plan"
    | "user"
    | "key"
    | "budget"
    | "setting"
    | "announcement"
    | "invitation"
    | "project";
  targetId: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Writes one entry of the audit log; call it in the transaction of the change. Throws: CONFLICT when the record differs
 * from the one that the actor had loaded. Source: docs/reliability.md#s3-11, docs/contract.md#loaded.
 */
export async function recordAudit(orm: Orm, actor: Actor, event: AuditEvent): Promise<void> {
  await refuseChangedSince(orm, actor, event);
  await orm.insert(auditLog).values({
    actorId: actor.id,
    actorName: actor.username,
    ip: actor.ip,
    batchId: actor.batchId ?? null,
    action: event.action,
    targetType: event.targetType,
    targetId: event.targetId,
    before: event.before ?? null,
    after: event.after ?? null,
  });
}

async function refuseChangedSince(orm: Orm, { loaded }: Actor, event: AuditEvent): Promise<void> {
  const { before } = event;
  if (loaded === undefined || !isObject(before)) return;
  if (
    Object.keys(before).every((name) => (loaded.get(name) ?? markOf(before[name])) === markOf(before[name]))
  )
    return;
  const { targetType, targetId } = event;
  const [last] = await orm
    .select({ by: auditLog.actorName, since: auditLog.createdAt })
    .from(auditLog)
    .where(and(eq(auditLog.targetType, targetType), eq(auditLog.targetId, targetId)))
    .orderBy(desc(auditLog.createdAt))
    .limit(1);
  const message = "This was changed after it had been loaded.";
  throw new GatewayError("CONFLICT", message, { reason: "changed_since", ...last, current: before });
}

type OwnAct =
  | `user.${"register" | "login" | "password" | "delete"}`
  | `login.${"create" | "delete"}`
  | "key.create";

/** Records an action of a user on their own account or key; call it in the transaction of the change. */
export function recordOwnAct(
  orm: Orm,
  actor: Actor,
  action: OwnAct,
  targetId: string,
  after?: unknown,
): Promise<void> {
  const targetType = action.startsWith("key.") ? "key" : "user";
  return recordAudit(orm, actor, { action, targetType, targetId, after });
}

/** The result of a change of the configuration, and its entries of the audit. */
export interface ConfigChange<Result> {
  result: Result;
  audit: AuditEvent | readonly AuditEvent[];
}

const takenNames: Record<string, [field: string, message: string]> = {
  nodes_name_unique: ["name", "is the name of another node"],
  models_alias_unique: ["alias", "is the alias of another model"],
  plans_pkey: ["id", "is the id of another plan"],
};

/**
 * Runs one change of the configuration in a transaction with its audit entries and a new configuration version.
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
      for (const event of [audit].flat()) await recordAudit(tx, actor, event);
      await bumpConfigVersion(tx);
      return result;
    });
  } catch (error) {
    const [field, message] = (isUniqueViolation(error) && takenNames[constraintOf(error) ?? ""]) || [];
    if (field === undefined || message === undefined) throw error;
    throw takenName(field, message, error);
  }
}

/** The refusal of a name that another record already has. */
export function takenName(field: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError("CONFLICT", `\`${field}\` ${message}.`, { fields: { [field]: [message] }, cause });
}

/** Refuses to change what the configuration file declares. Throws: CONFLICT. Source: docs/contract.md#s3. */
export function refuseManagedByFile(row: { managedByFile: boolean }): void {
  if (!row.managedByFile) return;
  throw new GatewayError("CONFLICT", "This is managed by the configuration file; change it there.");
}

/** Returns the row. Throws: NOT_FOUND when it is undefined. */
export function requireFound<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new GatewayError("NOT_FOUND", `There is no such ${what}.`);
  return row;
}

/** Returns a well-formed id. Throws: NOT_FOUND for a malformed one, like for an unknown one. */
export function uuidOf(id: string, what: string): string {
  return requireFound(isUuid(id) ? id : undefined, what);
}
