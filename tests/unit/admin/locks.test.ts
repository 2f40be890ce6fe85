import { eq } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneByOne } from "@/lib/admin/one-by-one";
import { removeUser, updateUser } from "@/lib/admin/users";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { makeAccount } from "@/tests/support/billing";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

const server = await postgresServer();

/** Source: docs/reliability.md#a0. */
describe.skipIf("unavailable" in server)("a change of an account", () => {
  let url: string;
  let db: Database;
  let other: postgres.Sql;
  const actor = { id: "00000000-0000-4000-8000-000000000000", username: "boss", ip: "127.0.0.1" };

  beforeAll(async () => {
    url = await createTestDatabase();
    db = await openDatabase({ url, dataDir: runDirectory() });
    other = postgres(url, { max: 2, onnotice: () => {} });
    await db.query(
      "INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (1, 'Free', 0), (2, 'Pro', 0) ON CONFLICT DO NOTHING",
    );
  });

  afterAll(async () => {
    await other.end();
    await db.close();
    await dropTestDatabase(url);
  });

  /** Resolves once so many statements wait for a lock. */
  async function waiting(count: number): Promise<void> {
    for (;;) {
      const [row] = await other<{ waiting: string }[]>`
        SELECT count(*) AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      if (Number(row?.waiting) >= count) return;
    }
  }

  async function admin(): Promise<string> {
    const { userId } = await makeAccount(db, { account: 1n, keys: [1n] });
    await db.orm.update(users).set({ role: "admin" }).where(eq(users.id, userId));
    return userId;
  }

  const removals: Record<string, (id: string) => Promise<unknown>> = {
    "another plan": (id) => updateUser(db, actor, id, { planId: 2 }),
    "a deletion by an admin": (id) => removeUser(db, actor, id, new Date()),
  };

  test.each(Object.keys(removals))("waits for a batch that has locked a key: %s", async (name) => {
    const { userId, keyIds } = await makeAccount(db, { account: 1n, keys: [1n, 1n] });
    let change: Promise<unknown> | undefined;
    await other.begin(async (tx) => {
      const key = [...keyIds].sort()[0] ?? "";
      await tx`SELECT id FROM api_keys WHERE id = ${key} FOR NO KEY UPDATE`;
      change = removals[name]?.(userId);
      change?.catch(() => {});
      await waiting(1);
      await tx`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
      await tx`UPDATE users SET request_count = request_count + 1 WHERE id = ${userId}`;
    });
    await change;
    const [row] = await db.orm.select().from(users).where(eq(users.id, userId));
    expect([row?.requestCount, row?.planId === 2 || row?.status === "deleted"]).toEqual([1n, true]);
  });

  test("two demotions at once end with one admin demoted and one left", async () => {
    const admins = [await admin(), await admin()].sort();
    let changes: Promise<(string | undefined)[]> | undefined;
    await other.begin(async (tx) => {
      await tx`SELECT id FROM users WHERE id = ANY(${admins}) ORDER BY id FOR UPDATE`;
      changes = Promise.all(
        admins.map(async (id) => {
          const [outcome] = await oneByOne([id], () => updateUser(db, actor, id, { role: "user" }));
          return outcome?.error?.code;
        }),
      );
      await waiting(2);
    });
    const codes = await changes;
    expect(codes?.filter((code) => code === undefined)).toHaveLength(1);
    expect(codes?.filter((code) => code === "CONFLICT")).toHaveLength(1);
  });
});
