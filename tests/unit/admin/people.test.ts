import { eq, type SQL } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { listAudit } from "@/lib/admin/audit-list";
import { oneByOne } from "@/lib/admin/one-by-one";
import { listPlansWithUse, updatePlan } from "@/lib/admin/plans";
import {
  findAccount,
  type ListedUser,
  listUsers,
  type UserSort,
  type UserView,
  walkUsers,
} from "@/lib/admin/user-records";
import { addGrant, updateUser } from "@/lib/admin/users";
import type { Database } from "@/lib/db/database";
import { apiKeys, users } from "@/lib/db/schema/accounts";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { MAX_CENTS, MICRO_CENTS_PER_CENT } from "@/lib/kernel/money";
import { boundRollups, coveringRollups } from "@/lib/reports/covering-rollups";
import { listLedger } from "@/lib/reports/ledger";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { losing } from "@/tests/support/transactions";

const COUNT = 47;
const start = Date.UTC(2026, 10, 1);
const sorts: UserSort[] = ["createdAt", "username", "used", "billed30d", "remaining", "lastActiveAt"];

/** Few different values, so that many accounts are equal in what they are sorted by. */
const few = (index: number, values: number) => BigInt((index * 7) % values);

await forEachDatabaseInAll((kind, open) => {
  let db: Database;
  let rollups: SQL;
  const ids: string[] = [];
  const actor = { id: "", username: "boss", ip: "127.0.0.1" };

  beforeAll(async () => {
    db = await open();
    rollups = boundRollups(await coveringRollups(db, [start], start + 30 * DAY_MS));
    await db.query(
      "INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (1, 'Free', 0), (2, 'Pro', 0) ON CONFLICT DO NOTHING",
    );
    for (let index = 0; index < COUNT; index += 1) ids.push(await addPerson(index));
    actor.id = ids[0] ?? "";
    await db.orm.update(users).set({ role: "admin" }).where(eq(users.id, actor.id));
  });

  test(`${kind}: plans that have one name from before are still changed, and can be renamed`, async () => {
    await db.query(
      "INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (71, 'Twin', 0), (72, 'Twin', 0)",
    );
    expect(await updatePlan(db, actor, "72", { name: "Twin", rpm: 5 })).toMatchObject({ rpm: 5 });
    await expect(updatePlan(db, actor, "72", { name: "free" })).rejects.toMatchObject({
      details: { fields: { name: ["is the name of another plan"] } },
    });
    expect(await updatePlan(db, actor, "72", { name: "Second twin" })).toMatchObject({ name: "Second twin" });
  });

  async function addPerson(index: number): Promise<string> {
    const quota = (few(index, 5) + 1n) * 10n * MICRO_CENTS_PER_CENT;
    const { userId, keyIds } = await makeAccount(db, { account: quota, keys: [1n, 1n] });
    const name = `${String.fromCharCode(97 + ((index * 5) % 26))}person${index}`;
    const used = (quota * few(index, 4)) / 3n;
    await db.orm
      .update(users)
      .set({
        username: name,
        usernameKey: name,
        name: index % 2 === 0 ? "100%_Even" : "Odd",
        email: `${name}@example.com`,
        usedMicroCents: used,
        planId: index % 3 === 0 ? 2 : 1,
        status: index === 5 ? "deleted" : "active",
        createdAt: new Date(start + (index % 10) * HOUR_MS),
      })
      .where(eq(users.id, userId));
    const [used1 = "", used2 = ""] = index % 4 === 0 ? [] : keyIds;
    const at = (hours: number) => new Date(start + hours * HOUR_MS);
    if (used1 !== "")
      await db.orm
        .update(apiKeys)
        .set({ lastUsedAt: at(index % 6) })
        .where(eq(apiKeys.id, used1));
    if (index % 3 === 0 && used2 !== "")
      await db.orm
        .update(apiKeys)
        .set({ lastUsedAt: at(9) })
        .where(eq(apiKeys.id, used2));
    return userId;
  }

  const everybody = (filter: Omit<Parameters<typeof listUsers>[1], "rollups">) =>
    listUsers(db, { ...filter, rollups }, { page: 1, pageSize: 100 });
  const newest = { sort: "createdAt", order: "desc" } as const;

  describe("a list of accounts", () => {
    test.each(
      sorts.flatMap((sort) => [
        { sort, order: "asc" as const },
        { sort, order: "desc" as const },
      ]),
    )("by $sort, $order, has each account once over its pages, in order", async (order) => {
      const seen: ListedUser[] = [];
      for (let page = 1; seen.length < COUNT; page += 1) {
        const { data, total } = await listUsers(db, { ...order, rollups }, { page, pageSize: 10 });
        expect(total).toBe(COUNT);
        expect(data.length).toBeGreaterThan(0);
        seen.push(...data);
      }
      expect(new Set(seen.map(({ id }) => id)).size).toBe(COUNT);
      const values = seen.map((user) => sortedBy(user, order.sort));
      const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(values).toEqual(order.order === "asc" ? sorted : sorted.reverse());
    });

    test("tells the last use of any key, and nothing for whoever never called", async () => {
      const { data } = await everybody(newest);
      const of = (index: number) => data.find(({ id }) => id === ids[index])?.lastActiveAt;
      expect(of(0)).toBeNull();
      expect(of(1)).toBe(new Date(start + HOUR_MS).toISOString());
      expect(of(3)).toBe(new Date(start + 9 * HOUR_MS).toISOString());
      expect((await findAccount(db, ids[3] ?? "")).lastActiveAt).toBe(of(3));
    });

    test("is narrowed by what is left, by plan, role, state and text as it is, and all of them together", async () => {
      const all = (await everybody(newest)).data;
      const find = async (filter: object) =>
        (await everybody({ ...newest, ...filter })).data.map(({ id }) => id).sort();
      const expected = (is: (user: UserView) => boolean) =>
        all
          .filter(is)
          .map(({ id }) => id)
          .sort();
      const left = (user: UserView) => Number(user.quota) - Number(user.usedExact);
      const low = (user: UserView) => left(user) <= Number(user.quota) / 10;
      expect(await find({ quota: "low" })).toEqual(expected(low));
      expect(await find({ quota: "empty" })).toEqual(expected((user) => left(user) <= 0));
      expect(await find({ planId: 2 })).toEqual(expected((user) => user.planId === 2));
      expect(await find({ role: "admin" })).toEqual([actor.id]);
      expect(await find({ status: "deleted" })).toEqual([ids[5]]);
      expect(await find({ status: "current" })).toEqual(expected((user) => user.status !== "deleted"));
      expect(await find({ search: "100%_even" })).toEqual(expected((user) => user.name === "100%_Even"));
      expect(await find({ search: "PERSON1", planId: 2, quota: "low" })).toEqual(
        expected((user) => user.username.includes("person1") && user.planId === 2 && low(user)),
      );
    });

    test("counts by plan whom the filter of the plan finds, without the deleted", async () => {
      for (const { id, currentUserCount, userCount } of await listPlansWithUse(db)) {
        const filter = { ...newest, planId: id };
        expect(currentUserCount).toBe((await everybody({ ...filter, status: "current" })).total);
        expect(userCount).toBe((await everybody(filter)).total);
      }
    });

    test("is the same as its export, which is in the same order and in batches", async () => {
      const filter = { status: "current" } as const;
      const exported: (ListedUser & { plan: string })[] = [];
      for await (const batch of walkUsers(
        db,
        { ...filter, sort: "username", order: "asc", rollups },
        1_000,
        7,
      )) {
        expect(batch.length).toBeLessThanOrEqual(7);
        exported.push(...batch);
      }
      const { data } = await everybody({ ...filter, sort: "username", order: "asc" });
      expect(exported.map(({ plan: _, ...view }) => view)).toEqual(data);
      expect(new Set(exported.map(({ planId, plan }) => `${planId} ${plan}`))).toEqual(
        new Set(["1 Free", "2 Pro"]),
      );
    });
  });

  describe("a change of several accounts", () => {
    test("does each once, in order, and leaves a refused one as it was", async () => {
      const [one = "", two = ""] = ids.slice(10);
      const outcomes = await oneByOne([one, "nobody", actor.id, one, two], (id) =>
        updateUser(db, actor, id, { status: "suspended", reason: "unpaid", planId: 2 }),
      );
      expect(outcomes.map(({ id, error }) => [id, error?.code ?? null, error?.details.reason])).toEqual([
        [one, null, undefined],
        ["nobody", "NOT_FOUND", undefined],
        [actor.id, "CONFLICT", "own_account"],
        [two, null, undefined],
      ]);
      expect(await findAccount(db, one)).toMatchObject({
        status: "suspended",
        planId: 2,
        suspension: { since: expect.stringMatching(/Z$/), reason: "unpaid" },
      });
      expect(await findAccount(db, actor.id)).toMatchObject({ status: "active", suspension: null });
      await oneByOne([one, two], (id) => updateUser(db, actor, id, { status: "active" }));
      expect(await findAccount(db, one)).toMatchObject({ status: "active", suspension: null });
      const entries = await listAudit(db, { targetId: one }, { page: 1, pageSize: 10 });
      expect(entries.data.map(({ action, actorName }) => [action, actorName])).toEqual([
        ["user.update", "boss"],
        ["user.update", "boss"],
      ]);
    });

    test("never leaves the gateway without an active admin, whoever asks", async () => {
      const other = { ...actor, id: ids[20] ?? "" };
      const outcomes = await oneByOne([actor.id], (id) => updateUser(db, other, id, { status: "suspended" }));
      expect(outcomes[0]?.error).toMatchObject({ code: "CONFLICT", details: { reason: "last_admin" } });
      expect((await findAccount(db, actor.id)).status).toBe("active");
    });

    test("of quota keeps the exact sums, and one out of bounds gets nothing", async () => {
      const [rich = "", poor = ""] = ids.slice(30);
      await db.orm.update(users).set({ quotaMicroCents: 0n, usedMicroCents: 0n }).where(eq(users.id, poor));
      const before = (await findAccount(db, rich)).quota;
      const outcomes = await oneByOne([rich, poor], (id) =>
        addGrant(db, actor, id, { amount: -5, reason: "mistake" }),
      );
      const reasonOf = ({ error }: (typeof outcomes)[number]) => error?.details.reason;
      expect(outcomes.map(reasonOf)).toEqual([undefined, "quota_too_small"]);
      const most = await oneByOne([rich], (id) =>
        addGrant(db, actor, id, { amount: MAX_CENTS, reason: "mistake" }),
      );
      expect(most.map(reasonOf)).toEqual(["quota_too_large"]);
      expect(Number((await findAccount(db, rich)).quota)).toBe(Number(before) - 5);
      expect((await findAccount(db, poor)).quota).toBe("0");
    });

    test("gives an account its grant once, in whatever letters its id is written", async () => {
      const id = ids[31] ?? "";
      const before = (await findAccount(db, id)).quota;
      const outcomes = await oneByOne([id.toUpperCase(), id], (one) =>
        addGrant(db, actor, one, { amount: 5, reason: "welcome" }),
      );
      expect(outcomes).toEqual([{ id, error: null }]);
      expect(Number((await findAccount(db, id)).quota)).toBe(Number(before) + 5);
    });

    test("of quota whose answer is lost is told as it is: done, not done, or not known", async () => {
      const id = ids[32] ?? "";
      const quota = async () => Number((await findAccount(db, id)).quota);
      const before = await quota();
      const give = async (lossy: Database) => {
        const [outcome] = await oneByOne([id], (one) =>
          addGrant(lossy, actor, one, { amount: 5, reason: "welcome" }),
        );
        return outcome?.error && (outcome.error.details.reason ?? outcome.error.code);
      };
      expect([await give(losing(db, ["after"])), await quota()]).toEqual([null, before + 5]);
      expect([await give(losing(db, ["before"])), await quota()]).toEqual(["INTERNAL_ERROR", before + 5]);
      const unknown = await give(losing(db, ["after", "before"]));
      expect([unknown, await quota()]).toEqual(["outcome_unknown", before + 10]);
      const single = addGrant(losing(db, ["before", "before"]), actor, id, { amount: 5, reason: "x" });
      await expect(single).rejects.toMatchObject({ details: { reason: "outcome_unknown" } });
      const { data } = await listLedger(db, { userId: id }, { page: 1, pageSize: 10 });
      expect(data.filter(({ reason }) => reason === "welcome")).toHaveLength(2);
    });

    test("whose answer is lost is not told as refused", async () => {
      const id = ids[33] ?? "";
      const [outcome] = await oneByOne([id], () =>
        updateUser(losing(db, ["after"]), actor, id, { status: "suspended" }),
      );
      expect(outcome?.error?.details.reason).toBe("outcome_unknown");
      expect((await findAccount(db, id)).status).toBe("suspended");
    });

    test("refuses a reason without a suspension", async () => {
      await expect(updateUser(db, actor, ids[12] ?? "", { reason: "x" })).rejects.toThrow("`reason`");
    });

    test("a new reason of a suspension keeps its time", async () => {
      const id = ids[13] ?? "";
      await updateUser(db, actor, id, { status: "suspended" });
      const { suspension } = await findAccount(db, id);
      await updateUser(db, actor, id, { status: "suspended", reason: "fraud" });
      expect((await findAccount(db, id)).suspension).toEqual({ since: suspension?.since, reason: "fraud" });
    });
  });
});

function sortedBy(user: ListedUser, sort: UserSort): string | number {
  if (sort === "used") return Number(user.usedExact);
  if (sort === "billed30d") return Number(user.billed30d);
  if (sort === "remaining") return Number((Number(user.quota) - Number(user.usedExact)).toFixed(6));
  if (sort === "lastActiveAt") return user.lastActiveAt ?? "";
  return user[sort];
}
