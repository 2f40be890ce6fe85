import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, keyMoney } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import type { TestServer, TestUser } from "@/tests/support/server";
import { FULL, type Heard, openStreams, Rig } from "./support/rig";

/** 2,200 tokens at 100 and 100 at 300 cents a million. Units: cents. */
const COST = 0.25;
const STREAMS = 200;
const CUT_MS = FULL ? 60_000 : 10_000;
/** Streams go on for half of the cut. */
const FRAMES = CUT_MS / 2 / 100;
/** Six calls at once wait 1.3 s in the pool; a process that gets little processor time is given more. */
const ACCOUNT_MS = 3_000;
/** Most calls are refused within the first; the machine may hold up one of them. */
const REFUSED_MS = { most: 1_000, each: 1_500 };
/** The database is asked at most once a second. Source: docs/contract.md#s9. */
const READINESS_MS = 2_000;
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/**
 * A database that goes away, hangs, or loses an answer. Source: docs/reliability.md#r-39, #r-40, #r-41, #r-42, #r-44.
 */
describe.skipIf(without !== "")(`the database${without}`, () => {
  let rig: Rig;
  let user: TestUser;
  let adminToken: string;
  beforeAll(async () => {
    const models = [
      { alias: "steady", routes: [["chat", `sim-chunks-${FRAMES}+every-100ms+usage-2200-100`]] as Route[] },
      { alias: "quick", routes: [["chat", "sim-usage-2200-100"]] as Route[] },
    ];
    rig = await Rig.start({ database: "postgres", models });
    user = await rig.gateway.key();
    adminToken = await rig.server.adminToken();
  });
  afterAll(() => rig.stop());
  afterEach(async () => {
    rig.proxy.heal();
    await expectBack();
  });

  /** One new call while the database is out: how it was refused, and how fast. Units: milliseconds. */
  async function refusedCall(key = user.key) {
    const calls = rig.gateway.upstream.counters().requests;
    const begun = performance.now();
    const response = await rig.server.gateway("/v1/chat/completions", key, chatBody("quick"));
    const tookMs = performance.now() - begun;
    const body = (await response.json()) as { error: { code: string } }; // asserted by the caller
    expect(rig.gateway.upstream.counters().requests).toBe(calls);
    return { status: response.status, code: body.error.code, tookMs };
  }

  /** `unseen` is a key that the server has not looked up yet. */
  async function expectOut(unseen = user.key): Promise<void> {
    const took: number[] = [];
    for (const key of [user.key, user.key, unseen, unseen]) {
      const refused = await refusedCall(key);
      expect(refused).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
      took.push(refused.tookMs);
    }
    expect(Math.max(...took)).toBeLessThan(REFUSED_MS.each);
    expect(took.filter((ms) => ms >= REFUSED_MS.most).length).toBeLessThan(2);
    for (let round = 0; round < 2; round++) await expectAccountRoutesOut();
    expect((await fetch(`${rig.server.url}/api/health/live`)).status).toBe(200);
    await eventually(async () => ((await readiness()) === 503 ? true : null), READINESS_MS);
  }

  /**
   * Account routes wait for no connection and no answer much longer than generation does.
   * Source: docs/reliability.md#s2-10.
   */
  async function expectAccountRoutesOut(): Promise<void> {
    const begun = performance.now();
    const answers = await Promise.all([
      ...["/api/user/tokens", "/api/user/logs", "/api/user/stats?period=30d"].map((path) =>
        rig.server.api<ApiFailure>("GET", path, user.token),
      ),
      rig.server.api<ApiFailure>("GET", "/api/admin/users", adminToken),
      rig.server.api<ApiFailure>("GET", "/api/admin/reconcile", adminToken),
      rig.server.api<ApiFailure>("POST", "/api/user/login", undefined, { username: "nobody", password: "x" }),
    ]);
    for (const { status, body } of answers) {
      expect([500, 503]).toContain(status);
      expect(["INTERNAL_ERROR", "NO_AVAILABLE_NODE"]).toContain(body.error.code);
    }
    expect(performance.now() - begun).toBeLessThan(ACCOUNT_MS);
  }

  const readiness = async () => (await fetch(`${rig.server.url}/api/health/ready`)).status;

  /** Readiness may be that of a second ago, so the pool is asked too. */
  async function expectBack(): Promise<void> {
    await eventually(async () => {
      const { status } = await rig.server.api("GET", "/api/user/self", user.token);
      return status === 200 && (await readiness()) === 200 ? true : null;
    }, 15_000);
  }

  /** Each stream ended well, was charged once, and the sums agree. Returns cents used since `before`. */
  async function expectBilledOnce(heard: Heard[], before: number): Promise<void> {
    expect(heard.filter(({ terminal, broken }) => terminal && !broken)).toHaveLength(heard.length);
    const ids = new Set(heard.map(({ requestId }) => requestId));
    expect(ids.size).toBe(heard.length);
    const billed = () =>
      rig.sql<{ request_id: string }>("SELECT request_id FROM usage_ledger WHERE cost_micro_cents > 0");
    await eventually(async () => {
      const rows = await billed();
      return rows.filter((row) => ids.has(row.request_id)).length === ids.size ? true : null;
    }, 30_000);
    const { usedQuota } = await rig.settledBooks(user);
    expect(usedQuota - before).toBeCloseTo(heard.length * COST, 6);
  }

  test(`is cut for ${CUT_MS / 1_000} s under ${STREAMS} streams: all finish, all are billed once, new calls are refused at once`, async () => {
    const before = (await keyMoney(rig.server, user)).usedQuota;
    const { all } = await openStreams(rig.server, user, "steady", STREAMS);
    rig.proxy.fail("refuse");
    const healed = sleep(CUT_MS).then(() => rig.proxy.heal());
    await expectOut();
    const heard = await all;
    await healed;
    await expectBack();
    await expectBilledOnce(heard, before);
  });

  test("is away while a browser asks for its session: it is told so and stays signed in", async () => {
    const cookie = await browserCookie(rig.server, user.token);
    const session = () => fetch(`${rig.server.url}/api/auth/session`, { headers: { cookie } });
    rig.proxy.fail("refuse");
    const refused = await session();
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([500, []]);
    expect(((await refused.json()) as { error: { code: string } }).error.code).toBe("INTERNAL_ERROR");
    rig.proxy.heal();
    await expectBack();
    expect(await (await session()).json()).toMatchObject({ user: { name: user.username } });
  });

  test("hangs: new calls are refused in time, streams go on without a stall of a second and end", async () => {
    const before = (await keyMoney(rig.server, user)).usedQuota;
    const unseen = await rig.gateway.key();
    const gaps: number[] = [];
    const { all } = await openStreams(rig.server, user, "steady", 20, (gapMs) => gaps.push(gapMs));
    rig.proxy.fail("hang");
    await expectOut(unseen.key);
    const heard = await all;
    rig.proxy.heal();
    await expectBack();
    expect(Math.max(...gaps)).toBeLessThan(1_000);
    await expectBilledOnce(heard, before);
  });

  test("answers five seconds late: new calls are refused in time, streams go on without a stall of a second and end", async () => {
    const before = (await keyMoney(rig.server, user)).usedQuota;
    const gaps: number[] = [];
    const { all } = await openStreams(rig.server, user, "steady", 20, (gapMs) => gaps.push(gapMs));
    rig.proxy.delay(5_000);
    await expectOut();
    const heard = await all;
    rig.proxy.heal();
    await expectBack();
    expect(Math.max(...gaps)).toBeLessThan(1_000);
    await expectBilledOnce(heard, before);
  });

  test("loses its answer just after a batch was sent: a hold is given back, a settlement is billed once", async () => {
    const before = (await keyMoney(rig.server, user)).usedQuota;
    const { cuts } = rig.proxy;
    rig.proxy.cutAfter(user.keyId);
    const refused = await rig.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
    expect([200, 500]).toContain(refused.status);
    const answered = refused.status === 200 ? 1 : 0;
    await refused.arrayBuffer();
    const { all } = await openStreams(rig.server, user, "steady", 3);
    rig.proxy.cutAfter("steady");
    const heard = await all;
    expect(rig.proxy.cuts).toBe(cuts + 2);
    await expectBilledOnce(heard, before + answered * COST);
  });

  test("turns read-only: new calls are refused, and it is used again without a restart once it is writable", async () => {
    const [row] = await rig.sql<{ name: string }>("SELECT current_database() AS name");
    const before = (await keyMoney(rig.server, user)).usedQuota;
    await rig.sql(`ALTER DATABASE ${row?.name} SET default_transaction_read_only = on`);
    rig.proxy.heal(); // new sessions have the new default
    await sleep(1_500);
    for (let call = 0; call < 5; call++) expect([500, 503]).toContain(await refusedCallStatus());
    await rig.sql(`ALTER DATABASE ${row?.name} SET default_transaction_read_only = off`);
    rig.proxy.heal();
    await eventually(async () => ((await refusedCallStatus()) === 200 ? true : null), 15_000);
    expect((await rig.settledBooks(user)).usedQuota).toBeGreaterThan(before);
  });

  async function refusedCallStatus(): Promise<number> {
    const response = await rig.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
    await response.arrayBuffer();
    return response.status;
  }
});

type Route = [string, string];

interface ApiFailure {
  error: { code: string; message: string };
}

/** Signs in as the pages do: a bearer token becomes a cookie. */
async function browserCookie({ url }: TestServer, jwt: string): Promise<string> {
  const pairs = (response: Response) => response.headers.getSetCookie().map((set) => set.split(";", 1)[0]);
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }; // the library's own shape
  const signedIn = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: pairs(csrf).join("; ") },
    body: new URLSearchParams({ csrfToken, jwt, json: "true", callbackUrl: `${url}/` }),
  });
  return pairs(signedIn).join("; ");
}
