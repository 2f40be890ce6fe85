import { afterAll, beforeAll, expect, test } from "vitest";
import { compactRollups } from "@/lib/billing/rollups";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { type ErrorCode, errorCodeOrder, faultCodes } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/request-id";
import { listLogs } from "@/lib/reports/logs";
import { readModelSpeeds } from "@/lib/reports/model-speeds";
import {
  readUptime,
  TroubledHours,
  type Uptime,
  type UptimePeriod,
  uptimeRecord,
} from "@/lib/reports/uptime";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const all = { page: 1, pageSize: 100 };

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let accounts: TestAccount[];
  let uptime: Uptime;

  const settle = (fields: Partial<Settlement>, owner = accounts[0]) => {
    if (owner === undefined) throw new Error("no account was made");
    return ledger.settle(settlementOf(owner, { requestId: newRequestId(), ...fields }));
  };
  const fail = (errorCode: ErrorCode, fields: Partial<Settlement>, owner?: TestAccount) =>
    settle(
      { status: "error", httpStatus: 500, errorCode, costMicroCents: 0n, billingSource: "none", ...fields },
      owner,
    );

  /** `failed` of `total` requests, at one moment. */
  const traffic = async (model: string, createdAt: Date, total: number, failed: number) => {
    for (let count = 0; count < total; count += 1)
      await (count < failed ? fail("UPSTREAM_ERROR", { model, createdAt }) : settle({ model, createdAt }));
  };
  const recordOf = (model: string, period?: UptimePeriod, from = uptime) => {
    const record = uptimeRecord(from, [model], period);
    const [only] = record.models;
    if (only === undefined) throw new Error("the record has no model");
    return { ...record, ...only };
  };
  const read = (timeZone = "UTC") => readUptime(db, new TroubledHours(db), timeZone, now);

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 91), now);
    ledger = await openTestLedger(db);
    const quotas = { account: 10_000_000n, keys: [5_000_000n] };
    accounts = [await makeAccount(db, quotas), await makeAccount(db, quotas)];
    const [, other] = accounts;
    // Two accounts share "shared": 2 of 3 were answered; the refusals do not count.
    await settle({ model: "shared", createdAt: ago(30) });
    await settle({ model: "shared", createdAt: ago(30), status: "cancelled" }, other);
    await fail("UPSTREAM_ERROR", { model: "shared", createdAt: ago(30) }, other);
    for (const code of errorCodeOrder.filter((one) => !faultCodes.some((fault) => fault === one)))
      await fail(code, { model: "shared", createdAt: ago(30) });
    await settle({ model: "shared", createdAt: ago(0.2) });
    // Well five hours ago, broken in the last hour.
    await traffic("breaking", ago(5), 30, 0);
    for (const code of ["NO_AVAILABLE_NODE", "INTERNAL_ERROR"] as const)
      for (let count = 0; count < 10; count += 1)
        await fail(code, { model: "breaking", createdAt: ago(0.1) });
    // 43 of 100 failed, on the day before yesterday from 08:00 to 09:00.
    await traffic("most", ago(50), 100, 43);
    // One of many, and a few of few.
    await traffic("single", ago(6), 40, 1);
    await traffic("quiet", ago(6), 19, 19);
    // Three hours in a row, of which two models share one; a gap; another one, before the hours are folded and after.
    await traffic("east", new Date("2026-11-12T03:10:00.000Z"), 20, 2);
    await traffic("east", new Date("2026-11-12T04:59:00.000Z"), 20, 15);
    await traffic("west", new Date("2026-11-12T04:00:00.000Z"), 40, 4);
    await traffic("west", new Date("2026-11-12T05:30:00.000Z"), 40, 4);
    await traffic("east", new Date("2026-11-12T07:00:00.000Z"), 20, 2);
    // Two an hour: enough for the day alone.
    for (let hour = 0; hour < 20; hour += 1)
      await traffic("thin", new Date(Date.UTC(2026, 10, 14, hour, 30)), 2, hour % 4 === 0 ? 1 : 0);
    // Only refused.
    await fail("QUOTA_EXCEEDED", { model: "refused", createdAt: ago(2) });
    // At both ends of the 90 days.
    await settle({ model: "edges", createdAt: new Date("2026-08-24T00:00:00.000Z") });
    await fail("UPSTREAM_ERROR", { model: "edges", createdAt: new Date("2026-08-23T23:59:59.000Z") });
    await compactRollups(db);
    uptime = await read();
  });
  afterAll(() => ledger.drain());

  test("a model's share is that of the requests that had to be answered, of all accounts, by day", () => {
    const { buckets, share, lastDay, state } = recordOf("shared");
    expect(buckets).toHaveLength(90);
    expect(buckets.at(-2)).toEqual({ state: "few", share: 0.6667 });
    expect(buckets.flatMap((day) => day.share ?? [])).toEqual([0.6667, 1]);
    expect([share, lastDay, state]).toEqual([0.75, 1, "operational"]);
  });

  test("a share is rounded, but neither to all nor to nothing", async () => {
    expect(recordOf("most").share).toBe(0.57);
    const of = (requests: number, faults: number) => {
      const answersOf = () => ({ day: [{ requests, faults }], hour: [], lately: { requests: 0, faults: 0 } });
      return recordOf("any", "90d", { ...uptime, answersOf }).share;
    };
    expect([of(3, 1), of(1_000_000, 1), of(1_000_000, 999_999)]).toEqual([0.6667, 0.9999, 0.0001]);
    expect([of(5, 0), of(5, 5), of(0, 0)]).toEqual([1, 0, null]);
  });

  test("a single failure makes nothing degraded, nor do failures of too few requests", () => {
    const single = recordOf("single");
    expect([single.state, single.lastDay, single.incidents]).toEqual(["few", 0.975, []]);
    const quiet = recordOf("quiet");
    expect([quiet.state, quiet.lastDay, quiet.incidents]).toEqual(["few", 0, []]);
    expect(recordOf("most").buckets.at(-3)?.state).toBe("degraded");
  });

  test("the state is that of the last hour, where it was asked enough to say", () => {
    expect(recordOf("breaking")).toMatchObject({ state: "down", stateOver: "hour", lastDay: 0.6 });
    expect(recordOf("quiet")).toMatchObject({ stateOver: "day" });
    const answersOf = () => ({
      day: [],
      hour: [{ requests: 49, faults: 3 }],
      lately: { requests: 2, faults: 0 },
    });
    const [model] = uptimeRecord({ ...uptime, answersOf }, ["any"]).models;
    expect(model).toMatchObject({ state: "degraded", stateOver: "day" });
  });

  test("a model that was only refused, or never asked, is idle and has no share", () => {
    for (const model of ["refused", "unknown"])
      expect(recordOf(model)).toMatchObject({ state: "idle", stateOver: "day", lastDay: null, share: null });
  });

  test("ninety days begin at midnight of the first one, and no request before it counts", () => {
    const { starts, buckets, share } = recordOf("edges");
    expect(starts[0]).toBe("2026-08-24T00:00:00.000Z");
    expect([buckets[0]?.share, share]).toEqual([1, 1]);
  });

  test("the last 24 hours come in full hours and the one that is not over, and 7 days in days", () => {
    const hours = recordOf("breaking", "24h");
    expect([hours.bucket, hours.starts[0], hours.starts.at(-1)]).toEqual([
      "hour",
      "2026-11-20T11:00:00.000Z",
      "2026-11-21T10:00:00.000Z",
    ]);
    expect([hours.share, hours.buckets.length, hours.starts.length]).toEqual([hours.lastDay, 24, 24]);
    expect(hours.buckets.flatMap(({ state }) => (state === "idle" ? [] : state))).toEqual([
      "operational",
      "down",
    ]);
    expect(recordOf("breaking", "7d")).toMatchObject({ bucket: "day", share: 0.6 });
    expect(recordOf("breaking", "7d").starts).toHaveLength(7);
  });

  test("without a period the answer covers the days that have requests, and no more", async () => {
    expect(uptime.periods).toEqual(["24h", "7d", "30d", "90d"]);
    const ofAge = async (hours: number | null) => {
      const query = (async (sql: string, params: never) =>
        sql.includes("min(bucket)")
          ? [{ at: hours === null ? null : ago(hours) }]
          : db.query(sql, params)) as typeof db.query;
      const young = await readUptime({ ...db, query }, new TroubledHours(db), "UTC", now);
      return uptimeRecord(young, ["shared"]);
    };
    const of = async (hours: number | null) => {
      const { period, periods, starts } = await ofAge(hours);
      return [period, periods.length, starts.length];
    };
    expect(await of(3)).toEqual(["24h", 1, 24]);
    expect(await of(70)).toEqual(["7d", 2, 7]);
    expect(await of(24 * 20)).toEqual(["30d", 3, 21]);
    expect(await of(24 * 40)).toEqual(["90d", 4, 41]);
    expect(await of(24 * 400)).toEqual(["90d", 4, 90]);
    expect(await of(null)).toEqual(["24h", 1, 24]);
    const { since, starts } = await ofAge(24 * 40);
    expect([since, (await ofAge(3)).since]).toEqual([starts[0], (await ofAge(70)).starts[0]]);
  });

  test("hours of trouble that follow on each other are one incident of all models that had them", () => {
    const { incidents } = uptimeRecord(uptime, ["east", "west", "edges"]);
    expect(incidents).toEqual([
      {
        from: "2026-11-12T07:00:00.000Z",
        until: "2026-11-12T08:00:00.000Z",
        over: "hours",
        state: "degraded",
        models: [{ id: "east", state: "degraded", share: 0.9, times: [] }],
      },
      {
        from: "2026-11-12T03:00:00.000Z",
        until: "2026-11-12T06:00:00.000Z",
        over: "hours",
        state: "down",
        models: [
          { id: "east", state: "down", share: 0.575, times: [] },
          { id: "west", state: "degraded", share: 0.9, times: [] },
        ],
      },
    ]);
    expect(uptimeRecord(uptime, ["west"]).incidents).toMatchObject([
      { from: "2026-11-12T04:00:00.000Z", until: "2026-11-12T06:00:00.000Z", state: "degraded" },
    ]);
    expect(uptimeRecord(uptime, ["east", "west"], "7d")).toMatchObject({ incidents: [], incidentCount: 0 });
  });

  test("an incident of this hour goes on, and a day of thin traffic is told as a day", () => {
    expect(recordOf("breaking").incidents).toMatchObject([
      { from: "2026-11-21T10:00:00.000Z", until: null, over: "hours", state: "down" },
    ]);
    expect(recordOf("thin").incidents).toEqual([
      {
        from: "2026-11-14T00:00:00.000Z",
        until: "2026-11-15T00:00:00.000Z",
        over: "day",
        state: "degraded",
        models: [{ id: "thin", state: "degraded", share: 0.875, times: [] }],
      },
    ]);
  });

  test("hours within a day that is told as a whole are one entry with it, with the hours, and a day within hours too", () => {
    const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour);
    const isoAt = (day: number, hour: number) => new Date(at(day, hour)).toISOString();
    const trouble = (model: string, from: number, to: number) => ({
      model,
      from,
      to,
      requests: 40,
      faults: 10,
    });
    const of = (hours: ReturnType<typeof trouble>[], days: ReturnType<typeof trouble>[]) =>
      uptimeRecord({ ...uptime, troubles: { hours, days } }, ["east", "west"]);
    const day = trouble("west", at(12, 0), at(13, 0));
    const whole = { from: isoAt(12, 0), until: isoAt(13, 0), over: "day" } as const;
    const told = of([trouble("east", at(12, 3), at(12, 4)), trouble("east", at(12, 7), at(12, 8))], [day]);
    const share = { state: "degraded", share: 0.75 };
    const times = [
      { from: isoAt(12, 3), until: isoAt(12, 4), over: "hours" },
      { from: isoAt(12, 7), until: isoAt(12, 8), over: "hours" },
    ];
    expect(told).toMatchObject({ incidentCount: 1, incidents: [{ ...whole, state: "degraded" }] });
    expect(told.incidents[0]?.models.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: "east", ...share, times },
      { id: "west", ...share, times: [] },
    ]);
    const long = of([trouble("east", at(11, 20), at(13, 5))], [day]).incidents;
    expect(long).toMatchObject([{ from: isoAt(11, 20), until: isoAt(13, 5), over: "hours" }]);
    expect(long[0]?.models.find(({ id }) => id === "west")?.times).toEqual([whole]);
    const across = of([trouble("east", at(12, 23), at(13, 1))], [day]);
    expect(across.incidents.map(({ over }) => over)).toEqual(["hours", "day"]);
  });

  test("each degraded or down day of a model is in its incidents", () => {
    for (const model of ["most", "east", "west", "thin", "breaking"]) {
      const { buckets, starts, incidents } = recordOf(model);
      const bad = starts.filter((_, index) => ["degraded", "down"].includes(buckets[index]?.state ?? ""));
      expect(bad.length, model).toBeGreaterThan(0);
      const told = incidents.map(({ from }) => `${from.slice(0, 10)}T00:00:00.000Z`);
      expect(told, model).toEqual(expect.arrayContaining(bad));
    }
  });

  test("the hours of days that are over are read once, and only those with failures", async () => {
    const asked: string[] = [];
    const query = (async (sql: string, params: string[]) => {
      asked.push(params[0] ?? "");
      return db.query(sql, params);
    }) as typeof db.query;
    const hours = new TroubledHours({ ...db, query });
    const day = (text: string) => Date.parse(`${text}T00:00:00.000Z`);
    const first = await hours.since(day("2026-11-10"), now.getTime());
    expect(asked).toHaveLength(11);
    asked.length = 0;
    expect(await hours.since(day("2026-11-10"), now.getTime())).toEqual(first);
    expect(asked).toEqual(["2026-11-20T00:00:00.000Z"]);
    expect(new Set(first.map(({ model }) => model))).toEqual(new Set(["east", "west", "most", "breaking"]));
  });

  test("the record names the given models only, and has no counts", () => {
    const record = uptimeRecord(uptime, ["shared"]);
    expect(record.models.map(({ id }) => id)).toEqual(["shared"]);
    expect(Object.keys(record.models[0] ?? {}).sort()).toEqual([
      "buckets",
      "id",
      "lastDay",
      "share",
      "state",
      "stateOver",
    ]);
  });

  test("days are those of the time zone", async () => {
    const { starts, buckets } = recordOf("shared", "90d", await read("Pacific/Kiritimati"));
    expect(starts[0]).toBe("2026-08-24T10:00:00.000Z");
    // 30 hours ago is two days before in Kiritimati, fourteen hours ahead, where today has begun 7 minutes ago.
    expect(buckets.slice(-3).map(({ share }) => share)).toEqual([0.6667, 1, null]);
  });

  test("the log finds failures by the codes that lower a share, and refusals by the others", async () => {
    const failed = await listLogs(db, { outcome: "failed" }, all);
    expect(new Set(failed.data.map(({ errorCode }) => errorCode))).toEqual(new Set(faultCodes));
    const refused = await listLogs(db, { outcome: "refused", model: "shared" }, all);
    expect(refused.total).toBe(errorCodeOrder.length - faultCodes.length);
    expect(refused.data.every(({ status }) => status === "error")).toBe(true);
  });

  test("the log finds what cost at least so much, to the micro-cent", async () => {
    await settle({ model: "dear", createdAt: ago(1), costMicroCents: 1_000_001n });
    const atLeast = async (minCost: bigint) => (await listLogs(db, { minCost, model: "dear" }, all)).total;
    expect([await atLeast(1_000_001n), await atLeast(1_000_002n)]).toEqual([1, 0]);
  });

  test("the speed of a model is the median of its streams of 7 days, and null with too few", async () => {
    const stream = (model: string, fields: Partial<Settlement>) =>
      settle({ model, stream: true, ttftMs: 200, latencyMs: 1_200, createdAt: ago(5), ...fields });
    const [owner] = accounts;
    if (owner === undefined) throw new Error("no account was made");
    const plain = settlementOf(owner, { requestId: newRequestId() });
    for (let count = 0; count < 11; count += 1) {
      const slow = count < 5;
      await stream("timed", {
        ttftMs: slow ? 900 : 300,
        latencyMs: slow ? 9_900 : 1_300,
        usage: { ...plain.usage, output: 80 },
      });
    }
    for (let count = 0; count < 9; count += 1) await stream("seldom", {});
    for (let count = 0; count < 11; count += 1) await stream("before", { createdAt: ago(8 * 24) });
    const speeds = await readModelSpeeds(db, now);
    expect(speeds.get("timed")).toEqual({ firstTokenMs: 300, tokensPerSecond: 80 });
    expect(speeds.get("seldom")).toEqual({ firstTokenMs: null, tokensPerSecond: null });
    expect(speeds.has("before")).toBe(false);
  });
});
