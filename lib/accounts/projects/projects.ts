import { and, asc, count, desc, eq, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, projectMembers, projects, users } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { offsetOf, type Page, type PageRequest, pageOf } from "../page";
import { openForChange, type ProjectCaller, type ProjectRole, type ProjectRow } from "./access";

/** The most live projects that an account pays. */
const MAX_PROJECTS = 50;

/** A filter of projects; absent fields match everything. */
export interface ProjectListFilter {
  status?: "live" | "archived" | undefined;
  /** Part of its name, its cost centre or its payer's username. */
  search?: string | undefined;
  /** The payer. */
  userId?: string | undefined;
}

/** The fields of a project. */
export interface ProjectInput {
  name: string;
  costCentre?: string | undefined;
}

/** A project as lists and its own page show it; `role` is the caller's, null for admins. */
export interface ProjectView {
  id: string;
  name: string;
  costCentre: string;
  payer: { id: string; username: string };
  role: ProjectRole | null;
  memberCount: number;
  /** Without deleted ones. */
  keyCount: number;
  createdAt: string;
  archivedAt: string | null;
}

/** The projects of the caller, or all for admins: live ones first, by name. Source: docs/projects.md#roles. */
export async function listProjects(
  db: Session,
  caller: ProjectCaller,
  filter: ProjectListFilter,
  request: PageRequest,
): Promise<Page<ProjectView>> {
  const condition = and(caller === null ? undefined : isIn(caller), conditionOf(filter));
  const rows = await selectViews(db.orm, caller, condition)
    .orderBy(
      asc(sql`${projects.archivedAt} IS NOT NULL`),
      asc(sql`lower(${projects.name})`),
      desc(projects.id),
    )
    .limit(request.pageSize)
    .offset(offsetOf(request));
  const found = db.orm
    .select({ total: count() })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId));
  const { total } = onlyRow(await found.where(condition));
  return pageOf(request, rows.map(viewOf), total);
}

/** One project as `listProjects` shows it. Throws: NOT_FOUND. */
export async function viewProject(
  orm: Orm,
  caller: ProjectCaller,
  project: ProjectRow,
): Promise<ProjectView> {
  return viewOf(onlyRow(await selectViews(orm, caller, eq(projects.id, project.id))));
}

/**
 * Makes a project that the account pays and owns. Throws: NOT_FOUND (an account that is not active), CONFLICT (its name,
 * too many). Source: docs/projects.md#bounds.
 */
export async function createProject(tx: Orm, payerId: string, input: ProjectInput): Promise<ProjectRow> {
  const payer = eq(users.id, payerId);
  const [locked] = await tx.select({ status: users.status }).from(users).where(payer).for("no key update");
  if (locked?.status !== "active") throw new GatewayError("NOT_FOUND", "There is no such account.");
  const live = and(eq(projects.userId, payerId), isNull(projects.archivedAt));
  const { total } = onlyRow(await tx.select({ total: count() }).from(projects).where(live));
  if (total >= MAX_PROJECTS)
    throw new GatewayError(
      "CONFLICT",
      `An account may pay at most ${MAX_PROJECTS} projects. Archive one first.`,
    );
  const made = tx.insert(projects).values({ userId: payerId, ...input });
  const project = onlyRow(await withFreeName(() => made.returning()));
  await tx
    .insert(projectMembers)
    .values({ projectId: project.id, userId: payerId, role: "owner", addedBy: payerId });
  return project;
}

/** Changes a project for an owner. Throws: NOT_FOUND, FORBIDDEN, CONFLICT (archived, its name). */
export async function changeProject(
  tx: Orm,
  caller: ProjectCaller,
  id: string,
  change: Partial<ProjectInput>,
): Promise<{ before: ProjectRow; after: ProjectRow }> {
  const before = await openForChange(tx, caller, id);
  if (change.name === undefined && change.costCentre === undefined) return { before, after: before };
  const changed = tx.update(projects).set(change).where(eq(projects.id, before.id));
  return { before, after: onlyRow(await withFreeName(() => changed.returning())) };
}

/**
 * Archives a project for an owner: it can only be read, and its keys are deleted. Returns their ids. Throws: NOT_FOUND,
 * FORBIDDEN, CONFLICT (archived). Source: docs/projects.md#end.
 */
export async function archiveProject(tx: Orm, caller: ProjectCaller, id: string, now: Date) {
  const before = await openForChange(tx, caller, id);
  const keys = and(
    eq(apiKeys.userId, before.userId),
    eq(apiKeys.projectId, before.id),
    isNull(apiKeys.deletedAt),
  );
  const locked = tx.select({ id: apiKeys.id }).from(apiKeys).where(keys).orderBy(apiKeys.id);
  const keyIds = (await locked.for("no key update")).map((key) => key.id);
  await tx.update(apiKeys).set({ status: "disabled", deletedAt: now }).where(keys);
  const archived = tx.update(projects).set({ archivedAt: now }).where(eq(projects.id, before.id));
  return { before, after: onlyRow(await archived.returning()), keyIds };
}

/** A project as the audit keeps it. */
export function projectRecordOf({ id, userId, name, costCentre, createdAt, archivedAt }: ProjectRow) {
  return {
    id,
    payerId: userId,
    name,
    costCentre,
    createdAt: createdAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  };
}

function selectViews(orm: Orm, caller: ProjectCaller, condition: SQL | undefined) {
  const ofProject = eq(projectMembers.projectId, projects.id);
  const own = and(ofProject, caller === null ? sql`false` : eq(projectMembers.userId, caller));
  const keys = sql`${apiKeys.userId} = ${projects.userId} AND ${apiKeys.projectId} = ${projects.id}`;
  return orm
    .select({
      project: projects,
      payer: users.username,
      role: projectMembers.role,
      members: sql<string>`(SELECT count(*) FROM ${projectMembers} AS m WHERE m.project_id = ${projects.id})`,
      keys: sql<string>`(SELECT count(*) FROM ${apiKeys} WHERE ${keys} AND ${apiKeys.deletedAt} IS NULL)`,
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .leftJoin(projectMembers, own)
    .where(condition);
}

function viewOf({
  project,
  payer,
  role,
  members,
  keys,
}: Awaited<ReturnType<typeof selectViews>>[number]): ProjectView {
  const { payerId, ...record } = projectRecordOf(project);
  return {
    ...record,
    payer: { id: payerId, username: payer },
    role,
    memberCount: Number(members),
    keyCount: Number(keys),
  };
}

function isIn(userId: string): SQL {
  const own = sql`SELECT m.project_id FROM ${projectMembers} AS m WHERE m.user_id = ${userId}`;
  return sql`${projects.id} IN (${own})`;
}

function conditionOf({ status, search, userId }: ProjectListFilter): SQL | undefined {
  const pattern = `%${search?.replace(/[\\%_]/g, "\\$&")}%`;
  const named = [projects.name, projects.costCentre, users.username].map((column) => ilike(column, pattern));
  return and(
    status && (status === "live" ? isNull(projects.archivedAt) : isNotNull(projects.archivedAt)),
    search === undefined ? undefined : or(...named),
    userId === undefined ? undefined : inArray(projects.userId, [userId]),
  );
}

/** Turns the refusal of a taken name into a CONFLICT on the field. */
async function withFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error) || constraintOf(error) !== "projects_live_name") throw error;
    const message = "is the name of another project";
    throw new GatewayError("CONFLICT", `\`name\` ${message}.`, { fields: { name: [message] }, cause: error });
  }
}
