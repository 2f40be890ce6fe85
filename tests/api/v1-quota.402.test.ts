import { describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { forEachServerDatabase } from "../support/server-databases";

await forEachServerDatabase((database) => {
  const gateway = gatewayFor({
    database,
    models: [
      { alias: "main", routes: [["chat", "sim-usage-499700-100"]] },
      {
        alias: "long",
        maxOutputTokens: 64_000,
        routes: [["chat", "sim-first-3000ms"]],
        prices: { input: 0, output: 1_000_000 },
      },
      { alias: "hold", routes: [["chat", "sim-first-400ms"]], prices: { input: 0, output: 1_000_000 } },
      {
        alias: "exact",
        routes: [["chat", "sim-first-400ms+usage-1-10"]],
        prices: { input: 0, output: 1_000_000 },
      },
    ],
  });

  /** Source: docs/reliability.md#r-1. */
  test("200 parallel calls on a key whose quota covers 7 holds: 7 answers, 193 refusals, nothing left held", async () => {
    const { server } = gateway;
    // Output at 1 cent a token: a hold is max_tokens cents, whatever the prompt.
    const user = await server.user({ quota: 70 });
    const upstreamBefore = gateway.upstream.counters().byModel["sim-first-400ms+usage-1-10"] ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        server.gateway("/v1/chat/completions", user.key, chatBody("exact", { max_tokens: 10 })),
      ),
    );
    const refused = answers.filter(({ status }) => status === 402);
    const surprises = answers.filter(({ status }) => status !== 200 && status !== 402);
    expect(await Promise.all(surprises.map((answer) => answer.text()))).toEqual([]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(refused).toHaveLength(193);
    expect((gateway.upstream.counters().byModel["sim-first-400ms+usage-1-10"] ?? 0) - upstreamBefore).toBe(7);
    const body: ErrorBody = await refused[0]?.json();
    expect(body.error).toMatchObject({ code: "QUOTA_EXCEEDED", type: "insufficient_quota" });
    const money = await keyMoney(server, user);
    expect(money).toMatchObject({ held: 0, usedQuota: 70 });
    expect(await reconcile(server)).toMatchObject({ ok: true, mismatches: [] });
  });

  test("one call of 64,000 tokens at a high price holds most of a small account: the next is told that this is held, not spent", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 80_000 });
    const large = server.gateway("/v1/chat/completions", user.key, chatBody("long", { max_tokens: 64_000 }));
    await eventually(async () => ((await keyMoney(server, user)).held > 0 ? true : null));
    const next = await server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("long", { max_tokens: 64_000 }),
    );
    const { error } = (await next.json()) as ErrorBody; // asserted below
    expect([next.status, error.code]).toEqual([402, "QUOTA_EXCEEDED"]);
    expect(error.message).toMatch(/16000 cents are left and 64000 cents are held, not spent/);
    expect(Number(next.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const answer = await large;
    expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
    const { held, usedQuota } = await keyMoney(server, user);
    expect([held, usedQuota < 64_000]).toEqual([0, true]);
  });

  test("a refusal caused by running requests says what is held, not spent, and when to try again", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 10 });
    const running = server.gateway("/v1/chat/completions", user.key, chatBody("hold", { max_tokens: 10 }));
    await eventually(async () => ((await keyMoney(server, user)).held > 0 ? true : null));
    const refused = await server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("hold", { max_tokens: 10 }),
    );
    expect(refused.status).toBe(402);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const body: ErrorBody = await refused.json();
    expect(body.error.message).toMatch(/10 cents are held, not spent/);
    expect((await running).status).toBe(200);
  });

  test("the last flight is admitted on what is left, and the next call is refused", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 1 });
    const call = () => server.gateway("/v1/chat/completions", user.key, chatBody("hold", { max_tokens: 5 }));
    const [first, ...others] = await Promise.all([call(), call(), call(), call()]);
    const statuses = [first, ...others].map((answer) => answer?.status).sort();
    expect(statuses).toEqual([200, 402, 402, 402]);
    const refused = await call();
    expect(refused.status).toBe(402);
    const body: ErrorBody = await refused.json();
    // The last call has cost more than the one cent that there was.
    expect(body.error.message).toMatch(/used up: -\d+(\.\d+)? cents are left/);
    expect(refused.headers.get("retry-after")).toBeNull();
    expect((await keyMoney(server, user)).held).toBe(0);
  });

  /** Source: docs/reliability.md#r-6. */
  test("a key without quota gets 402 before any upstream is asked, and is charged nothing", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 0 });
    const before = gateway.upstream.counters().requests;
    const refused = await server.gateway("/v1/messages", user.key, chatBody("main"));
    expect(refused.status).toBe(402);
    const body: ErrorBody = await refused.json();
    expect(body.error).toMatchObject({ code: "QUOTA_EXCEEDED", type: "billing_error" });
    expect(gateway.upstream.counters().requests).toBe(before);
    expect(await logEntry(server, user, requestIdOf(refused))).toMatchObject({
      status: "error",
      httpStatus: 402,
      errorCode: "QUOTA_EXCEEDED",
      cost: "0",
    });
  });

  /** Source: docs/reliability.md#r-24. */
  test("a key's own quota above the account's does not buy more than the account has", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 1_000_000 });
    const admin = await server.adminToken();
    const self = await server.api<{ id: string }>("GET", "/api/user/self", user.token);
    const lowered = await server.api("PATCH", `/api/admin/users/${self.body.id}`, admin, { quota: 60 });
    expect(lowered.status).toBe(200);
    const call = () => server.gateway("/v1/chat/completions", user.key, chatBody("main"));
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(200);
    const refused = await call();
    expect(refused.status).toBe(402);
    const body: ErrorBody = await refused.json();
    expect(body.error.message).toContain("the account");
  });
});

describe("QUOTA_STRICT=1", () => {
  const gateway = gatewayFor({
    env: { QUOTA_STRICT: "1" },
    models: [{ alias: "hold", routes: [["chat", "sim-a"]], prices: { input: 0, output: 1_000_000 } }],
  });

  /** Source: docs/reliability.md#r-14. */
  test("a call whose hold is not covered is refused, even the first", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 9 });
    const refused = await server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("hold", { max_tokens: 10 }),
    );
    expect(refused.status).toBe(402);
    const covered = await server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("hold", { max_tokens: 9 }),
    );
    expect(covered.status).toBe(200);
  });
});
