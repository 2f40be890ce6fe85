import { eq } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/request-id";

/** A key row. */
export type KeyRow = typeof apiKeys.$inferSelect;

/**
 * A key of this account. Throws: NOT_FOUND for an unknown, malformed or deleted id, FORBIDDEN for somebody else's.
 * Source: docs/contract.md#s7.
 */
export async function requireOwnKey(orm: Orm, userId: string, keyId: string): Promise<KeyRow> {
  const row = await requireOwnKeyOrDeleted(orm, userId, keyId);
  if (row.deletedAt !== null) throw unknownKey();
  return row;
}

/**
 * As `requireOwnKey`, but also finds deleted keys, whose requests are still in the logs. Throws: NOT_FOUND, FORBIDDEN.
 */
async function requireOwnKeyOrDeleted(orm: Orm, userId: string, keyId: string): Promise<KeyRow> {
  if (!isUuid(keyId)) throw unknownKey();
  const [row] = await orm.select().from(apiKeys).where(eq(apiKeys.id, keyId)).limit(1);
  if (row === undefined) throw unknownKey();
  if (row.userId !== userId) throw new GatewayError("FORBIDDEN", "This key belongs to another account.");
  return row;
}

/**
 * Restricts a filter to one account; a key in it must belong to the account, deleted or not.
 * Throws: NOT_FOUND, FORBIDDEN.
 */
export async function ownTokenFilter<Filter extends { tokenId?: string | undefined }>(
  orm: Orm,
  userId: string,
  filter: Filter,
): Promise<Filter & { userId: string }> {
  if (filter.tokenId !== undefined) await requireOwnKeyOrDeleted(orm, userId, filter.tokenId);
  return { ...filter, userId };
}

function unknownKey(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such key.");
}
