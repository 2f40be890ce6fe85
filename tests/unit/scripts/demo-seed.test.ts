import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createUser } from "@/lib/accounts/users";
import { reconcile } from "@/lib/billing/reconcile";
import { applyConfig } from "@/lib/config/apply";
import { demoCatalog } from "@/lib/config/builtin";
import { parseSettings } from "@/lib/config/env";
import { loadSecrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import { apiKeys, auditLog, users } from "@/lib/db/schema/accounts";
import { seedDemo } from "@/scripts/demo/seed";
import { forEachDatabase } from "@/tests/support/database";
import { runDirectory } from "@/tests/support/run-directory";

/** Opening and filling databases takes its time where several test files share two cores. */
const WITHIN_MS = 180_000;

const now = new Date();

async function prepared(db: Database): Promise<string> {
  const settings = parseSettings({ DATA_DIR: `${runDirectory()}/seed` }, { cwd: "/", exists: () => false });
  const secrets = await loadSecrets(settings);
  const demo = demoCatalog("http://127.0.0.1:1");
  await applyConfig(db, { file: null, environment: { nodes: [], models: [] }, demo }, secrets);
  return (
    await createUser(db, { username: "admin", password: "secret-1" }, { quotaCents: 1000, role: "admin" })
  ).id;
}

await forEachDatabase((_, open) => {
  describe("the seeded demo", () => {
    test(
      "has thirty days of usage in which every sum agrees, and keys in every state",
      async () => {
        const db = await open();
        const adminId = await prepared(db);
        const accounts = await seedDemo(db, adminId, now);
        expect(accounts?.map((account) => account.username)).toEqual(["lin", "maria"]);
        expect(await reconcile(db)).toMatchObject({ ok: true, mismatches: [] });
        const [sums] = await db.query<Record<string, bigint>>(
          `SELECT (SELECT count(*) FROM request_log) AS logged,
                (SELECT sum(request_count)::bigint FROM usage_rollups) AS rolled,
                (SELECT sum(request_count)::bigint FROM users) AS counted,
                (SELECT sum(cost_micro_cents)::bigint FROM usage_rollups) AS rolled_cost,
                (SELECT sum(used_micro_cents)::bigint FROM users) AS used,
                (SELECT count(*) FROM request_log_default) AS unplaced,
                (SELECT count(*) FROM request_log WHERE created_at > now() + interval '1 second') AS future,
                (SELECT count(DISTINCT created_at::date) FROM request_log) AS days`,
        );
        expect(Number(sums?.logged)).toBeGreaterThan(5000);
        expect(Number(sums?.logged)).toBeLessThan(8000);
        expect(sums?.rolled).toBe(sums?.logged);
        expect(sums?.counted).toBe(sums?.logged);
        expect(sums?.used).toBe(sums?.rolled_cost);
        expect(sums?.unplaced).toBe(0n);
        expect(sums?.future).toBe(0n);
        expect(Number(sums?.days)).toBeGreaterThanOrEqual(30);
        const keys = await db.orm.select().from(apiKeys);
        expect(keys.some((key) => key.status === "disabled")).toBe(true);
        expect(keys.some((key) => key.expiresAt !== null && key.expiresAt < now)).toBe(true);
        expect(keys.some((key) => key.usedMicroCents > 0n && key.usedMicroCents >= key.quotaMicroCents)).toBe(
          true,
        );
        const audited = await db.orm.select().from(auditLog);
        expect(audited.length).toBeGreaterThanOrEqual(5);
        expect(audited.every((line) => line.createdAt < now && line.actorName === "admin")).toBe(true);
        const overdrawn = await db.orm.select().from(users).where(sql`used_micro_cents > quota_micro_cents`);
        expect(overdrawn).toEqual([]);
      },
      WITHIN_MS,
    );

    test(
      "is made once, and never beside other accounts",
      async () => {
        const db = await open();
        const adminId = await prepared(db);
        expect(await seedDemo(db, adminId, now)).not.toBeNull();
        expect(await seedDemo(db, adminId, now)).toBeNull();
        const other = await open();
        const otherAdmin = await prepared(other);
        await createUser(other, { username: "somebody", password: "secret-1" }, { quotaCents: 0 });
        await expect(seedDemo(other, otherAdmin, now)).rejects.toThrow("empty database only");
      },
      WITHIN_MS,
    );
  });
});
