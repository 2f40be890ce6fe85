import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { issueConsoleKey } from "@/lib/accounts/console-key";
import { findKeysByHash, isKeyUsable } from "@/lib/accounts/gateway-key";
import { hashKey, isWellFormedKey } from "@/lib/accounts/key-text";
import { endAllSessions } from "@/lib/accounts/self";
import type { UserRow } from "@/lib/accounts/session";
import type { Database } from "@/lib/db/database";
import { apiKeys, plans, users } from "@/lib/db/schema/accounts";
import { forEachDatabaseInAll } from "@/tests/support/database";

const HOUR_MS = 3_600_000;
const ring = (fill: number) => ({ current: { id: "0", key: Buffer.alloc(32, fill) }, previous: null });

/** Source: docs/reliability.md#s3-1b. */
await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let user: UserRow;
  let accounts = 0;

  beforeAll(async () => {
    db = await open();
    await db.orm.insert(plans).values({ id: 1, name: "Free", keyQuotaMicroCents: 0n, selfService: true });
  });

  beforeEach(async () => {
    const name = `user${++accounts}`;
    const [row] = await db.orm
      .insert(users)
      .values({
        username: name,
        usernameKey: name,
        passwordHash: "",
        planId: 1,
        quotaMicroCents: 0n,
        inviteCode: name,
      })
      .returning();
    if (row === undefined) throw new Error("the account was not returned");
    user = row;
  });

  const usable = async (key: string) => {
    const hash = hashKey(key).toString("hex");
    const found = (await findKeysByHash(db, [hash])).get(hash);
    return found !== undefined && isKeyUsable(found, performance.now());
  };

  /** Moves the end of the console key; the server's clock says when it has come. */
  const endIn = (ms: number) =>
    db.orm
      .update(apiKeys)
      .set({ expiresAt: new Date(Date.now() + ms) })
      .where(eq(apiKeys.userId, user.id));

  test("the same key is issued while it has more than five minutes left, another one afterwards", async () => {
    const first = await issueConsoleKey(db, user, ring(1));
    expect([isWellFormedKey(first.key), first.isNew, await usable(first.key)]).toEqual([true, true, true]);
    await endIn(10 * 60_000);
    expect(await issueConsoleKey(db, user, ring(1))).toMatchObject({ key: first.key, isNew: false });
    await endIn(4 * 60_000);
    const next = await issueConsoleKey(db, user, ring(1));
    expect([next.isNew, next.apiKey.id, next.key === first.key]).toEqual([true, first.apiKey.id, false]);
    expect([await usable(first.key), await usable(next.key)]).toEqual([false, true]);
    const left = Date.parse(next.apiKey.expiresAt ?? "") - Date.now();
    expect(left / HOUR_MS).toBeCloseTo(12, 1);
  });

  test("a key that has ended opens nothing", async () => {
    const { key } = await issueConsoleKey(db, user, ring(1));
    await endIn(-1);
    expect(await usable(key)).toBe(false);
  });

  test("a key of sessions that have ended is not found, and is not issued to a session of then", async () => {
    const { key } = await issueConsoleKey(db, user, ring(1));
    const later = await endAllSessions(db, user.id);
    expect(await usable(key)).toBe(false);
    const stale = await issueConsoleKey(db, user, ring(1));
    expect(await usable(stale.key)).toBe(false);
    expect(await usable((await issueConsoleKey(db, later, ring(1))).key)).toBe(true);
  });

  test("another master key makes another key", async () => {
    const first = await issueConsoleKey(db, user, ring(1));
    const second = await issueConsoleKey(db, user, ring(2));
    expect([second.key === first.key, await usable(first.key), await usable(second.key)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("the database holds neither the key nor what it is derived from", async () => {
    const { key } = await issueConsoleKey(db, user, ring(1));
    const [row] = await db.orm.select().from(apiKeys).where(eq(apiKeys.userId, user.id));
    const text = JSON.stringify(row, (_name, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain(key.slice(12));
    expect(row).toMatchObject({ consoleNumber: 1, keyHash: hashKey(key) });
  });

  test("calls at once get one key", async () => {
    const issued = await Promise.all(Array.from({ length: 6 }, () => issueConsoleKey(db, user, ring(1))));
    expect(new Set(issued.map(({ key }) => key)).size).toBe(1);
    expect(issued.filter(({ isNew }) => isNew)).toHaveLength(1);
  });
});
