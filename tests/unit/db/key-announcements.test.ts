import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { KEYS_CHANNEL } from "@/lib/db/key-announcements";
import { apiKeys, plans, users } from "@/lib/db/schema/accounts";
import { forEachDatabase } from "@/tests/support/database";

/** Source: docs/reliability.md#s3-2. */
await forEachDatabase((kind, open) => {
  let db: Database;
  let userId: string;
  let keyId: string;
  const heard: string[] = [];
  let missed = 0;

  beforeAll(async () => {
    db = await open();
    await db.orm.insert(plans).values({ id: 1, name: "Free", keyQuotaMicroCents: 0n });
    const account = { username: "ann", usernameKey: "ann", passwordHash: "", planId: 1, inviteCode: "ann" };
    const [user] = await db.orm
      .insert(users)
      .values({ ...account, quotaMicroCents: 0n })
      .returning();
    userId = user?.id ?? "";
    const [key] = await db.orm.insert(apiKeys).values(keyFields("first")).returning();
    keyId = key?.id ?? "";
    const note = (payload: string) => heard.push(payload);
    await db.listen(KEYS_CHANNEL, note, () => {
      missed += 1;
    });
  });

  beforeEach(() => {
    heard.length = 0;
  });

  const keyFields = (name: string) => ({
    userId,
    name,
    keyHash: Buffer.from(name.padEnd(32)),
    keyPrefix: "tgw-",
    planId: 1,
    quotaMicroCents: 0n,
  });

  /** What is notified later arrives later, so everything before this has been heard. */
  async function allHeard(): Promise<string[]> {
    await db.notify(KEYS_CHANNEL, "end");
    await expect.poll(() => heard.at(-1)).toBe("end");
    return heard.slice(0, -1);
  }

  test("a change of a key, an account or a plan is announced with its transaction, whoever makes it", async () => {
    const ofKey = { status: "disabled", name: "other", models: ["one"], quotaMicroCents: 5n } as const;
    for (const [member, value] of Object.entries(ofKey))
      await db.orm
        .update(apiKeys)
        .set({ [member]: value })
        .where(eq(apiKeys.id, keyId));
    expect(await allHeard()).toEqual(Array(4).fill(`key:${keyId}`));
    heard.length = 0;
    await db.query("UPDATE users SET status = 'suspended' WHERE id = $1", [userId]);
    await db.query("UPDATE users SET quota_micro_cents = 7 WHERE id = $1", [userId]);
    await db.query("UPDATE plans SET rpm = 3 WHERE id = 1");
    expect(await allHeard()).toEqual([`user:${userId}`, `user:${userId}`, "plan:1"]);
  });

  test("a new key is announced, because it may have been asked for before", async () => {
    const [made] = await db.orm.insert(apiKeys).values(keyFields("second")).returning();
    expect(await allHeard()).toEqual([`key:${made?.id}`]);
  });

  test("a transaction that is rolled back announces nothing", async () => {
    const change = db.orm.transaction(async (tx) => {
      await tx.update(apiKeys).set({ status: "active" }).where(eq(apiKeys.id, keyId));
      throw new Error("rolled back");
    });
    await expect(change).rejects.toThrow("rolled back");
    expect(await allHeard()).toEqual([]);
  });

  test("what each request changes announces nothing", async () => {
    await db.query("UPDATE api_keys SET used_micro_cents = 1, held_micro_cents = 1, last_used_at = now()");
    await db.query("UPDATE users SET used_micro_cents = 1, held_micro_cents = 1, request_count = 1");
    expect(await allHeard()).toEqual([]);
  });

  if (kind === "postgres")
    test("a listener whose connection ended is told that it may have missed something, before it hears again", async () => {
      await expect.poll(() => db.heardUntilMs()).toBeGreaterThan(0);
      const before = missed;
      // Not through the pool: it also ends the connection by which the pool tells a slow statement from a dead database.
      await db.session((session) =>
        session.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND query IN ('SELECT 1', 'LISTEN "tollgate_keys"')`,
        ),
      );
      await expect.poll(() => missed, { timeout: 10_000 }).toBeGreaterThan(before);
      const again = performance.now();
      await expect.poll(() => db.heardUntilMs(), { timeout: 10_000 }).toBeGreaterThan(again - 1_000);
      expect(await allHeard()).toEqual([]);
    });
});
