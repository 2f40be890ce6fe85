import { beforeEach, expect, test } from "vitest";
import { register, updateSettings } from "@/lib/admin/settings";
import { parseSettings } from "@/lib/config/env";
import type { Database } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import type { CatalogSnapshot } from "@/lib/router/catalog";
import { loadCatalog } from "@/lib/router/load-catalog";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const settings = parseSettings({});
let serial = 0;

await forEachDatabaseInAll((kind, open) => {
  let db: Database;
  let actor: { id: string; username: string; ip: string };
  let inviteCode: string;
  let catalog: CatalogSnapshot;
  beforeEach(async () => {
    db ??= await open();
    catalog = await loadCatalog(db);
    const { userId } = await makeAccount(db, { account: 0n, keys: [] });
    actor = { id: userId, username: "boss", ip: "127.0.0.1" };
    const [inviter] = await db.query<{ code: string }>(
      "SELECT invite_code AS code FROM users WHERE id = $1",
      [userId],
    );
    inviteCode = inviter?.code ?? "";
  });
  const join = (fields: { inviteCode?: string } = {}) =>
    register(
      db,
      settings,
      catalog,
      { username: `joiner${serial++}`, password: "secret-1", ...fields },
      "127.0.0.1",
    );
  const counted = () => db.orm.$count(users);

  test(`${kind}: nobody gets an account while the settings cannot be read`, async () => {
    const before = await counted();
    await db.query("ALTER TABLE settings RENAME TO settings_away");
    try {
      await expect(join()).rejects.toThrow(/settings/);
    } finally {
      await db.query("ALTER TABLE settings_away RENAME TO settings");
    }
    expect(await counted()).toBe(before);
    expect((await join()).status).toBe("active");
  });

  test(`${kind}: a crowd with one valid code is let in, one with an unknown code leaves nothing behind`, async () => {
    await updateSettings(db, actor, { registration: "invited", inviteRewardCents: 5 });
    const before = await counted();
    const tried = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        join({ inviteCode: index % 2 === 0 ? inviteCode : "unknown" }),
      ),
    );
    expect(tried.map(({ status }) => status)).toEqual(
      tried.map((_, index) => (index % 2 === 0 ? "fulfilled" : "rejected")),
    );
    expect(await counted()).toBe(before + 5);
    const [inviter] = await db.query<{ quota: bigint }>(
      "SELECT quota_micro_cents AS quota FROM users WHERE id = $1",
      [actor.id],
    );
    expect(inviter?.quota).toBe(25_000_000n);
  });

  test(`${kind}: who asks after a change is judged by it, also in a crowd`, async () => {
    await updateSettings(db, actor, { registration: "open", newAccountQuotaCents: 40 });
    expect((await join()).quotaMicroCents).toBe(40_000_000n);
    await updateSettings(db, actor, { registration: "closed" });
    const before = await counted();
    const tried = await Promise.allSettled(Array.from({ length: 6 }, () => join({ inviteCode })));
    expect(tried.map((one) => (one.status === "rejected" ? one.reason.details.reason : one.status))).toEqual(
      tried.map(() => "registration_closed"),
    );
    expect(await counted()).toBe(before);
    await updateSettings(db, actor, { registration: "open" });
    expect((await join()).status).toBe("active");
  });
});
