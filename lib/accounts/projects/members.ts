import { and, asc, count, eq, isNull, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, projectMembers, users } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import {
  openForChange,
  openProject,
  type ProjectCaller,
  type ProjectRole,
  type ProjectRow,
  requireLive,
  requireOwner,
} from "./access";

/** The most members of a project, its payer included. */
const MAX_MEMBERS = 200;

/** A member of a project. */
export interface ProjectMember {
  id: string;
  username: string;
  name: string;
  role: ProjectRole;
  /** Always an owner; cannot leave. */
  isPayer: boolean;
  /** Keys that it made in the project, without deleted ones. */
  keyCount: number;
  createdAt: string;
}

/** All members of a project, its payer first, then by name. Throws: NOT_FOUND. Source: docs/projects.md#roles. */
export async function listMembers(orm: Orm, project: ProjectRow): Promise<ProjectMember[]> {
  return selectMembers(orm, project);
}

/**
 * Adds an account by its exact username. Throws: NOT_FOUND, FORBIDDEN, INVALID_REQUEST (no such account), CONFLICT (a
 * member already, archived, too many). Source: docs/projects.md#bounds.
 */
export async function addMember(
  tx: Orm,
  caller: ProjectCaller,
  projectId: string,
  input: { username: string; role: ProjectRole; addedBy: string },
) {
  const project = await openForChange(tx, caller, projectId);
  // The lock keeps the account from being deleted meanwhile; batches do not wait for it.
  const [account] = await tx
    .select({ id: users.id, status: users.status })
    .from(users)
    .where(eq(users.usernameKey, input.username.toLowerCase()))
    .for("key share");
  if (account?.status !== "active") throw badField("username", "is not the name of an active account");
  const ofProject = eq(projectMembers.projectId, project.id);
  const { total } = onlyRow(await tx.select({ total: count() }).from(projectMembers).where(ofProject));
  if (total >= MAX_MEMBERS)
    throw new GatewayError(
      "CONFLICT",
      `A project may have at most ${MAX_MEMBERS} members. Remove one first.`,
    );
  const { role, addedBy } = input;
  const added = await tx
    .insert(projectMembers)
    .values({ projectId: project.id, userId: account.id, role, addedBy })
    .onConflictDoNothing()
    .returning();
  if (added.length === 0) {
    const message = "is a member already";
    throw new GatewayError("CONFLICT", `\`username\` ${message}.`, { fields: { username: [message] } });
  }
  return { project, member: await memberOf(tx, project, account.id) };
}

/** Changes what a member may do. Throws: NOT_FOUND, FORBIDDEN, CONFLICT (the payer, archived). */
export async function changeRole(
  tx: Orm,
  caller: ProjectCaller,
  { projectId, userId, role }: { projectId: string; userId: string; role: ProjectRole },
) {
  const project = await openForChange(tx, caller, projectId);
  const before = await memberOf(tx, project, userId);
  if (before.isPayer && role !== "owner") throw isPayer("is always an owner");
  await tx.update(projectMembers).set({ role }).where(isMember(project.id, before.id));
  return { project, before, after: { ...before, role } };
}

/**
 * Removes a member, or lets the caller leave. With `disable` the keys that it made in the project are disabled, locked
 * before in order of id; only owners may keep them working. Returns the ids of the disabled keys. Throws: NOT_FOUND,
 * FORBIDDEN, CONFLICT (the payer, archived). Source: docs/projects.md#end.
 */
export async function removeMember(
  tx: Orm,
  caller: ProjectCaller,
  { projectId, userId, keys }: { projectId: string; userId: string; keys: "disable" | "keep" },
) {
  const { project, role } = await openProject(tx, caller, projectId, "no key update");
  if (caller !== userId || keys === "keep") requireOwner(role);
  requireLive(project);
  const member = await memberOf(tx, project, userId);
  if (member.isPayer) throw isPayer("cannot leave it");
  await tx.select().from(projectMembers).where(isMember(project.id, member.id)).for("update");
  const keyIds = keys === "keep" ? [] : await disableKeys(tx, project, member.id);
  await tx.delete(projectMembers).where(isMember(project.id, member.id));
  return { project, member, keyIds };
}

async function disableKeys(tx: Orm, project: ProjectRow, userId: string): Promise<string[]> {
  const made = and(
    eq(apiKeys.userId, project.userId),
    eq(apiKeys.projectId, project.id),
    eq(apiKeys.createdBy, userId),
    eq(apiKeys.status, "active"),
    isNull(apiKeys.deletedAt),
  );
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(made).orderBy(apiKeys.id).for("no key update");
  const changed = tx.update(apiKeys).set({ status: "disabled" }).where(made).returning({ id: apiKeys.id });
  return (await changed).map(({ id }) => id);
}

async function memberOf(orm: Orm, project: ProjectRow, userId: string): Promise<ProjectMember> {
  const [member] = isUuid(userId) ? await selectMembers(orm, project, userId) : [];
  if (member === undefined) throw new GatewayError("NOT_FOUND", "There is no such member.");
  return member;
}

async function selectMembers(orm: Orm, project: ProjectRow, userId?: string): Promise<ProjectMember[]> {
  const made = sql`${apiKeys.userId} = ${project.userId} AND ${apiKeys.projectId} = ${project.id}
    AND ${apiKeys.createdBy} = ${projectMembers.userId} AND ${apiKeys.deletedAt} IS NULL`;
  const isPayer = sql<boolean>`${projectMembers.userId} = ${project.userId}`;
  const rows = await orm
    .select({
      id: projectMembers.userId,
      username: users.username,
      name: users.name,
      role: projectMembers.role,
      isPayer,
      keys: sql<string>`(SELECT count(*) FROM ${apiKeys} WHERE ${made})`,
      createdAt: projectMembers.createdAt,
    })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .where(userId === undefined ? eq(projectMembers.projectId, project.id) : isMember(project.id, userId))
    .orderBy(sql`${isPayer} DESC`, asc(users.usernameKey));
  return rows.map(({ keys, createdAt, ...row }) => ({
    ...row,
    keyCount: Number(keys),
    createdAt: createdAt.toISOString(),
  }));
}

const isMember = (projectId: string, userId: string) =>
  and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId));

function isPayer(what: string): GatewayError {
  return new GatewayError("CONFLICT", `The account that pays the project ${what}.`);
}
