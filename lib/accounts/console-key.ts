import { hkdfSync } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { KeyRing } from "@/lib/config/secrets";
import type { Orm, Session } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";
import { MAX_CENTS, microCentsFromCents } from "@/lib/kernel/money";
import { type KeyRow, keyRecordOf } from "./key-record";
import { keyFromBytes } from "./key-text";
import type { UserRow } from "./session";

const NAME = "Console key";
const LIFETIME = sql`now() + interval '12 hours'`;
/** A key that expires sooner is replaced instead of returned again. */
const SHORTEST_REST_MS = 5 * 60_000;
const SECRET_BYTES = 128;
const MAX_TRIES = 5;

/** The console key of a call, and whether the call created or renewed it. */
export interface IssuedConsoleKey {
  apiKey: ReturnType<typeof keyRecordOf>;
  key: string;
  isNew: boolean;
}

/**
 * The console key of an account: one for all its browsers. Its secret is derived from the master key, the account and a
 * number, and is never stored. Calls get the same key until it expires; then the number is incremented. It ends with
 * the account's sessions, because it is bound to their version. The quota of the account is its only limit.
 * Source: docs/reliability.md#s3-1b.
 */
export async function issueConsoleKey(db: Session, user: UserRow, ring: KeyRing): Promise<IssuedConsoleKey> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = await findRow(db.orm, user.id);
    if (before !== null && isLive(before, user, ring)) {
      return { apiKey: keyRecordOf(before.row), key: derive(ring, user.id, before.number).key, isNew: false };
    }
    const number = (before?.number ?? 0) + 1;
    const made = derive(ring, user.id, number);
    // Null: another call was faster; the next try returns that call's key.
    const row = await write(db.orm, user, before, {
      keyHash: made.keyHash,
      keyPrefix: made.keyPrefix,
      planId: user.planId,
      expiresAt: LIFETIME,
      consoleNumber: number,
      consoleTokenVersion: user.tokenVersion,
    });
    if (row !== null) return { apiKey: keyRecordOf(row), key: made.key, isNew: true };
  }
  throw new Error("the console key was replaced by other calls again and again");
}

/** The record of the console key; null when the account never had one. */
export async function findConsoleKey(db: Session, userId: string) {
  const found = await findRow(db.orm, userId);
  return found && keyRecordOf(found.row);
}

interface ConsoleRow {
  row: KeyRow;
  number: number;
  remainingMs: number;
}

function isLive({ row, number, remainingMs }: ConsoleRow, user: UserRow, ring: KeyRing): boolean {
  if (remainingMs <= SHORTEST_REST_MS || row.consoleTokenVersion !== user.tokenVersion) return false;
  // False after a change of the master key.
  return row.keyHash.equals(derive(ring, user.id, number).keyHash);
}

function derive(ring: KeyRing, userId: string, number: number) {
  return keyFromBytes(
    Buffer.from(hkdfSync("sha256", ring.current.key, "", `${userId}|${number}`, SECRET_BYTES)),
  );
}

const isConsoleKeyOf = (userId: string) =>
  and(eq(apiKeys.userId, userId), isNotNull(apiKeys.consoleNumber), isNull(apiKeys.deletedAt));

async function findRow(orm: Orm, userId: string): Promise<ConsoleRow | null> {
  const [found] = await orm
    .select({
      row: apiKeys,
      remainingMs: sql<number>`(extract(epoch from ${apiKeys.expiresAt} - now()) * 1000)::float8`,
    })
    .from(apiKeys)
    .where(isConsoleKeyOf(userId))
    .limit(1);
  if (found === undefined || found.row.consoleNumber === null) return null;
  return { ...found, number: found.row.consoleNumber };
}

type Values = Pick<
  typeof apiKeys.$inferInsert,
  "keyHash" | "keyPrefix" | "planId" | "consoleNumber" | "consoleTokenVersion"
> & { expiresAt: typeof LIFETIME };

/** Null: another call has written a key since `before` was read. */
async function write(
  orm: Orm,
  user: UserRow,
  before: ConsoleRow | null,
  values: Values,
): Promise<KeyRow | null> {
  const quotaMicroCents = microCentsFromCents(MAX_CENTS);
  const rows =
    before === null
      ? await orm
          .insert(apiKeys)
          .values({ ...values, userId: user.id, name: NAME, quotaMicroCents })
          .onConflictDoNothing()
          .returning()
      : await orm
          .update(apiKeys)
          .set({ ...values, quotaMicroCents })
          .where(and(isConsoleKeyOf(user.id), eq(apiKeys.consoleNumber, before.number)))
          .returning();
  return rows[0] ?? null;
}
