import { and, asc, count, desc, eq, ilike, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, projectMembers, projects, users } from "@/lib/db/schema/accounts";
import { isUuid } from "@/lib/kernel/uuid";
import { offsetOf, type Page, type PageRequest, pageOf } from "../page";
import type { ProjectCaller, ProjectRole, ProjectRow } from "./access";
import { projectRecordOf } from "./project-record";

/** A filter of projects; absent fields match everything. */
export interface ProjectListFilter {
  status?: "live" | "archived" | undefined;
  /** Part of its name, its cost centre or its payer's username. */
  search?: string | undefined;
  /** The payer. */
  userId?: string | undefined;
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
    userId === undefined ? undefined : isUuid(userId) ? eq(projects.userId, userId) : sql`false`,
  );
}
