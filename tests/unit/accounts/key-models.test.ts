import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { createKey, updateKey } from "@/lib/accounts/keys";
import type { UserRow } from "@/lib/accounts/session";
import { createUser } from "@/lib/accounts/users";
import { createModel, deleteModel, updateModel } from "@/lib/admin/models";
import { modelEntry } from "@/lib/config/file-schema";
import type { Database } from "@/lib/db/database";
import { apiKeys, logViews, plans } from "@/lib/db/schema/accounts";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { fresh } from "@/tests/support/gateway-fixtures";

const now = new Date("2026-11-21T05:00:00Z");

/** Source: docs/contract.md#key-models. */
await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let user: UserRow;
  beforeAll(async () => {
    db = await open();
    await db.orm.insert(plans).values({ id: 1, name: "Free", keyQuotaMicroCents: 0n, selfService: true });
    user = await createUser(db, { username: "owner", password: "secret" }, { quotaCents: 0, role: "admin" });
  });

  const actor = () => ({ id: user.id, username: user.username, ip: "192.0.2.7" });
  const makeModel = (alias: string, alsoKnownAs: string[] = []) =>
    createModel(db, actor(), modelEntry.parse({ alias, alsoKnownAs }));
  const makeKey = async (models: string[] | null) =>
    (await db.orm.transaction((tx) => createKey(tx, user, { name: "k", models }, now))).apiKey;
  const changeKey = (id: string, models: string[]) =>
    db.orm.transaction((tx) => updateKey(tx, user, id, { models }, now));
  const listOf = async (id: string) =>
    (await db.orm.select({ models: apiKeys.models }).from(apiKeys).where(eq(apiKeys.id, id)))[0]?.models;
  const refusal = (...names: string[]) => ({
    code: "INVALID_REQUEST",
    details: { fields: { models: [`has names of no model: ${names.join(", ")}`] } },
  });

  describe("the list of a key", () => {
    test("takes aliases, further names and what a pattern of a model covers, and names what no model has", async () => {
      const alias = fresh("a");
      await makeModel(alias, [`${alias}-also`, `${alias}-family-*`]);
      const names = [alias, `${alias}-also`, `${alias}-family-4`];
      expect((await makeKey(names)).models).toEqual(names);
      const wrong = ["zz-unknown", `${alias}-family-*`, "*", alias.toUpperCase()];
      await expect(makeKey([alias, ...wrong])).rejects.toMatchObject(refusal(...wrong));
      const many = Array.from({ length: 12 }, (_, index) => `zz-${index}`);
      await expect(makeKey(many)).rejects.toThrow(/zz-9 and 2 more/);
      const { id } = await makeKey(null);
      await expect(changeKey(id, ["zz-unknown"])).rejects.toMatchObject(refusal("zz-unknown"));
      expect(await listOf(id)).toBeNull();
    });

    test("keeps the unknown names that it has, and gets no further one", async () => {
      const alias = fresh("b");
      const model = await makeModel(alias);
      const { id } = await makeKey([alias]);
      await deleteModel(db, actor(), model.id);
      expect(await listOf(id), "the name of a deleted model stays").toEqual([alias]);
      const other = fresh("b");
      await makeModel(other);
      expect((await changeKey(id, [alias, other])).models).toEqual([alias, other]);
      await expect(changeKey(id, [alias, "zz-unknown"])).rejects.toMatchObject(refusal("zz-unknown"));
    });
  });

  describe("a renamed model", () => {
    test("goes along in the lists of keys, in their order and once, and in saved views", async () => {
      const [old, other, renamed] = [fresh("old"), fresh("other"), fresh("new")];
      const model = await makeModel(old, [`${old}-also`, `${old}-kept`]);
      await makeModel(other);
      const lists = [[other, old], [old, `${old}-also`, other], [`${old}-kept`], [other], null];
      const keys = await Promise.all(lists.map(makeKey));
      const view = (name: string, filter: object) => ({ name, list: "own" as const, filters: filter });
      const views = [view("a", { model: old, last: "24h" }), view("b", { model: other }), view("c", {})];
      await db.orm.insert(logViews).values({ userId: user.id, views });
      await updateModel(db, actor(), model.id, { alias: renamed, alsoKnownAs: [`${old}-kept`] });
      const after = await Promise.all(keys.map(({ id }) => listOf(id)));
      expect(after).toEqual([
        [other, renamed],
        [renamed, `${old}-also`, other],
        [`${old}-kept`],
        [other],
        null,
      ]);
      const [stored] = await db.orm.select().from(logViews);
      expect(stored?.views).toEqual([
        view("a", { model: renamed, last: "24h" }),
        view("b", { model: other }),
        view("c", {}),
      ]);
    });

    test("leaves its further names to the model that gets them", async () => {
      const [first, second, stable] = [fresh("first"), fresh("second"), fresh("stable")];
      const one = await makeModel(first, [stable]);
      const other = await makeModel(second);
      const key = await makeKey([stable]);
      await updateModel(db, actor(), one.id, { alsoKnownAs: [] });
      await updateModel(db, actor(), other.id, { alsoKnownAs: [stable] });
      expect(await listOf(key.id)).toEqual([stable]);
    });

    test("is in no list by its former name, also when a key is made in the same moment", async () => {
      for (let round = 0; round < 10; round += 1) {
        const [old, renamed] = [fresh("race"), fresh("raced")];
        const model = await makeModel(old);
        const [made] = await Promise.allSettled([
          makeKey([old]),
          updateModel(db, actor(), model.id, { alias: renamed }),
        ]);
        if (made.status === "fulfilled") expect(await listOf(made.value.id)).toEqual([renamed]);
        else expect(made.reason).toMatchObject(refusal(old));
      }
    });
  });
});
