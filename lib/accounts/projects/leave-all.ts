import { and, eq, isNull, notInArray } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { projectMembers, projects } from "@/lib/db/schema/accounts";
import type { ProjectRow } from "./access";
import { type EndedKey, endMadeKeys } from "./made-keys";

/** What a deleted account leaves: the keys that it made in projects of others, and the archived projects that it paid. */
export interface LeftBehind {
  keys: EndedKey[];
  projects: { before: ProjectRow; after: ProjectRow }[];
}

/** Locks the live projects that an account pays, before its keys. Source: docs/reliability.md#a0. */
export async function lockPaidProjects(tx: Orm, userId: string): Promise<void> {
  await tx.select().from(projects).where(isPaidBy(userId)).orderBy(projects.id).for("no key update");
}

/**
 * Ends what an account that is deleted has in projects: its keys in those of others, as `status` says, its memberships,
 * and the projects that it pays, whose keys end with the account's. Source: docs/projects.md#end.
 */
export async function leaveAllProjects(
  tx: Orm,
  userId: string,
  now: Date,
  status: "disabled" | "blocked",
): Promise<LeftBehind> {
  const keys = await endMadeKeys(tx, userId, status);
  const paid = tx.select({ id: projects.id }).from(projects).where(eq(projects.userId, userId));
  const ofOthers = and(eq(projectMembers.userId, userId), notInArray(projectMembers.projectId, paid));
  await tx.delete(projectMembers).where(ofOthers);
  const archived = await tx.update(projects).set({ archivedAt: now }).where(isPaidBy(userId)).returning();
  return { keys, projects: archived.map((after) => ({ before: { ...after, archivedAt: null }, after })) };
}

const isPaidBy = (userId: string) => and(eq(projects.userId, userId), isNull(projects.archivedAt));
