import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, Gateway, keyMoney, reconcile } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import {
  gatewayConnections,
  inGatewayDatabase,
  type PairServer,
  type PostgresPair,
  setReadOnly,
  startPostgresPair,
} from "./support/postgres-pair";
import { type Heard, openStreams } from "./support/rig";

/** 2,200 tokens at 100 and 100 at 300 cents a million. Units: cents. */
const COST = 0.25;
const STREAMS = 10;
const postgres = await postgresServer();
const withoutPair = "unavailable" in postgres || postgres.dataDirectory === null;
const without = withoutPair ? " (needs a PostgreSQL of its own)" : "";

/** Source: docs/reliability.md#s2-12. */
describe.skipIf(withoutPair)(`a database that takes no writes and still answers${without}`, () => {
  const gateway = new Gateway();
  let pair: PostgresPair;
  let user: TestUser;
  beforeAll(async () => {
    pair = await startPostgresPair();
    await gateway.start({
      database: "postgres",
      env: { DATABASE_URL: pair.url },
      models: [
        { alias: "steady", routes: [["chat", "sim-chunks-30+every-100ms+usage-2200-100"]] },
        { alias: "quick", routes: [["chat", "sim-usage-2200-100"]] },
      ],
    });
    user = await gateway.key();
  });
  afterAll(async () => {
    await gateway.stop();
    await pair.stop();
  });

  const call = () => gateway.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));

  async function ready(): Promise<{ status: number; problems: string[] }> {
    const response = await fetch(`${gateway.server.url}/api/health/ready`);
    const { problems } = (await response.json()) as { problems: string[] }; // asserted by the caller
    return { status: response.status, problems };
  }

  /** Calls until one is refused because nothing can be written. Returns how it was refused. */
  async function refused() {
    return eventually(async () => {
      const response = await call();
      const body = (await response.json()) as { error?: { code: string; message: string } };
      return response.status === 200
        ? null
        : { status: response.status, retryAfter: response.headers.get("retry-after"), ...body.error };
    }, 15_000);
  }

  async function expectNotReady(): Promise<void> {
    await eventually(async () => ((await ready()).status === 503 ? true : null), 15_000);
    expect((await ready()).problems).toEqual(["the database takes no writes"]);
    expect((await fetch(`${gateway.server.url}/api/health/live`)).status).toBe(200);
  }

  async function expectBack(): Promise<void> {
    await eventually(async () => {
      const response = await call();
      await response.arrayBuffer();
      return response.status === 200 ? true : null;
    }, 30_000);
    await eventually(async () => ((await ready()).status === 200 ? true : null), 15_000);
  }

  /** Each stream ended well and was charged once in the database of `server`, whose sums agree. */
  async function expectBilledOnce(server: PairServer, heard: Heard[]): Promise<void> {
    expect(heard.filter(({ terminal, broken }) => terminal && !broken)).toHaveLength(heard.length);
    const billed = () =>
      inGatewayDatabase<{ request_id: string }>(
        server,
        "SELECT request_id FROM usage_ledger WHERE cost_micro_cents > 0",
      );
    await eventually(async () => {
      const rows = (await billed()).map(({ request_id }) => request_id);
      return heard.every(({ requestId }) => rows.filter((id) => id === requestId).length === 1) ? true : null;
    }, 30_000);
    await eventually(async () => ((await keyMoney(gateway.server, user)).held === 0 ? true : null), 30_000);
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
    expect((await keyMoney(gateway.server, user)).usedQuota).toBeCloseTo((await billed()).length * COST, 6);
  }

  test("and whose address then leads to another server: calls are back by themselves, no connection stays on the old one, streams are billed once", async () => {
    const { all } = await openStreams(gateway.server, user, "steady", STREAMS);
    await setReadOnly(pair.primary, true);
    const refusal = await refused();
    expect(refusal).toMatchObject({ status: 503, code: "NO_AVAILABLE_NODE" });
    expect(refusal.message).toContain("takes no writes");
    expect(Number(refusal.retryAfter)).toBeGreaterThan(0);
    await expectNotReady();
    const heard = await all;
    await pair.promote();
    await expectNotReady();
    pair.proxy.moveTo(pair.standby.port);
    await expectBack();
    await eventually(async () => ((await gatewayConnections(pair.primary)) === 0 ? true : null), 15_000);
    expect(await gatewayConnections(pair.standby)).toBeGreaterThan(0);
    await expectBilledOnce(pair.standby, heard);
  });

  test("and whose address leads elsewhere while nobody calls: it notices by itself", async () => {
    await expectBack();
    await setReadOnly(pair.standby, true);
    await expectNotReady();
    await setReadOnly(pair.standby, false);
    await eventually(async () => ((await ready()).status === 200 ? true : null), 15_000);
  });

  test("and the same server takes them again: sign-in and admins are refused with a wait meanwhile, then all is as before", async () => {
    const { all } = await openStreams(gateway.server, user, "steady", STREAMS);
    const { server } = gateway;
    const admin = await server.adminToken();
    await setReadOnly(pair.standby, true);
    await refused();
    const answers = await Promise.all([
      server.api<ApiFailure>("POST", "/api/user/login", undefined, {
        username: user.username,
        password: "secret-password",
      }),
      server.api<ApiFailure>("POST", "/api/user/tokens", user.token, { name: "refused" }),
      server.api<ApiFailure>("POST", "/api/admin/announcements", admin, {
        title: "refused",
        text: "refused",
      }),
    ]);
    for (const { status, headers, body } of answers) {
      expect({ status, code: body.error.code }).toEqual({ status: 503, code: "NO_AVAILABLE_NODE" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await server.api("GET", "/api/user/tokens", user.token)).status).toBe(200);
    const heard = await all;
    await setReadOnly(pair.standby, false);
    await expectBack();
    await expectBilledOnce(pair.standby, heard);
    await server.key({ username: user.username, token: user.token });
  });

  test("or that ends every connection, as an administrator can: calls are back by themselves and streams are billed once", async () => {
    const { all } = await openStreams(gateway.server, user, "steady", STREAMS);
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tollgate'";
    for (let round = 0; round < 5; round++) {
      const calls = Promise.all(Array.from({ length: 10 }, call));
      await pair.standby.sql.unsafe(end);
      for (const response of await calls) {
        await response.arrayBuffer();
        expect([200, 500, 503]).toContain(response.status);
      }
    }
    await expectBack();
    await expectBilledOnce(pair.standby, await all);
  });
});

/** A refused call of the account API. */
interface ApiFailure {
  error: { code: string };
}
