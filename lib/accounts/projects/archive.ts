import { and, eq, isNull } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, projects } from "@/lib/db/schema/accounts";
import { openForChange, type ProjectCaller } from "./access";

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
