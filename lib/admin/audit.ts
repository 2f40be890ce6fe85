import { and, desc, eq, getTableColumns, gte, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { MAX_TOTAL, offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import type { Orm, Session } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { bumpConfigVersion } from "@/lib/db/replicas";
import { apiKeys, auditLog, users } from "@/lib/db/schema/accounts";
import { models, nodes } from "@/lib/db/schema/catalog";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/http";
import { isObject, markOf } from "@/lib/kernel/json";

/** The account and address of an action. */
export interface Actor {
  id: string;
  username: string;
  ip: string;
  /** Marks of the values that the actor's form had loaded, by field. Source: docs/contract.md#loaded. */
  loaded?: ReadonlyMap<string, string>;
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
    | "setting"
    | "announcement"
    | "invitation";
  targetId: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Writes one entry of the audit log; call it in the transaction of the change. Throws: CONFLICT when the record is not
 * as the actor had loaded it. Source: docs/reliability.md#s3-11, docs/contract.md#loaded.
 */
export async function recordAudit(orm: Orm, actor: Actor, event: AuditEvent): Promise<void> {
  await refuseChangedSince(orm, actor, event);
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
  throw new GatewayError("CONFLICT", message, { reason: "changed_since", ...last });
}

/** Records an action of a user on their own account or key; call it in the transaction of the change. */
export function recordOwnAct(
  orm: Orm,
  actor: Actor,
  action: "user.login" | "user.password" | "user.delete" | "key.create" | "key.update" | "key.delete",
  targetId: string,
  after?: unknown,
): Promise<void> {
  const targetType = action.startsWith("key.") ? "key" : "user";
  return recordAudit(orm, actor, { action, targetType, targetId, after });
}

/** A filter of the audit log; absent fields match everything. */
export interface AuditFilter {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  /** What this account or one of its keys did, or what was done to them. */
  accountId?: string | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  /** Changes of accounts that set this status. */
  newStatus?: "active" | "suspended" | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
}

type AuditRow = typeof auditLog.$inferSelect;

/** An entry of the audit log as the API shows it; `names` of what it mentions by id. */
export type AuditEntry = Omit<AuditRow, "createdAt"> & { createdAt: string; names: Record<string, string> };

/** The audit log, newest first. */
export async function listAudit(
  db: Session,
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page<AuditEntry>> {
  const condition = conditionOf(filter);
  const rows = await db.orm
    .select()
    .from(auditLog)
    .where(condition)
    .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
    .limit(request.pageSize)
    .offset(offsetOf(request));
  const some = db.orm
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(condition)
    .limit(MAX_TOTAL + 1)
    .as("some");
  const total = await db.orm.$count(some);
  return { ...pageOf(request, await named(db, rows), total), total: total > MAX_TOTAL ? null : total };
}

/** All matching entries, newest first, in batches and at most `maxRows`. */
export async function* walkAudit(
  db: Session,
  filter: AuditFilter,
  maxRows: number,
  batchSize = 500,
): AsyncGenerator<AuditEntry[]> {
  let before: SQL | undefined;
  for (let given = 0; given < maxRows; given += batchSize) {
    const rows = await db.orm
      // As text, because a Date has milliseconds only.
      .select({ ...getTableColumns(auditLog), position: sql<string>`${auditLog.createdAt}::text` })
      .from(auditLog)
      .where(and(conditionOf(filter), before))
      .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
      .limit(Math.min(batchSize, maxRows - given));
    const last = rows.at(-1);
    if (last === undefined) return;
    before = sql`(${auditLog.createdAt}, ${auditLog.id}) < (${last.position}::timestamptz, ${last.id}::uuid)`;
    yield await named(
      db,
      rows.map(({ position: _, ...row }) => row),
    );
    if (rows.length < batchSize) return;
  }
}

function conditionOf(filter: AuditFilter): SQL | undefined {
  return and(
    filter.from && gte(auditLog.createdAt, filter.from),
    filter.to && lt(auditLog.createdAt, filter.to),
    filter.accountId === undefined ? undefined : concerns(filter.accountId),
    filter.actorId === undefined ? undefined : isActor(filter.actorId),
    filter.action === undefined ? undefined : eq(auditLog.action, filter.action),
    filter.newStatus && turnedTo(filter.newStatus),
    filter.targetType === undefined ? undefined : eq(auditLog.targetType, filter.targetType),
    filter.targetId === undefined ? undefined : eq(auditLog.targetId, filter.targetId),
  );
}

function turnedTo(status: string): SQL | undefined {
  const [before, after] = [auditLog.before, auditLog.after].map((record) => sql`${record} ->> 'status'`);
  return and(
    eq(auditLog.action, "user.update"),
    sql`${after} = ${status} AND ${before} IS DISTINCT FROM ${after}`,
  );
}

/** A malformed id matches nothing. */
function isActor(id: string): SQL {
  return isUuid(id) ? eq(auditLog.actorId, id) : sql`false`;
}

/** The ids of the keys are an array, so that the database finds them in the index of targets. */
function concerns(id: string): SQL | undefined {
  if (!isUuid(id)) return sql`false`;
  const keys = sql`ARRAY(SELECT ${apiKeys.id}::text FROM ${apiKeys} WHERE ${apiKeys.userId} = ${id})`;
  return or(eq(auditLog.actorId, id), eq(auditLog.targetId, id), sql`${auditLog.targetId} = ANY(${keys})`);
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The entries with the current names of the accounts, keys, nodes and models that they mention by id. */
async function named(db: Session, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const idsOf = ({ id: _, createdAt: __, ...row }: AuditRow) => JSON.stringify(row).match(ID) ?? [];
  const ids = [...new Set(rows.flatMap(idsOf))];
  const names = new Map<string, string>();
  if (ids.length > 0) {
    const { orm } = db;
    const found = await Promise.all([
      orm
        .select({ id: users.id, name: users.username })
        .from(users)
        .where(and(inArray(users.id, ids), isNull(users.deletedAt))),
      orm.select({ id: apiKeys.id, name: apiKeys.name }).from(apiKeys).where(inArray(apiKeys.id, ids)),
      orm.select({ id: nodes.id, name: nodes.name }).from(nodes).where(inArray(nodes.id, ids)),
      orm.select({ id: models.id, name: models.alias }).from(models).where(inArray(models.id, ids)),
    ]);
    for (const { id, name } of found.flat()) if (name !== "") names.set(id, name);
  }
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    names: Object.fromEntries(
      idsOf(row).flatMap((id) => {
        const name = names.get(id);
        return name === undefined ? [] : [[id, name] as const];
      }),
    ),
  }));
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

/** The refusal of a name that another record has. */
export function takenName(field: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError("CONFLICT", `\`${field}\` ${message}.`, { fields: { [field]: [message] }, cause });
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
