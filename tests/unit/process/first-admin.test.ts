import { describe, expect, test } from "vitest";
import { createUser } from "@/lib/accounts/users";
import { parseSettings } from "@/lib/config/env";
import { plans, users } from "@/lib/db/schema/accounts";
import { ensureFirstAdmin } from "@/lib/process/first-admin";
import { forEachDatabaseInAll } from "@/tests/support/database";

const settings = parseSettings({}, { cwd: "/", exists: () => false });

/** Source: docs/contract.md#first-admin. */
await forEachDatabaseInAll((_kind, open) => {
  async function opened() {
    const db = await open();
    await db.orm.insert(plans).values({ id: 1, name: "Free", keyQuotaMicroCents: 0n, selfService: true });
    return { db, accounts: () => db.orm.select({ role: users.role, name: users.username }).from(users) };
  }

  describe("the first admin", () => {
    test("does not exist when its password could not be shown, and the next start shows another", async () => {
      const { db, accounts } = await opened();
      const tell = () => {
        throw new Error("nobody reads this");
      };
      await expect(ensureFirstAdmin(db, settings, tell)).rejects.toThrow("nobody reads this");
      expect(await accounts()).toEqual([]);
      const told: string[] = [];
      expect(await ensureFirstAdmin(db, settings, (text) => told.push(text))).toMatchObject({
        username: "admin",
      });
      expect(told.join()).toMatch(/password {3}\S{20}/);
      expect(await ensureFirstAdmin(db, settings, (text) => told.push(text))).toBeNull();
      expect(told).toHaveLength(1);
    });

    test("is created once by starts at the same time", async () => {
      const { db, accounts } = await opened();
      const told: string[] = [];
      const starts = [1, 2, 3].map(() => ensureFirstAdmin(db, settings, (text) => told.push(text)));
      expect((await Promise.all(starts)).filter((admin) => admin !== null)).toHaveLength(1);
      expect([told.length, await accounts()]).toEqual([1, [{ role: "admin", name: "admin" }]]);
    });

    test("needs another name where an ordinary account has it", async () => {
      const { db } = await opened();
      await createUser(db, { username: "Admin", password: "secret-password" }, { quotaCents: 0 });
      await expect(ensureFirstAdmin(db, settings, () => {})).rejects.toThrow(
        "INIT_ADMIN_USERNAME=admin is the name of an ordinary account; set another name",
      );
    });
  });
});
