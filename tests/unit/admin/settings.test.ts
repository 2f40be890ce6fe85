import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { readSettings, updateSettings } from "@/lib/admin/settings";
import type { Database } from "@/lib/db/database";
import { auditLog } from "@/lib/db/schema/accounts";
import { settingsTable } from "@/lib/db/schema/catalog";
import { markOf } from "@/lib/kernel/json-mark";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

await forEachDatabaseInAll((kind, open) => {
  let db: Database;
  let actor: { id: string; username: string; ip: string };
  beforeEach(async () => {
    db ??= await open();
    const { userId } = await makeAccount(db, { account: 0n, keys: [] });
    actor = { id: userId, username: "boss", ip: "127.0.0.1" };
    await db.orm.delete(settingsTable);
  });
  /** What the actor of this test has changed. */
  const changes = () =>
    db.orm.select().from(auditLog).where(eq(auditLog.actorId, actor.id)).orderBy(auditLog.createdAt);

  test(`${kind}: what was never set is open, without a quota of its own`, async () => {
    expect(await readSettings(db)).toEqual({
      inviteRewardCents: 0,
      statusPage: false,
      registration: "open",
      newAccountQuotaCents: null,
      newAccountPlanId: null,
      contact: null,
      name: null,
      alertUrl: null,
    });
  });

  test(`${kind}: a quota of nothing is kept, and null takes it back`, async () => {
    await updateSettings(db, actor, { newAccountQuotaCents: 0 });
    expect((await readSettings(db)).newAccountQuotaCents).toBe(0);
    await updateSettings(db, actor, { newAccountQuotaCents: null, registration: "invited" });
    expect(await readSettings(db)).toMatchObject({ newAccountQuotaCents: null, registration: "invited" });
    expect((await changes()).filter(({ targetId }) => targetId === "new_account_quota_cents")).toMatchObject([
      { before: { newAccountQuotaCents: null }, after: { newAccountQuotaCents: 0 } },
      { before: { newAccountQuotaCents: 0 }, after: { newAccountQuotaCents: null } },
    ]);
  });

  test(`${kind}: of the address of alerts the audit has the host only`, async () => {
    const alertUrl = "https://hooks.example:8443/services/T0/secret?sig=secret";
    await updateSettings(db, actor, { alertUrl });
    expect((await readSettings(db)).alertUrl).toBe(alertUrl);
    await updateSettings(db, actor, { alertUrl: null });
    expect((await readSettings(db)).alertUrl).toBe(null);
    expect(await changes()).toMatchObject([
      { before: { alertUrl: null }, after: { alertUrl: "hooks.example:8443" } },
      { before: { alertUrl: "hooks.example:8443" }, after: { alertUrl: null } },
    ]);
  });

  test(`${kind}: a text that this program has not written lets nobody in`, async () => {
    await db.orm.insert(settingsTable).values({ name: "registration", value: "members" });
    expect((await readSettings(db)).registration).toBe("closed");
  });

  test(`${kind}: of changes at once each is told as the replacement of the one before it`, async () => {
    const rewards = Array.from({ length: 8 }, (_, index) => 100 + index);
    await Promise.all(rewards.map((reward) => updateSettings(db, actor, { inviteRewardCents: reward })));
    const made = await changes();
    const values = (side: "before" | "after") => made.map((entry) => JSON.stringify(entry[side]));
    const told = (inviteRewardCents: number) => JSON.stringify({ inviteRewardCents });
    const last = told((await readSettings(db)).inviteRewardCents);
    expect([...values("before"), last].sort()).toEqual([...values("after"), told(0)].sort());
    expect(new Set(values("after")).size).toBe(rewards.length);
  });

  test(`${kind}: of admins who saw the same and save at once one succeeds`, async () => {
    const loaded = new Map([["inviteRewardCents", markOf(0)]]);
    const saved = await Promise.allSettled(
      [1, 2, 3].map((inviteRewardCents) => updateSettings(db, { ...actor, loaded }, { inviteRewardCents })),
    );
    expect(saved.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });
});
