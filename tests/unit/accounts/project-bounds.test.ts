import { beforeAll, describe, expect, test } from "vitest";
import { archiveProject } from "@/lib/accounts/projects/archive";
import { addMember } from "@/lib/accounts/projects/members";
import { createProject } from "@/lib/accounts/projects/projects";
import type { Database } from "@/lib/db/database";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((_kind, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const account = async () => (await makeAccount(db, { account: 0n, keys: [] })).userId;
  const create = (payer: string, name: string) =>
    db.orm.transaction((tx) => createProject(tx, payer, { name }));
  const nameOf = async (id: string) => {
    const [row] = await db.query<{ username: string }>("SELECT username FROM users WHERE id = $1", [id]);
    return row?.username ?? "";
  };

  /** Source: docs/projects.md#bounds. */
  describe("an account", () => {
    test("pays at most 50 live projects, also when some are made at once", async () => {
      const payer = await account();
      const other = await create(await account(), "of another");
      expect(other.name).toBe("of another");
      const made: Awaited<ReturnType<typeof create>>[] = [];
      for (let index = 0; index < 48; index += 1) made.push(await create(payer, `p${index}`));
      const last = await Promise.allSettled(["a", "b", "c", "d"].map((name) => create(payer, name)));
      expect(last.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
      for (const one of last)
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "CONFLICT" });
      await db.orm.transaction((tx) => archiveProject(tx, payer, made[0]?.id ?? "", new Date()));
      await create(payer, "p0");
      await expect(create(payer, "one more")).rejects.toMatchObject({ code: "CONFLICT" });
    });
  });

  /** Source: docs/projects.md#bounds. */
  test("a project has at most 200 members, also when some are added at once", async () => {
    const payer = await account();
    const { id } = await create(payer, "large");
    const add = async (username: string) =>
      db.orm.transaction((tx) => addMember(tx, payer, id, { username, role: "member", addedBy: payer }));
    const names: string[] = [];
    while (names.length < 201) names.push(await nameOf(await account()));
    for (const name of names.slice(0, 197)) await add(name);
    const last = await Promise.allSettled(names.slice(197).map(add));
    expect(last.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const one of last)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "CONFLICT" });
  });
});
