import { beforeEach, describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";
import type { TestUser } from "../support/server";
import { expectRefusal } from "../support/v1-refusal";

const gateway = gatewayFor({
  // Every test is an address of its own: one address may be wrong 50 times a second only.
  env: { TRUST_PROXY: "1" },
  models: [{ alias: "good", routes: [["chat", "sim-a"]] }],
});

let address = 0;
beforeEach(() => {
  address += 1;
});

const calls = [
  { method: "POST", path: "/v1/chat/completions" },
  { method: "POST", path: "/v1/messages" },
  { method: "POST", path: "/v1/messages/count_tokens" },
  { method: "GET", path: "/v1/models" },
  { method: "GET", path: "/v1/models/good" },
  { method: "GET", path: "/v1/usage" },
  { method: "GET", path: "/v1/usage/019a0000-0000-7000-8000-000000000000" },
];

function send(call: { method: string; path: string }, headers: Record<string, string>) {
  const body = call.method === "POST" ? [JSON.stringify(chatBody("good"))] : [];
  return rawCall(gateway.server.url, {
    ...call,
    headers: { "content-type": "application/json", "x-forwarded-for": `10.0.0.${address}`, ...headers },
    pieces: body,
  });
}

/** Source: docs/reliability.md#r-99, #r-100, #r-101. */
describe.each(calls)("$method $path", (call) => {
  test("takes the key from any of three headers; of those that differ x-api-key counts, then api-key", async () => {
    const { key } = await gateway.key();
    const other = await gateway.key();
    const bearer = { authorization: `Bearer ${key}` };
    const good = call.path.startsWith("/v1/usage/") ? 404 : 200;
    const accepted: Record<string, string>[] = [
      bearer,
      { "x-api-key": key },
      { "api-key": key },
      { "Api-Key": ` ${key} ` },
      { authorization: `bearer   ${key}` },
      { ...bearer, "x-api-key": key, "api-key": key },
      { ...bearer, "x-api-key": other.key },
      { ...bearer, "api-key": other.key },
      { ...bearer, "x-api-key": "", "api-key": "" },
      { authorization: "Bearer tgw-nonsense", "x-api-key": key },
      { authorization: "Bearer tgw-nonsense", "api-key": key },
      { authorization: "Basic dXNlcjpwYXNz", "api-key": key },
      { "api-key": "tgw-nonsense", "x-api-key": key },
      { "api-key": key, "x-api-key": "" },
    ];
    for (const headers of accepted)
      expect([Object.keys(headers), (await send(call, headers)).status]).toEqual([
        Object.keys(headers),
        good,
      ]);
    const spoilings: Record<string, string>[] = [
      { "x-api-key": "tgw-nonsense" },
      { "api-key": "tgw-nonsense" },
      { "api-key": key, "x-api-key": "tgw-nonsense" },
    ];
    for (const spoiling of spoilings) {
      const spoiled = await send(call, { ...bearer, ...spoiling });
      expectRefusal({ ...spoiled, text: spoiled.body }, call.path, "INVALID_API_KEY");
    }
  });

  test("counts for the key of the header that wins", async () => {
    const [first, second, third] = [await gateway.key(), await gateway.key(), await gateway.key()];
    for (const user of [second, third]) {
      await gateway.server.api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, { status: "disabled" });
    }
    const all = { "x-api-key": first.key, "api-key": second.key, authorization: `Bearer ${third.key}` };
    expect((await send(call, all)).status).toBe(call.path.startsWith("/v1/usage/") ? 404 : 200);
    const { "x-api-key": _best, ...rest } = all;
    expect((await send(call, { ...rest, authorization: `Bearer ${first.key}` })).status).toBe(401);
  });

  test("says that a key is missing, and answers every key that is not usable alike", async () => {
    const { key, token } = await gateway.key();
    const missing: Record<string, string>[] = [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: "Bearer " },
      { authorization: `Basic ${key}` },
      { authorization: key },
      { "x-api-key": "" },
      { cookie: `tollgate=${key}` },
    ];
    const bad: Record<string, string>[] = [
      { authorization: `Bearer ${key.slice(0, -1)}` },
      { authorization: `Bearer ${key}x` },
      { authorization: `Bearer ${key.toUpperCase()}` },
      { authorization: `Bearer ${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}` },
      { authorization: `Bearer tgw-${"A".repeat(48)}` },
      { authorization: `Bearer ${token}` },
      { authorization: "Bearer ' OR '1'='1" },
      { authorization: "Bearer %00" },
      { authorization: `Bearer ${Buffer.from("tgw-clé").toString("latin1")}` },
      { "x-api-key": "undefined" },
      { "api-key": "undefined" },
      { "api-key": `Bearer ${key}` },
      { "x-api-key": "null" },
    ];
    const bodiesOf = async (credentials: Record<string, string>[]) => {
      const bodies = new Set<string>();
      for (const headers of credentials) {
        const answer = await send(call, headers);
        expectRefusal({ ...answer, text: answer.body }, call.path, "INVALID_API_KEY");
        bodies.add(JSON.stringify({ ...JSON.parse(answer.body), request_id: "" }));
      }
      return [...bodies];
    };
    // Google's clients send a key in the query; theirs is the list of models that is asked for so.
    const inQuery = call.path.startsWith("/v1/models") ? "" : `&key=${key}`;
    const query = await send({ ...call, path: `${call.path}?api_key=${key}${inQuery}` }, {});
    expect(query.status).toBe(401);
    expect(await bodiesOf(missing)).toEqual([expect.stringContaining("no API key")]);
    expect(await bodiesOf(bad)).toEqual([expect.stringContaining("unknown, disabled, expired or revoked")]);
  });
});

/** Source: docs/reliability.md#r-100. */
test("a header of 100 KB is refused as JSON, and the server goes on", async () => {
  const long = await send(calls[0] ?? { method: "POST", path: "/" }, {
    authorization: `Bearer ${"x".repeat(100_000)}`,
  });
  expect([401, 431]).toContain(long.status);
  expect(JSON.parse(long.body).error.message).toBeTruthy();
  const { key } = await gateway.key();
  expect((await gateway.server.gateway("/v1/models", key)).status).toBe(200);
});

test("an address may be wrong 50 times a second; then it waits, and good keys from it do not", async () => {
  const [call = { method: "POST", path: "/" }] = calls;
  const { key } = await gateway.key();
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => send(call, { authorization: "Bearer tgw-unknown" })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(50);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect((await send(call, { authorization: `Bearer ${key}` })).status).toBe(200);
});

/** Source: docs/reliability.md#r-102, #r-103. */
describe("a key that must not be used any more", () => {
  const states: Record<string, (user: TestUser) => Promise<unknown>> = {
    disabled: (user) => change(user, { status: "disabled" }),
    deleted: (user) => gateway.server.api("DELETE", `/api/user/tokens/${user.keyId}`, user.token),
    expired: async (user) => {
      const soon = Date.now() + 300;
      await change(user, { expiresAt: new Date(soon).toISOString() });
      await eventually(async () => (Date.now() > soon ? true : null));
    },
  };

  test.each(Object.keys(states))(
    "because it is %s gets the answer of an unknown one, on the very next call",
    async (state) => {
      const user = await gateway.key();
      const headers = { authorization: `Bearer ${user.key}` };
      for (const call of calls.slice(0, 5)) expect((await send(call, headers)).status).toBe(200);
      await states[state]?.(user);
      const unknown = await send(calls[0] ?? { method: "", path: "" }, {
        authorization: "Bearer tgw-unknown",
      });
      for (const call of calls) {
        const answer = await send(call, headers);
        const error = expectRefusal({ ...answer, text: answer.body }, call.path, "INVALID_API_KEY");
        expect(error.message).toBe(JSON.parse(unknown.body).error.message);
      }
      if (state === "disabled") {
        expect((await keyMoney(gateway.server, user)).held).toBe(0);
        await change(user, { status: "active" });
        expect((await send(calls[0] ?? { method: "", path: "" }, headers)).status).toBe(200);
      }
    },
  );
});

function change(user: TestUser, fields: Record<string, unknown>) {
  return gateway.server.api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, fields);
}
