import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { type AuditFilter, listAudit, walkAudit } from "@/lib/admin/audit-list";
import { findAccount } from "@/lib/admin/user-records";
import type { Database } from "@/lib/db/database";
import { apiKeys, auditLog } from "@/lib/db/schema/accounts";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

await forEachDatabaseInAll((kind, open) => {
  let db: Database;
  const ids: string[] = [];
  const actor = { id: "", username: "boss", ip: "127.0.0.1" };

  beforeAll(async () => {
    db = await open();
    for (let made = 0; made < 3; made += 1)
      ids.push((await makeAccount(db, { account: 1n, keys: [1n] })).userId);
    actor.id = ids[0] ?? "";
  });

  describe("the audit", () => {
    test("of an account is what it did, what was done to it, and the same for its keys", async () => {
      const [, person = "", stranger = ""] = ids;
      const [key] = await db.orm.select().from(apiKeys).where(eq(apiKeys.userId, person)).limit(1);
      const entry = (fields: Partial<typeof auditLog.$inferInsert>) =>
        db.orm.insert(auditLog).values({
          actorId: actor.id,
          actorName: "boss",
          action: "user.update",
          targetType: "user",
          targetId: stranger,
          after: { invitedBy: person },
          ...fields,
        });
      await entry({ targetId: person, action: "user.password" });
      await entry({ actorId: person, actorName: "x", action: "user.login" });
      await entry({ targetType: "key", targetId: key?.id ?? "", action: "key.update" });
      await entry({ targetId: stranger });
      const { data, total } = await listAudit(db, { accountId: person }, { page: 1, pageSize: 20 });
      expect(data.map(({ action }) => action).sort()).toEqual(["key.update", "user.login", "user.password"]);
      expect(total).toBe(3);
      expect((await listAudit(db, { accountId: "nobody" }, { page: 1, pageSize: 20 })).total).toBe(0);
      const username = (await findAccount(db, person)).username;
      const mentioned = (await listAudit(db, { targetId: stranger }, { page: 1, pageSize: 1 })).data[0];
      expect(mentioned?.names[person]).toBe(username);
      expect(mentioned?.names[actor.id]).toBe((await findAccount(db, actor.id)).username);
    });

    test("finds who was suspended and who was reactivated", async () => {
      const [, person = ""] = ids;
      const statuses = { active: { status: "active" }, suspended: { status: "suspended" } };
      const update = (before: object, after: object) =>
        db.orm.insert(auditLog).values({
          actorId: actor.id,
          action: "user.update",
          targetType: "user",
          targetId: person,
          before,
          after,
        });
      await update(statuses.active, statuses.suspended);
      await update({ ...statuses.suspended, name: "a" }, { ...statuses.suspended, name: "b" });
      await update(statuses.suspended, statuses.active);
      for (const newStatus of ["suspended", "active"] as const) {
        const { data } = await listAudit(db, { targetId: person, newStatus }, { page: 1, pageSize: 20 });
        expect(data.map(({ after }) => after)).toEqual([statuses[newStatus]]);
      }
    });

    test("shows the changes of one batch as one entry, of which it tells how many match", async () => {
      const [, person = "", stranger = ""] = ids;
      const [first, second] = [randomUUID(), randomUUID()];
      const entry = (batchId: string | null, targetId: string, minute: number) =>
        db.orm.insert(auditLog).values({
          actorId: actor.id,
          actorName: "boss",
          action: "plan.update",
          targetType: "user",
          batchId,
          targetId,
          createdAt: new Date(Date.UTC(2026, 9, 1, 0, minute)),
        });
      await entry(first, person, 1);
      await entry(first, stranger, 2);
      await entry(null, person, 3);
      await entry(second, person, 4);
      await entry(second, stranger, 5);
      await entry(second, actor.id, 6);
      const list = async (filter: AuditFilter, grouped = true) => {
        const action = "plan.update";
        const found = await listAudit(db, { action, ...filter }, { page: 1, pageSize: 20, grouped });
        expect(found.total).toBe(found.data.length);
        return found.data.map(({ batchId, targetId, batchCount }) => [batchId, targetId, batchCount]);
      };
      expect(await list({})).toEqual([
        [second, actor.id, 3],
        [null, person, 1],
        [first, stranger, 2],
      ]);
      expect(await list({ targetId: person })).toEqual([
        [second, person, 1],
        [null, person, 1],
        [first, person, 1],
      ]);
      expect(await list({ batchId: first }, false)).toEqual([
        [first, stranger, 1],
        [first, person, 1],
      ]);
      expect(await list({ batchId: "nonsense" }, false)).toEqual([]);
    });

    test("is searched for names, ids and values of records, but not for the names of fields", async () => {
      const [, person = "", stranger = ""] = ids;
      const { username } = await findAccount(db, stranger);
      const action = "node.delete";
      const entry = (fields: Partial<typeof auditLog.$inferInsert>) =>
        db.orm.insert(auditLog).values({ action, targetType: "node", targetId: "n", ...fields });
      await entry({ targetId: stranger });
      await entry({ targetId: person, after: { reason: "Unpaid %_\\ bill", amount: 4711 } });
      await entry({ before: { list: [{ name: "深圳" }] }, actorName: "carol" });
      const found = async (search: string) =>
        (await listAudit(db, { action, search }, { page: 1, pageSize: 20 })).data.length;
      expect(await found(username.toUpperCase())).toBe(1);
      expect(await found(person.slice(0, 13))).toBe(1);
      for (const text of ["unpaid", "%_\\", "4711", "深圳", "CAROL"]) expect(await found(text), text).toBe(1);
      for (const text of ["reason", "amount", "%x", "nowhere"]) expect(await found(text), text).toBe(0);
      expect(await found("")).toBe(3);
    });

    test("is the same as its export, in which entries of one moment are each once", async () => {
      await db.query(
        `INSERT INTO audit_log (created_at, actor_name, action, target_type, target_id)
         SELECT '2026-11-01T00:00:00.000001Z'::timestamptz + (n / 4) * interval '1 microsecond', 'bulk', 'node.reset', 'node', n::text
         FROM generate_series(1, 40) n`,
      );
      const filter = { action: "node.reset" };
      const exported: string[] = [];
      for await (const batch of walkAudit(db, filter, 1_000, 7)) exported.push(...batch.map(({ id }) => id));
      const { data } = await listAudit(db, filter, { page: 1, pageSize: 100 });
      expect(exported).toEqual(data.map(({ id }) => id));
      expect(new Set(exported).size).toBe(40);
    });

    test.runIf(kind === "postgres")("of an account is found by indexes", async () => {
      await db.query(
        `INSERT INTO audit_log (actor_name, action, target_type, target_id)
         SELECT 'many', 'user.login', 'user', gen_random_uuid()::text FROM generate_series(1, 20000)`,
      );
      await db.query("ANALYZE audit_log");
      const plan = await db.query<{ "QUERY PLAN": string }>(
        `EXPLAIN SELECT id FROM audit_log WHERE actor_id = $1::uuid OR target_id = $1::text
           OR target_id = ANY(ARRAY(SELECT id::text FROM api_keys WHERE user_id = $1::uuid))
         ORDER BY created_at DESC, id DESC LIMIT 50`,
        [ids[1] ?? ""],
      );
      const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
      expect(text).toContain("audit_log_by_target");
      expect(text).not.toContain("Seq Scan on audit_log");
    });
  });
});
