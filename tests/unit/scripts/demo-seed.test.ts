import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createUser } from "@/lib/accounts/users";
import { isCurrent, isListed, listAnnouncements } from "@/lib/admin/announcements";
import { readSettings } from "@/lib/admin/settings";
import { reconcile } from "@/lib/billing/reconcile";
import { applyConfig } from "@/lib/config/apply";
import { demoCatalog } from "@/lib/config/builtin";
import { parseSettings } from "@/lib/config/env";
import { loadSecrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import { apiKeys, auditLog, users } from "@/lib/db/schema/accounts";
import { readUptime, TroubledHours, uptimeRecord } from "@/lib/reports/uptime";
import { loadCatalog } from "@/lib/router/load-catalog";
import { seedDemo } from "@/scripts/demo/seed";
import { forEachDatabaseInAll } from "@/tests/support/database";
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

await forEachDatabaseInAll((_, open) => {
  describe("the seeded demo", () => {
    test(
      "has thirty days of usage in which every sum agrees, and keys in every state",
      async () => {
        const db = await open();
        const adminId = await prepared(db);
        const accounts = await seedDemo(db, adminId, now);
        expect(accounts?.map((account) => account.username)).toEqual([
          "platform",
          "support",
          "research",
          "lin",
          "maria",
        ]);
        expect(await reconcile(db)).toMatchObject({ ok: true, mismatches: [] });
        const projects = await db.query<Record<string, unknown>>(
          `SELECT p.name, (SELECT count(*) FROM project_members m WHERE m.project_id = p.id)::int AS members,
             (SELECT count(*) FROM api_keys k WHERE k.project_id = p.id AND k.user_id = p.user_id
               AND k.used_micro_cents > 0)::int AS used_keys
           FROM projects p ORDER BY p.name`,
        );
        expect(projects).toEqual([
          { name: "Customer search", members: 2, used_keys: 1 },
          { name: "Product", members: 3, used_keys: 2 },
        ]);
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
        const [margin] = await db.query<Record<string, bigint>>(
          `SELECT sum(node_cost_micro_cents)::bigint AS cost, sum(costed_revenue_micro_cents)::bigint AS covered
           FROM node_rollups`,
        );
        const share = Number(margin?.cost) / Number(margin?.covered);
        expect(share).toBeGreaterThan(0.5);
        expect(share).toBeLessThan(0.95);
        const keys = await db.orm.select().from(apiKeys);
        expect(keys.some((key) => key.status === "disabled")).toBe(true);
        expect(keys.some((key) => key.expiresAt !== null && key.expiresAt < now)).toBe(true);
        expect(keys.some((key) => key.usedMicroCents > 0n && key.usedMicroCents >= key.quotaMicroCents)).toBe(
          true,
        );
        const audited = await db.orm.select().from(auditLog);
        expect(audited.length).toBeGreaterThanOrEqual(5);
        expect(audited.find(({ action }) => action === "price.create")).toMatchObject({
          before: { version: 1, input: 1200, output: 9600, cacheRead: 120, cacheWrite: 1200 },
          after: { model: "sim-large", version: 2, input: 900, output: 7200, cacheRead: 90 },
        });
        expect(audited.every((line) => line.createdAt < now && line.actorName === "admin")).toBe(true);
        expect((await readSettings(db)).statusPage).toBe(true);
        const notices = await listAnnouncements(db);
        expect(notices.map((notice) => [isListed(notice, now), isCurrent(notice, now)])).toEqual([
          [true, false],
          [true, false],
        ]);
        expect(new Set(keys.map((key) => key.planId))).toEqual(new Set([1, 2, 3, 4]));
        const overdrawn = await db.orm.select().from(users).where(sql`used_micro_cents > quota_micro_cents`);
        expect(overdrawn).toEqual([]);
      },
      WITHIN_MS,
    );

    test(
      "has a price change whose costs are exact on both sides, an hour of refusals and an outage",
      async () => {
        const db = await open();
        await seedDemo(db, await prepared(db), now);
        const [figures] = await db.query<Record<string, bigint>>(
          `SELECT count(DISTINCT l.price_version) AS versions,
                count(*) FILTER (WHERE p.version IS NULL OR l.created_at < p.valid_from) AS outside,
                count(*) FILTER (WHERE coalesce(l.would_have_cost_micro_cents, l.cost_micro_cents) <> ceil((
                  (l.prompt_tokens - l.cache_read_tokens)::numeric * p.input_nano_cents
                  + l.cache_read_tokens::numeric * p.cache_read_nano_cents
                  + l.completion_tokens::numeric * p.output_nano_cents) / 1000)) AS inexact
           FROM request_log l JOIN models m ON m.alias = l.model
           LEFT JOIN model_prices p ON p.model_id = m.id AND p.version = l.price_version
           WHERE l.model = 'sim-large'`,
        );
        expect(figures).toEqual({ versions: 2n, outside: 0n, inexact: 0n });
        const [busiest] = await db.query<Record<string, bigint>>(
          `SELECT count(*) AS asked, count(*) FILTER (WHERE http_status = 429) AS limited
           FROM request_log GROUP BY date_bin('1 hour', created_at, $1::timestamptz)
           ORDER BY count(*) DESC LIMIT 1`,
          [now], // its hours are counted back from now
        );
        expect(Number(busiest?.asked)).toBeGreaterThan(40);
        expect(Number(busiest?.limited)).toBeGreaterThan(8);
        const uptime = await readUptime(db, new TroubledHours(db), "UTC", now);
        const aliases = [...(await loadCatalog(db)).models.values()].map(({ alias }) => alias);
        const { incidents } = uptimeRecord(uptime, aliases, "30d");
        const told = incidents.flatMap((one) => [one, ...one.models.flatMap(({ times }) => times)]);
        expect(told.some(({ over }) => over === "hours")).toBe(true);
        expect(incidents.length).toBeLessThan(8);
      },
      WITHIN_MS,
    );

    test(
      "is the same in every new installation",
      async () => {
        const made = async () => {
          const db = await open();
          await seedDemo(db, await prepared(db), now);
          return db.query(
            `SELECT model, http_status, count(*), sum(cost_micro_cents)::text AS cost, sum(latency_ms)::text AS latency,
                  min(created_at) AS first
             FROM request_log GROUP BY model, http_status ORDER BY model, http_status`,
          );
        };
        expect(await made()).toEqual(await made());
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
