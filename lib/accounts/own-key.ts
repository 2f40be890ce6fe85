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
  const row = await requireOwnKeyEver(orm, userId, keyId);
  if (row.deletedAt !== null) throw unknownKey();
  return row;
}

/** The same, deleted keys included, because what they did is still in the logs. Throws: NOT_FOUND, FORBIDDEN. */
async function requireOwnKeyEver(orm: Orm, userId: string, keyId: string): Promise<KeyRow> {
  if (!isUuid(keyId)) throw unknownKey();
  const [row] = await orm.select().from(apiKeys).where(eq(apiKeys.id, keyId)).limit(1);
  if (row === undefined) throw unknownKey();
  if (row.userId !== userId) throw new GatewayError("FORBIDDEN", "This key belongs to another account.");
  return row;
}

/**
 * A filter narrowed to one account; a key in it must be, or have been, the account's own.
 * Throws: NOT_FOUND, FORBIDDEN.
 */
export async function ownTokenFilter<Filter extends { tokenId?: string | undefined }>(
  orm: Orm,
  userId: string,
  filter: Filter,
): Promise<Filter & { userId: string }> {
  if (filter.tokenId !== undefined) await requireOwnKeyEver(orm, userId, filter.tokenId);
  return { ...filter, userId };
}

function unknownKey(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such key.");
}
