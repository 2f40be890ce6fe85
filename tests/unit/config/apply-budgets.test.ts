import { asc } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applyConfig, type Declared } from "@/lib/config/apply";
import { parseSettings } from "@/lib/config/env";
import { parseConfig } from "@/lib/config/file";
import { loadSecrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import { budgets } from "@/lib/db/schema/budgets";
import { forEachDatabaseInAll } from "@/tests/support/database";

const KEYS = {
  AUTH_SECRET: "Kk3v0nQ9sW1xYzA7bC5dE2fG8hJ4mN6pR0tU",
  ENCRYPTION_KEY: Buffer.from("0f1e2d3c4b5a69788796a5b4c3d2e1f0").toString("base64"),
};

const PLANS = "plans: [{ id: 1, name: Small, qps: 1, rpm: null, tpm: 10 }]";
const FREE = "{ name: Free, scope: plan, planId: 1, each: account, unit: requests, period: day, limit: 200 }";

function file(...entries: string[]): Declared {
  const text = `${PLANS}\nbudgets: [${entries.join(", ")}]\n`;
  return {
    file: parseConfig("tollgate.yaml", text, {}),
    environment: { nodes: [], models: [] },
    demo: null,
    timeZone: "Asia/Shanghai",
  };
}

/** Source: docs/budgets.md#file. */
await forEachDatabaseInAll((_, open) => {
  describe("budgets of the configuration file", () => {
    const fresh = async () => {
      const settings = parseSettings(KEYS, { cwd: "/", exists: () => false });
      return [await open(), await loadSecrets(settings)] as const;
    };
    const stored = (db: Database) =>
      db.orm.select().from(budgets).orderBy(asc(budgets.name), asc(budgets.createdAt));

    test("are made once, in the zone of the installation, and follow a changed limit", async () => {
      const [db, secrets] = await fresh();
      const all =
        "{ name: All, scope: platform, unit: money, period: month, timeZone: UTC, limit: 500, mode: hard }";
      expect(await applyConfig(db, file(FREE, all), secrets)).toBe(true);
      expect(await applyConfig(db, file(FREE, all), secrets)).toBe(false);
      expect(await stored(db)).toMatchObject([
        {
          name: "All",
          scope: "platform",
          planId: null,
          timeZone: "UTC",
          limitAmount: 500_000_000n,
          mode: "hard",
        },
        {
          name: "Free",
          planId: 1,
          each: "account",
          timeZone: "Asia/Shanghai",
          limitAmount: 200n,
          managedByFile: true,
        },
      ]);
      expect(await applyConfig(db, file(FREE.replace("200", "300"), all), secrets)).toBe(true);
      expect(await stored(db)).toMatchObject([{ name: "All" }, { limitAmount: 300n, endedAt: null }]);
    });

    test("end and begin anew when what is fixed changes, and are the admins' when the file has them no longer", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, file(FREE), secrets);
      await applyConfig(db, file(FREE.replace("day", "week")), secrets);
      await applyConfig(db, file(FREE.replace("day, limit", "week, mode: hard, limit")), secrets);
      expect((await stored(db)).map(({ period, mode, endedAt }) => [period, mode, endedAt !== null])).toEqual(
        [
          ["day", "stop", true],
          ["week", "stop", true],
          ["week", "hard", false],
        ],
      );
      const released: string[] = [];
      const onBudgetReleased = (name: string) => released.push(name);
      for (let time = 0; time < 2; time += 1) await applyConfig(db, file(), secrets, { onBudgetReleased });
      expect(released).toEqual(["Free"]);
      expect((await stored(db)).at(-1)).toMatchObject({ managedByFile: false, endedAt: null });
    });

    test.each([
      [FREE.replace("planId: 1", "planId: 9"), /budgets\.0\.planId of "Free": there is no plan 9/],
      [
        FREE.replace("limit", "models: [nothing], limit"),
        /budgets\.0\.models of "Free" has names of no model: nothing/,
      ],
    ])("that name what is not there are refused: %s", async (entry, message) => {
      const [db, secrets] = await fresh();
      await expect(applyConfig(db, file(entry), secrets)).rejects.toThrow(message);
    });
  });
});

test.each([
  [FREE.replace("each: account, ", ""), "2:11 budgets.0.each: must be account or key for the scope plan"],
  [FREE.replace("planId: 1, ", ""), "budgets.0.planId: is required for the scope plan"],
  [FREE.replace("limit: 200", "limit: -1"), "budgets.0.limit: must be a whole number from 0 to"],
  [FREE.replace("unit", "timeZone: Mars, unit"), "budgets.0.timeZone: must be the name of a time zone"],
  [`${FREE}, ${FREE}`, '"Free" is declared twice'],
])("a budget that cannot be is refused with its place: %s", (entry, message) => {
  expect(() => file(entry)).toThrow(message);
});
