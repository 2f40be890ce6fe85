import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys, projectMembers, projects } from "@/lib/db/schema/accounts";
import { type KeyRow, keyRecordOf } from "../key-record";

/** A key before and after it was disabled, as the API shows it. */
export interface EndedKey {
  before: ReturnType<typeof keyRecordOf>;
  after: ReturnType<typeof keyRecordOf>;
}

/**
 * Locks the memberships of an account and then, in order of id, its keys and those that it made in projects of others,
 * before the account itself. Source: docs/reliability.md#a0.
 */
export async function lockKeys(tx: Orm, userId: string): Promise<void> {
  const own = eq(projectMembers.userId, userId);
  await tx.select().from(projectMembers).where(own).orderBy(projectMembers.projectId).for("update");
  const made = await madeKeys(tx, userId);
  const locked = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(or(eq(apiKeys.userId, userId), inArray(apiKeys.id, made)));
  await locked.orderBy(apiKeys.id).for("no key update");
}

/**
 * Ends the keys that an account made in projects of others of which it is a member; `lockKeys` has locked them.
 * `blocked`: only an admin can enable them again. Source: docs/projects.md#end.
 */
export async function endMadeKeys(
  tx: Orm,
  userId: string,
  status: "disabled" | "blocked",
): Promise<EndedKey[]> {
  const found = inArray(apiKeys.id, await madeKeys(tx, userId));
  const before = await tx.select().from(apiKeys).where(found);
  const wanted = before.filter(
    (key) => key.status === "active" || (status === "blocked" && key.status !== status),
  );
  const ids = wanted.map(({ id }) => id);
  if (ids.length > 0) await tx.update(apiKeys).set({ status }).where(inArray(apiKeys.id, ids));
  const after = (key: KeyRow) => keyRecordOf({ ...key, status });
  return wanted.map((key) => ({ before: keyRecordOf(key), after: after(key) }));
}

/** The ids of the keys that an account made in projects of others. */
async function madeKeys(tx: Orm, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(projectMembers)
    .innerJoin(projects, eq(projects.id, projectMembers.projectId))
    .innerJoin(apiKeys, and(eq(apiKeys.userId, projects.userId), eq(apiKeys.projectId, projects.id)))
    .where(
      and(
        eq(projectMembers.userId, userId),
        sql`${projects.userId} <> ${userId}`,
        eq(apiKeys.createdBy, userId),
        isNull(apiKeys.deletedAt),
      ),
    );
  return rows.map(({ id }) => id);
}
