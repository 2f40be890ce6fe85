import { beforeAll, describe, expect, test } from "vitest";
import { budgetStatesOf } from "@/lib/accounts/budget-states";
import { findKeysByHash } from "@/lib/accounts/gateway-key";
import { findKeyBudgets } from "@/lib/accounts/key-budgets";
import type { Database, Session } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { makeAccount, type TestAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

interface Rule {
  scope: "platform" | "plan" | "account" | "project" | "key";
  each?: "none" | "account" | "key" | "member";
  of?: string | number;
  period?: string;
  timeZone?: string;
}

const columnOf = {
  platform: null,
  plan: "plan_id",
  account: "user_id",
  project: "project_id",
  key: "key_id",
};

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let [account, other]: TestAccount[] = [];
  let [key, ofProject, ofOther] = ["", "", ""];
  let project = "";
  const creator = "11111111-1111-4111-8111-111111111111";
  beforeAll(async () => {
    db = await open();
    [account, other] = [
      await makeAccount(db, { account: 1n, keys: [1n, 1n] }),
      await makeAccount(db, { account: 1n, keys: [1n] }),
    ];
    [key, ofProject, ofOther] = [account.keyIds[0] ?? "", account.keyIds[1] ?? "", other.keyIds[0] ?? ""];
    await db.query(
      "INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (2, 'Pro', 0), (3, 'Team', 0)",
    );
    await db.query("UPDATE users SET plan_id = 2 WHERE id = $1", [account.userId]);
    await db.query("UPDATE api_keys SET plan_id = 3 WHERE user_id = $1", [account.userId]);
    const [made] = await db.query<{ id: string }>(
      "INSERT INTO projects (user_id, name) VALUES ($1, 'Team A') RETURNING id",
      [account.userId],
    );
    project = made?.id ?? "";
    await db.query("UPDATE api_keys SET project_id = $1, created_by = $2 WHERE id = $3", [
      project,
      creator,
      ofProject,
    ]);
  });

  async function makeRule({
    scope,
    each = "none",
    of,
    period = "month",
    timeZone = "UTC",
  }: Rule): Promise<string> {
    const column = columnOf[scope];
    const [row] = await db.query<{ id: string }>(
      `INSERT INTO budgets (name, scope, each, unit, period, time_zone, limit_amount${column === null ? "" : `, ${column}`})
       VALUES ('r', $1, $2, 'money', $3, $4, 100${column === null ? "" : ", $5"}) RETURNING id`,
      [scope, each, period, timeZone, ...(of === undefined ? [] : [of])],
    );
    return row?.id ?? "";
  }

  const end = (id: string) => db.query("UPDATE budgets SET ended_at = now() WHERE id = $1", [id]);

  /** The member of the rule by key; a key that does not meet it is absent. */
  async function membersOf(id: string): Promise<Record<string, string>> {
    const members: Record<string, string> = {};
    for (const keyId of [key, ofProject, ofOther]) {
      const met = (await findKeyBudgets(db, keyId)).find((rule) => rule.id === id);
      if (met !== undefined) members[keyId] = met.member;
    }
    return members;
  }

  /** Source: docs/budgets.md#scopes. */
  describe("a rule is met, and counts for whom it says,", () => {
    test.each([
      [
        "platform",
        { scope: "platform" },
        () => ({ [key]: NO_MEMBER, [ofProject]: NO_MEMBER, [ofOther]: NO_MEMBER }),
      ],
      [
        "platform, for each account",
        { scope: "platform", each: "account" },
        () => ({ [key]: account?.userId, [ofProject]: account?.userId, [ofOther]: other?.userId }),
      ],
      [
        "platform, for each key",
        { scope: "platform", each: "key" },
        () => ({ [key]: key, [ofProject]: ofProject, [ofOther]: ofOther }),
      ],
      [
        "the account's plan, for each account",
        { scope: "plan", each: "account", of: 2 },
        () => ({ [key]: account?.userId, [ofProject]: account?.userId }),
      ],
      ["the account's plan, for each key", { scope: "plan", each: "key", of: 2 }, () => ({})],
      [
        "the key's plan, for each key",
        { scope: "plan", each: "key", of: 3 },
        () => ({ [key]: key, [ofProject]: ofProject }),
      ],
      ["the key's plan, for each account", { scope: "plan", each: "account", of: 3 }, () => ({})],
    ] as [string, Rule, () => Record<string, string>][])("%s", async (_name, rule, expected) => {
      const id = await makeRule(rule);
      expect(await membersOf(id)).toEqual(expected());
      await end(id);
      expect(await membersOf(id)).toEqual({});
    });

    test("account, together and for each key", async () => {
      const [together, each] = [
        await makeRule({ scope: "account", of: account?.userId }),
        await makeRule({ scope: "account", each: "key", of: account?.userId }),
      ];
      expect(await membersOf(together)).toEqual({ [key]: NO_MEMBER, [ofProject]: NO_MEMBER });
      expect(await membersOf(each)).toEqual({ [key]: key, [ofProject]: ofProject });
    });

    test("project, together, for each key and for each creator", async () => {
      const [together, key_, member] = [
        await makeRule({ scope: "project", of: project }),
        await makeRule({ scope: "project", each: "key", of: project }),
        await makeRule({ scope: "project", each: "member", of: project }),
      ];
      expect(await membersOf(together)).toEqual({ [ofProject]: NO_MEMBER });
      expect(await membersOf(key_)).toEqual({ [ofProject]: ofProject });
      expect(await membersOf(member)).toEqual({ [ofProject]: creator });
      await db.query("UPDATE api_keys SET created_by = NULL WHERE id = $1", [ofProject]);
      expect(await membersOf(member)).toEqual({ [ofProject]: account?.userId });
    });

    test("key", async () => {
      const id = await makeRule({ scope: "key", of: ofOther });
      expect(await membersOf(id)).toEqual({ [ofOther]: NO_MEMBER });
    });
  });

  test("a key's record has the rules that the key meets, and another key's has its own", async () => {
    const hashes = await db.query<{ id: string; hash: string }>(
      "SELECT id, encode(key_hash, 'hex') AS hash FROM api_keys",
    );
    const found = await findKeysByHash(
      db,
      hashes.map(({ hash }) => hash),
    );
    for (const { id, hash } of hashes) {
      expect(found.get(hash)?.budgets).toEqual(await findKeyBudgets(db, id));
    }
  });

  /** Source: docs/budgets.md#windows. */
  describe("the state of a rule", () => {
    const day = 86_400_000;
    const stateOf = async (id: string, member = NO_MEMBER) => (await budgetStatesOf(db, [{ id, member }]))[0];

    test("without a request yet is 0 with the boundaries of the period", async () => {
      const id = await makeRule({ scope: "key", of: key, period: "day", timeZone: "Asia/Shanghai" });
      const state = await stateOf(id);
      expect(state).toMatchObject({ limit: 100n, used: 0n, held: 0n });
      const [starts, ends] = [state?.startsAtMs ?? 0, state?.endsAtMs ?? 0];
      expect(ends - starts).toBe(day);
      expect(new Date(ends).toISOString()).toMatch(/T16:00:00\.000Z$/);
    });

    test("for ever has neither start nor end", async () => {
      const id = await makeRule({ scope: "key", of: key, period: "total" });
      expect(await stateOf(id)).toEqual({
        limit: 100n,
        used: 0n,
        held: 0n,
        startsAtMs: null,
        endsAtMs: null,
      });
    });

    test("is that of the open window, with the member's exception and what the window has beside the limit", async () => {
      const id = await makeRule({ scope: "account", each: "key", of: account?.userId });
      await db.query("INSERT INTO budget_exceptions VALUES ($1, $2, 500), ($1, $3, NULL)", [
        id,
        key,
        ofProject,
      ]);
      await db.query(
        `INSERT INTO budget_windows (budget_id, member, starts_at, ends_at, used, held, extra)
         SELECT $1::uuid, $2::uuid, p.starts, p.ends, 7, 3, 20 FROM budget_period('month', 'UTC', now()) AS p
         UNION ALL SELECT $1, $2, p.starts - interval '1 day', p.starts, 99, 0, 0
         FROM budget_period('month', 'UTC', now()) AS p`,
        [id, key],
      );
      expect(await stateOf(id, key)).toMatchObject({ limit: 520n, used: 7n, held: 3n });
      expect(await stateOf(id, ofProject)).toMatchObject({ limit: null, used: 0n });
    });

    test("keeps the order of the rules that it is asked for, and tells of none that there is not", async () => {
      const [a, b] = [
        await makeRule({ scope: "key", of: key }),
        await makeRule({ scope: "key", of: key, period: "total" }),
      ];
      const asked = [b, NO_MEMBER, a].map((id) => ({ id, member: NO_MEMBER }));
      const states = await budgetStatesOf(db, asked);
      expect(states.map((state) => state && state.endsAtMs === null)).toEqual([true, null, false]);
    });
  });

  /** Source: docs/budgets.md#batch. */
  test("of 5,000 rules a look-up reads those of the key's subjects only", async () => {
    await db.query(
      `INSERT INTO users (username, username_key, password_hash, plan_id, quota_micro_cents, invite_code)
       SELECT 'many-' || n, 'many-' || n, '', 1, 0, 'many-' || n FROM generate_series(1, 5000) AS n`,
    );
    await db.query(
      `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount)
       SELECT 'r', 'account', id, 'money', 'month', 'UTC', 1 FROM users WHERE username LIKE 'many-%'`,
    );
    await db.query("ANALYZE budgets");
    const plans: string[] = [];
    const explaining: Session = {
      orm: db.orm,
      query: async (sql, parameters) => {
        const rows = await db.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`, parameters);
        plans.push(...rows.map((row) => row["QUERY PLAN"]));
        return [];
      },
    };
    await findKeyBudgets(explaining, key);
    expect(plans.join("\n")).toContain("budgets_of_account");
    expect(plans.join("\n")).not.toMatch(/Seq Scan on budgets/);
  });
});
