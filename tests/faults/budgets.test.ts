import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "@/lib/kernel/durations";
import { chatBody, eventually } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import { TestServer, type TestUser } from "@/tests/support/server";
import { FAULTY_SERVER } from "./support/build-faulty";
import { type Heard, listenTo, openStreams, Rig } from "./support/rig";

/** 1,000 tokens at 100 and 500 at 300 cents a million. Units: micro-cents. */
const COST = 250_000;
const TOKENS = 1_500;
const BODY = chatBody("quick", { max_tokens: 1_000 });
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

interface Window {
  unit: string;
  used: number;
  held: number;
}

/**
 * Rules by period when processes die, the database goes, and clocks are wrong. Source: docs/budgets.md#windows,
 * docs/reliability.md#r-27, #r-36, #r-39, #r-42, #r-51.
 */
describe.skipIf(without !== "")(`the windows of rules${without}`, () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.start({
      database: "postgres",
      models: [
        { alias: "steady", routes: [["chat", "sim-chunks-20+every-50ms+usage-1000-500"]] },
        { alias: "quick", routes: [["chat", "sim-usage-1000-500"]] },
      ],
    });
  });
  afterAll(() => rig.stop());

  /** A key with a rule of each unit that it does not reach. */
  async function limitedKey(): Promise<TestUser> {
    const user = await rig.gateway.key();
    await rig.sql(
      `INSERT INTO budgets (name, scope, key_id, unit, period, time_zone, limit_amount, mode)
       SELECT 'r', 'key', $1::uuid, x.unit, x.period, 'Asia/Shanghai', 1000000000000, x.mode
       FROM (VALUES ('money', 'day', 'stop'), ('requests', 'week', 'warn'), ('tokens', 'month', 'hard')) AS x(unit, period, mode)`,
      [user.keyId],
    );
    return user;
  }

  /** In the order of units, the old ones first. */
  const windowsOf = (user: TestUser) =>
    rig.sql<Window>(
      `SELECT b.unit, w.used::int, w.held::int FROM budget_windows w JOIN budgets b ON b.id = w.budget_id
       WHERE b.key_id = $1 ORDER BY b.unit, w.ends_at`,
      [user.keyId],
    );

  const afterRequests = (requests: number): Window[] => [
    { unit: "money", used: requests * COST, held: 0 },
    { unit: "requests", used: requests, held: 0 },
    { unit: "tokens", used: requests * TOKENS, held: 0 },
  ];

  /** Ends the present periods of a key's rules. */
  const turn = (user: TestUser) =>
    rig.sql(
      `UPDATE budget_windows SET ends_at = now() FROM budgets b
       WHERE b.id = budget_id AND b.key_id = $1 AND ends_at > now()`,
      [user.keyId],
    );

  async function statusOn(server: TestServer, user: TestUser): Promise<number> {
    const answer = await server.gateway("/v1/chat/completions", user.key, BODY);
    await answer.arrayBuffer();
    return answer.status;
  }

  const ledgerRows = async (heard: readonly Heard[]) => {
    const ids = heard.map(({ requestId }) => requestId).join(",");
    return rig.sql("SELECT 1 FROM usage_ledger WHERE request_id = ANY($1::uuid[])", [`{${ids}}`]);
  };

  test("get back what a process held that was killed", async () => {
    const user = await limitedKey();
    expect(await statusOn(rig.server, user)).toBe(200);
    rig.armFailpoint("after-hold");
    await listenTo(rig.server, user, "steady");
    expect(await rig.server.ended()).toBe("SIGKILL");
    for (const { held } of await windowsOf(user)) expect(held).toBeGreaterThan(0);
    await rig.restart();
    await rig.settledBooks(user);
    expect(await windowsOf(user)).toEqual(afterRequests(1));
  });

  test("get what was spooled once, those of the period in which it was held, though that has ended and the replay was killed", async () => {
    const user = await limitedKey();
    const { all } = await openStreams(rig.server, user, "steady", 5);
    rig.proxy.fail("refuse");
    const heard = await all;
    expect(heard.filter(({ terminal }) => terminal)).toHaveLength(5);
    await rig.server.stop("SIGKILL");
    rig.proxy.heal();
    await turn(user);
    for (let time = 0; time < 2; time += 1) {
      await rig.startWithFailpoint("spool-replayed");
      expect(await rig.server.ended()).toBe("SIGKILL");
    }
    await rig.restart();
    expect(await statusOn(rig.server, user)).toBe(200);
    expect(await ledgerRows(heard)).toHaveLength(5);
    await rig.settledBooks(user);
    const [old, fresh] = [afterRequests(5), afterRequests(1)];
    expect(await windowsOf(user)).toEqual(old.flatMap((window, index) => [window, fresh[index]]));
  });

  test("get what was spooled also when the reaper has given the hold back before", async () => {
    const user = await limitedKey();
    const { all } = await openStreams(rig.server, user, "steady", 3);
    rig.proxy.fail("refuse");
    const heard = await all;
    await rig.server.stop("SIGKILL");
    rig.proxy.heal();
    const holds = await rig.sql<{ done: boolean }>(
      "SELECT quota_expire(request_id) AS done FROM usage_holds WHERE key_id = $1 AND state = 'held'",
      [user.keyId],
    );
    expect(holds).toEqual(Array(3).fill({ done: true }));
    expect(await windowsOf(user)).toEqual(afterRequests(0));
    await rig.restart();
    expect(await ledgerRows(heard)).toHaveLength(3);
    await rig.settledBooks(user);
    expect(await windowsOf(user)).toEqual(afterRequests(3));
  });

  test("have every request once after a cut of the database, and after lost answers of a hold and of settlements", async () => {
    const user = await limitedKey();
    expect(await statusOn(rig.server, user)).toBe(200);
    const { all } = await openStreams(rig.server, user, "steady", 50);
    rig.proxy.fail("refuse");
    const heard = await all;
    rig.proxy.heal();
    await eventually(async () => ((await ledgerRows(heard)).length === 50 ? true : null), 30_000);
    expect(await rig.settledBooks(user)).toMatchObject({ held: 0 });
    expect(await windowsOf(user)).toEqual(afterRequests(51));

    const { cuts } = rig.proxy;
    const back = () =>
      eventually(async () => ((await statusOn(rig.server, user)) === 200 ? true : null), 15_000);
    await back();
    rig.proxy.cutAfter(user.keyId);
    expect(await statusOn(rig.server, user)).toBe(500);
    await back();
    const { all: others } = await openStreams(rig.server, user, "steady", 3);
    rig.proxy.cutAfter("steady");
    const last = await others;
    expect(rig.proxy.cuts).toBe(cuts + 2);
    await eventually(async () => ((await ledgerRows(last)).length === 3 ? true : null), 30_000);
    await rig.settledBooks(user);
    expect(await windowsOf(user)).toEqual(afterRequests(51 + 2 + 3));
  });

  test("begin anew with the first call after a boundary at which no process ran", async () => {
    const user = await limitedKey();
    await rig.sql(
      "UPDATE budgets SET limit_amount = 1, mode = 'stop' WHERE key_id = $1 AND unit = 'requests'",
      [user.keyId],
    );
    expect([await statusOn(rig.server, user), await statusOn(rig.server, user)]).toEqual([200, 402]);
    await rig.server.stop("SIGTERM");
    await turn(user);
    await rig.server.start();
    expect([await statusOn(rig.server, user), await statusOn(rig.server, user)]).toEqual([200, 402]);
    expect(await windowsOf(user)).toEqual(afterRequests(1).flatMap((window) => [window, window]));
  });

  test("are the same for processes whose clocks are a day before and a day behind", async () => {
    const user = await limitedKey();
    const shim = pathToFileURL(path.resolve("tests/faults/support/wrong-clock.mjs")).href;
    const wrong = [DAY_MS, -DAY_MS].map(
      (shiftMs) =>
        new TestServer(
          { ...rig.server.env, NODE_OPTIONS: `--import=${shim}`, CLOCK_SHIFT_MS: String(shiftMs) },
          FAULTY_SERVER,
        ),
    );
    try {
      await Promise.all(wrong.map((server) => server.start()));
      const replicas = [rig.server, ...wrong];
      for (const replica of replicas) expect(await statusOn(replica, user)).toBe(200);
      expect(await windowsOf(user)).toEqual(afterRequests(3));
      const [row] = await rig.sql<{ ends: string }>(
        `SELECT to_char(w.ends_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"') AS ends
         FROM budget_windows w JOIN budgets b ON b.id = w.budget_id WHERE b.key_id = $1 AND b.unit = 'money'`,
        [user.keyId],
      );
      await rig.sql("UPDATE budgets SET limit_amount = 0 WHERE key_id = $1 AND unit = 'money'", [user.keyId]);
      for (const replica of replicas) {
        const refused = await replica.gateway("/v1/chat/completions", user.key, BODY);
        expect([refused.status, refused.headers.get("x-tollgate-budget-reset")]).toEqual([402, row?.ends]);
        await refused.arrayBuffer();
      }
    } finally {
      for (const server of wrong) await server.stop("SIGKILL");
    }
    await rig.settledBooks(user);
    expect(await windowsOf(user)).toEqual(afterRequests(3));
  });
});
