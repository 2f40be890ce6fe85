import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import { discardServer, type ServerOptions, startServer, type TestServer } from "../support/server";
import { cheapestDatabase } from "../support/server-databases";

interface SettingsView {
  signupQuotaCents: number;
  openRegistration: {
    quotaCents: number;
    rewardCents: number;
    accountsPerHour: number;
    centsPerHour: string;
    lastRequestCents: string;
  } | null;
}

const everywhere = { HOST: "0.0.0.0", REGISTER_PER_IP_PER_MINUTE: "30" };
let upstream: ScriptedUpstream;
const started: TestServer[] = [];
beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => sendJson(response, 500, { error: { message: "no" } }));
});
afterAll(async () => {
  for (const server of started) await discardServer(server);
  await upstream.close();
});

async function start(options: ServerOptions): Promise<TestServer> {
  const server = await startServer({ database: await cheapestDatabase(), ...options });
  started.push(server);
  return reachable(server);
}

function reachable(server: TestServer): TestServer {
  server.url = server.url.replace("0.0.0.0", "127.0.0.1").replace("localhost", "127.0.0.1");
  return server;
}

/** A file with a node that costs money: 200,000 tokens in at ¥1, 10,000 out at ¥3 for a million. */
function withNode(): string {
  return JSON.stringify({
    nodes: [
      { name: "vendor", protocol: "chat", baseUrl: `${upstream.url}/v1`, apiKey: "sk-vendor-key-0123456789" },
    ],
    models: [
      {
        alias: "real",
        contextWindow: 200_000,
        maxOutputTokens: 10_000,
        prices: { input: 100, output: 300 },
        routes: [{ node: "vendor", model: "m" }],
      },
    ],
  });
}

async function quotaOfStranger(server: TestServer): Promise<string> {
  const { username, token } = await server.user();
  const { status, body } = await server.api<{ quota: string }>("GET", "/api/user/self", token);
  expect([status, username.length > 0]).toEqual([200, true]);
  return body.quota;
}

async function settingsOf(server: TestServer): Promise<SettingsView> {
  return (await server.api<SettingsView>("GET", "/api/admin/settings", await server.adminToken())).body;
}

/** Source: docs/contract.md#b18. */
describe("where strangers can register and a node costs money", () => {
  test("a new account has no quota and its calls are 402, as long as nobody has said otherwise", async () => {
    const server = await start({ config: withNode(), env: everywhere });
    expect(await quotaOfStranger(server)).toBe("0");
    const { key } = await server.user({ quota: 1_000 });
    const body = { model: "real", max_tokens: 5, messages: [{ role: "user", content: "Hello" }] };
    expect((await server.gateway("/v1/chat/completions", key, body)).status).toBe(402);
    expect(server.output).toMatch(/registration is open to strangers.*they can spend nothing/);
    expect(await settingsOf(server)).toMatchObject({
      allowPrivateUpstreams: false,
      signupQuotaCents: 0,
      openRegistration: { quotaCents: 0, centsPerHour: "0", lastRequestCents: "0" },
    });
    const first = await server.api<{ quota: string }>("GET", "/api/user/self", await server.adminToken());
    expect(first.body.quota, "the first admin is no stranger").toBe("1000");
  });

  test("the reward of invitations counts as well", async () => {
    const server = started[0] ?? (await start({ config: withNode(), env: everywhere }));
    const admin = await server.adminToken();
    await server.api("PATCH", "/api/admin/settings", admin, { inviteRewardCents: 7 });
    expect((await settingsOf(server)).openRegistration).toMatchObject({
      rewardCents: 7,
      centsPerHour: String(30 * 60 * 7),
    });
    await server.api("PATCH", "/api/admin/settings", admin, { inviteRewardCents: 0 });
  });

  test("a quota that an admin has decided holds, until it is taken back", async () => {
    const server = started[0] ?? (await start({ config: withNode(), env: everywhere }));
    const decide = async (newAccountQuotaCents: number | null) =>
      server.api("PATCH", "/api/admin/settings", await server.adminToken(), { newAccountQuotaCents });
    await decide(300);
    expect(await quotaOfStranger(server)).toBe("300");
    expect(await settingsOf(server)).toMatchObject({
      signupQuotaCents: 300,
      setAtStart: { signupQuotaCents: 0 },
      openRegistration: { quotaCents: 300, centsPerHour: String(30 * 60 * 300) },
    });
    await decide(null);
    expect(await quotaOfStranger(server)).toBe("0");
    expect(await settingsOf(server)).toMatchObject({ signupQuotaCents: 0 });
  });

  test("nothing is warned of once admins ask for invite codes or close registration", async () => {
    const server = started[0] ?? (await start({ config: withNode(), env: everywhere }));
    const admin = await server.adminToken();
    for (const registration of ["invited", "closed"]) {
      await server.api("PATCH", "/api/admin/settings", admin, { registration });
      expect((await settingsOf(server)).openRegistration).toBeNull();
      await server.stop();
      expect(reachable(await server.start()).output).not.toContain("registration is open");
    }
    await server.api("PATCH", "/api/admin/settings", admin, { registration: "open" });
    expect((await settingsOf(server)).openRegistration).not.toBeNull();
  });

  test("a quota that is set holds, and start and settings tell what strangers can spend with it", async () => {
    const env = { ...everywhere, SIGNUP_QUOTA_CENTS: "500" };
    const server = await start({ config: withNode(), env });
    expect(await quotaOfStranger(server)).toBe("500");
    expect(server.output).toContain(
      "from one address they can spend ¥9000.00 an hour (1800 accounts with a quota of ¥5.00",
    );
    expect(server.output).toContain("the last request of each account, up to ¥0.23");
    expect((await settingsOf(server)).openRegistration).toEqual({
      quotaCents: 500,
      rewardCents: 0,
      accountsPerHour: 1_800,
      centsPerHour: "900000",
      lastRequestCents: "23",
    });
  });

  test("the settings tell what was set at start, without a secret", async () => {
    const env = {
      ...everywhere,
      QUOTA_STRICT: "1",
      LOG_RETENTION_DAYS: "30",
      METRICS_TOKEN: "metrics-secret-1",
    };
    const server = await start({ config: withNode(), env });
    const told = await settingsOf(server);
    expect(told).toMatchObject({
      defaultPlanId: expect.any(Number),
      setAtStart: {
        allowRegistration: true,
        quotaStrict: true,
        logRetentionDays: 30,
        responsesStoreHours: 72,
        responsesStoreAccountMib: 256,
        responsesStoreMib: 4_096,
        compatibility: "standard",
        redis: false,
        replicas: 1,
        trustProxy: 0,
        reportTimezone: "UTC",
      },
    });
    expect(JSON.stringify(told)).not.toMatch(/secret|postgres:\/\//);
  });

  test("a reverse proxy's public address counts like an open one", async () => {
    const env = {
      PUBLIC_URL: "http://gateway.example.org",
      OPENAI_API_KEY: "sk-no-real-key-0123456789abcdef",
    };
    const server = await start({ env });
    expect(server.output).toContain("registration is open to strangers");
  });
});

describe("where registration is closed, the address is the machine's own, or no node costs money", () => {
  test("nothing is warned of", async () => {
    const closed = await start({ config: withNode(), env: { ...everywhere, ALLOW_REGISTRATION: "0" } });
    const own = await start({ config: withNode() });
    for (const server of [closed, own]) {
      expect(server.output).not.toContain("registration is open");
      expect((await settingsOf(server)).openRegistration).toBeNull();
    }
    expect(await quotaOfStranger(own)).toBe("1000");
  });

  test("the quota is the usual one until an admin adds a node, and is judged anew for each account", async () => {
    const server = await start({ env: { ...everywhere, DEMO_PROVIDER: "1", ALLOW_PRIVATE_UPSTREAMS: "1" } });
    expect(server.output).not.toContain("registration is open");
    expect(await quotaOfStranger(server)).toBe("1000");
    const admin = await server.adminToken();
    const node = {
      name: "vendor",
      protocol: "chat",
      baseUrl: `${upstream.url}/v1`,
      apiKey: "sk-x-0123456789",
    };
    const made = await server.api<{ id: string }>("POST", "/api/admin/nodes", admin, node);
    expect(made.status).toBe(201);
    expect(await quotaOfStranger(server)).toBe("0");
    expect(await settingsOf(server)).toMatchObject({
      allowPrivateUpstreams: true,
      openRegistration: { quotaCents: 0 },
    });
    expect((await server.api("DELETE", `/api/admin/nodes/${made.body.id}`, admin)).status).toBe(204);
    expect(await quotaOfStranger(server)).toBe("1000");
  });
});
