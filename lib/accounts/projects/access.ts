import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys, projectMembers, projects } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";

/** A project row. */
export type ProjectRow = typeof projects.$inferSelect;

/** What a member of a project may do. */
export type ProjectRole = (typeof projectMembers.$inferSelect)["role"];

/** The account that asks; null: an admin, who may do what an owner may. */
export type ProjectCaller = string | null;

/** A project with what the caller is in it. */
export interface OpenedProject {
  project: ProjectRow;
  role: ProjectRole;
}

/**
 * A project that the caller may see. `lock`: until the transaction ends, `no key update` against every other change of
 * the project and its members, `share` against losing the role meanwhile; projects and members are locked before keys.
 * Throws: NOT_FOUND for an unknown or malformed id and for a project of others. Source: docs/projects.md#roles,
 * docs/contract.md#foreign-ids, docs/reliability.md#a0.
 */
export async function openProject(
  orm: Orm,
  caller: ProjectCaller,
  id: string,
  lock?: "share" | "no key update",
): Promise<OpenedProject> {
  if (!isUuid(id)) throw unknownProject();
  const found = orm.select().from(projects).where(eq(projects.id, id));
  const [project] = await (lock === undefined ? found : found.for(lock));
  if (project === undefined) throw unknownProject();
  return { project, role: caller === null ? "owner" : await roleIn(orm, project.id, caller, lock) };
}

async function roleIn(orm: Orm, projectId: string, userId: string, lock?: string): Promise<ProjectRole> {
  const found = orm
    .select({ role: projectMembers.role })
    .from(projectMembers)
    .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId)));
  const [member] = await (lock === undefined ? found : found.for("share"));
  if (member === undefined) throw unknownProject();
  return member.role;
}

/**
 * A project that the caller may change, locked as `openProject` does. Throws: NOT_FOUND, FORBIDDEN (no owner), CONFLICT
 * (archived).
 */
export async function openForChange(tx: Orm, caller: ProjectCaller, id: string): Promise<ProjectRow> {
  const { project, role } = await openProject(tx, caller, id, "no key update");
  requireOwner(role);
  requireLive(project);
  return project;
}

/** Throws: FORBIDDEN. */
export function requireOwner(role: ProjectRole): void {
  if (role !== "owner") throw new GatewayError("FORBIDDEN", "Only owners of the project may do this.");
}

/** Throws: CONFLICT for an archived project. */
export function requireLive(project: ProjectRow): void {
  if (project.archivedAt !== null)
    throw new GatewayError("CONFLICT", "The project is archived: it can only be read.");
}

/**
 * True for the keys that an account may see and change: those that it pays, all of projects that it owns, and those that
 * it made in projects of which it is a member. Source: docs/projects.md#roles.
 */
export function isKeyOf(userId: string): SQL {
  return sql`(${apiKeys.userId} = ${userId} OR EXISTS (SELECT FROM ${projectMembers}
    WHERE ${projectMembers.projectId} = ${apiKeys.projectId} AND ${projectMembers.userId} = ${userId}
      AND (${projectMembers.role} = 'owner' OR ${apiKeys.createdBy} = ${userId})))`;
}

function unknownProject(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such project.");
}
