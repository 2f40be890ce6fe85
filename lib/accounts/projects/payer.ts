import { eq } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { users } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import type { UserRow } from "../session";
import { openProject, requireLive } from "./access";

/**
 * The account that pays a new key of a project. Until the transaction ends its maker cannot be removed, suspended or
 * deleted, so that none of these misses the key. Throws: NOT_FOUND, CONFLICT (archived), FORBIDDEN (suspended
 * meanwhile). Source: docs/projects.md#keys.
 */
export async function payerOfNewKey(tx: Orm, maker: UserRow, projectId: string): Promise<UserRow> {
  const { project } = await openProject(tx, maker.id, projectId, "share");
  requireLive(project);
  // Read after the lock, which a suspension holds until it is done.
  const now = onlyRow(await tx.select({ status: users.status }).from(users).where(eq(users.id, maker.id)));
  if (now.status !== "active") throw new GatewayError("FORBIDDEN", "The account is suspended.");
  return onlyRow(await tx.select().from(users).where(eq(users.id, project.userId)));
}
