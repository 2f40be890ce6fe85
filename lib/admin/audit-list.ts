import {
  and,
  type Column,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { MAX_TOTAL, offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import type { Session } from "@/lib/db/database";
import { apiKeys, auditLog, projects, users } from "@/lib/db/schema/accounts";
import { models, nodes } from "@/lib/db/schema/catalog";
import { isUuid } from "@/lib/kernel/uuid";

/** A filter of the audit log; absent fields match everything. */
export interface AuditFilter {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  /** Actions of this account or one of its keys, and actions that concern them. */
  accountId?: string | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  /** Changes of accounts that set this status. */
  newStatus?: "active" | "suspended" | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
  /** Entries of one change of several records. */
  batchId?: string | undefined;
  /** A text in the name or id of the target or actor, or in a value of the record before or after. */
  search?: string | undefined;
}

type AuditRow = typeof auditLog.$inferSelect;

/** An entry of the audit log as the API shows it; `names`: the names of what it mentions by id. */
export type AuditEntry = Omit<AuditRow, "createdAt"> & { createdAt: string; names: Record<string, string> };

/**
 * An entry, and how many matching entries it stands for: with `grouped`, the newest entry of a batch stands for all of
 * it.
 */
export type ListedAudit = AuditEntry & { batchCount: number };

/** The audit log, newest first. */
export async function listAudit(
  db: Session,
  filter: AuditFilter,
  request: PageRequest & { grouped?: boolean | undefined },
): Promise<Page<ListedAudit>> {
  const matches = conditionOf(filter);
  const grouped = request.grouped === true;
  const condition = grouped ? and(matches, isFirstOfBatch(db, matches)) : matches;
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
  const sizes = grouped ? await batchSizes(db, rows, matches) : new Map<string | null, number>();
  const entries = await withUserNames(db, rows);
  const listed = entries.map((entry) => ({ ...entry, batchCount: sizes.get(entry.batchId) ?? 1 }));
  return { ...pageOf(request, listed, total), total: total > MAX_TOTAL ? null : total };
}

/** True for entries outside of batches, and for the newest matching entry of each batch. */
function isFirstOfBatch(db: Session, matches: SQL | undefined): SQL | undefined {
  const newest = db.orm
    .selectDistinctOn([auditLog.batchId], { id: auditLog.id })
    .from(auditLog)
    .where(and(isNotNull(auditLog.batchId), matches))
    .orderBy(auditLog.batchId, desc(auditLog.createdAt), desc(auditLog.id));
  return or(isNull(auditLog.batchId), inArray(auditLog.id, newest));
}

/** How many matching entries each batch of the rows has. */
async function batchSizes(db: Session, rows: readonly AuditRow[], matches: SQL | undefined) {
  const ids = rows.flatMap(({ batchId }) => batchId ?? []);
  if (ids.length === 0) return new Map<string | null, number>();
  const sizes = await db.orm
    .select({ id: auditLog.batchId, size: count() })
    .from(auditLog)
    .where(and(inArray(auditLog.batchId, ids), matches))
    .groupBy(auditLog.batchId);
  return new Map(sizes.map(({ id, size }) => [id, size]));
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
    yield await withUserNames(
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
    filter.actorId === undefined ? undefined : hasId(auditLog.actorId, filter.actorId),
    filter.batchId === undefined ? undefined : hasId(auditLog.batchId, filter.batchId),
    filter.search === undefined || filter.search === "" ? undefined : mentions(filter.search),
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
function hasId(column: Column, id: string): SQL {
  return isUuid(id) ? eq(column, id) : sql`false`;
}

/** Texts and numbers of a record, without the names of its fields, which all records have. */
const VALUES = '$.** ? (@.type() == "string" || @.type() == "number")';

function mentions(text: string): SQL | undefined {
  const isIn = (value: SQL | Column) => sql`position(lower(${text}::text) in lower(${value})) > 0`;
  const isInRecord = (record: Column) =>
    sql`EXISTS (SELECT FROM jsonb_path_query(${record}, ${VALUES}::text::jsonpath) AS found(value)
      WHERE ${isIn(sql`found.value #>> '{}'`)})`;
  const named = [
    [users, users.username],
    [apiKeys, apiKeys.name],
    [nodes, nodes.name],
    [models, models.alias],
    [projects, projects.name],
  ] as const;
  const ids = named.map(([table, name]) => sql`SELECT ${table.id}::text FROM ${table} WHERE ${isIn(name)}`);
  return or(
    isIn(auditLog.targetId),
    isIn(auditLog.actorName),
    isInRecord(auditLog.before),
    isInRecord(auditLog.after),
    sql`${auditLog.targetId} = ANY(ARRAY(${sql.join(ids, sql` UNION ALL `)}))`,
  );
}

/** The ids of the keys are an array, so that the database finds them in the index of targets. */
function concerns(id: string): SQL | undefined {
  if (!isUuid(id)) return sql`false`;
  const keys = sql`ARRAY(SELECT ${apiKeys.id}::text FROM ${apiKeys} WHERE ${apiKeys.userId} = ${id})`;
  return or(eq(auditLog.actorId, id), eq(auditLog.targetId, id), sql`${auditLog.targetId} = ANY(${keys})`);
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The entries with the current names of the accounts, keys, projects, nodes and models that they mention by id. */
async function withUserNames(db: Session, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
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
      orm.select({ id: projects.id, name: projects.name }).from(projects).where(inArray(projects.id, ids)),
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
