import { and, eq } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { KeyRow } from "./key-record";
import { isKeyOf, openProject } from "./projects/access";

/**
 * A key that the account may see. Throws: NOT_FOUND for an unknown, malformed or deleted id and for a key of others.
 * Source: docs/contract.md#foreign-ids, docs/projects.md#roles.
 */
export async function requireOwnKey(orm: Orm, userId: string, keyId: string): Promise<KeyRow> {
  const row = await requireOwnKeyOrDeleted(orm, userId, keyId);
  if (row.deletedAt !== null) throw unknownKey();
  return row;
}

/** As `requireOwnKey`, but also finds deleted keys, whose requests are still in the logs. Throws: NOT_FOUND. */
export async function requireOwnKeyOrDeleted(orm: Orm, userId: string, keyId: string): Promise<KeyRow> {
  if (!isUuid(keyId)) throw unknownKey();
  const [row] = await orm
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isKeyOf(userId)))
    .limit(1);
  if (row === undefined) throw unknownKey();
  return row;
}

/** A key that the account pays; for admins. Throws: NOT_FOUND. */
export async function requirePaidKey(orm: Orm, payerId: string, keyId: string): Promise<KeyRow> {
  const row = await requireOwnKey(orm, payerId, keyId);
  if (row.userId !== payerId) throw unknownKey();
  return row;
}

/**
 * A key that the account may change; it cannot lose its role in the key's project before the transaction ends. Throws:
 * NOT_FOUND, CONFLICT (the console key).
 */
export async function requireChangeable(tx: Orm, userId: string, keyId: string): Promise<KeyRow> {
  const row = await requireOwnKey(tx, userId, keyId);
  if (row.consoleNumber !== null)
    throw new GatewayError(
      "CONFLICT",
      "The console makes and ends this key. End all sessions to end it now.",
    );
  if (row.userId === userId || row.projectId === null) return row;
  await openProject(tx, userId, row.projectId, "share");
  return requireOwnKey(tx, userId, keyId);
}

function unknownKey(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such key.");
}
