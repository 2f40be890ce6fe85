import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";
import { expectFetchRefusal, expectRefusal } from "../support/v1-refusal";

const LIMIT = 64 * 1024;
const gateway = gatewayFor({
  env: { MAX_BODY_BYTES: String(LIMIT), CORS_ORIGINS: "https://chat.example,https://other.example" },
  plans: [
    { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000, selfService: true },
    { id: 2, name: "Once", qps: null, rpm: 1, tpm: null, keyQuotaCents: 1_000, selfService: true },
  ],
  models: [
    { alias: "good", routes: [["chat", "sim-echo"]] },
    { alias: "other", routes: [["chat", "sim-echo"]] },
  ],
});

const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const RESPONSES = "/v1/responses";
const json = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });

describe("paths and methods", () => {
  /** Source: docs/reliability.md#r-19. */
  test.each([
    "/v1/embeddings/x",
    "/v1/completions",
    "/v1/messages/batches",
    "/v1/foo",
    "/v1/chat",
    "/v1//models",
    "/v1/chat/completions/x",
  ])("%s does not exist, and says in JSON what does", async (path) => {
    const { server, upstream } = gateway;
    const key = await gateway.key();
    const asked = upstream.counters().requests;
    const answer = await server.gateway(path, key.key, chatBody("good"));
    const error = await expectFetchRefusal(answer, "/v1/unknown", "NOT_FOUND");
    expect(error.message).toMatch(/Use \/v1\/chat\/completions|base URL/);
    expect(upstream.counters().requests).toBe(asked);
  });

  test.each([
    ["GET", CHAT, "POST"],
    ["DELETE", CHAT, "POST"],
    ["PUT", MESSAGES, "POST"],
    ["GET", "/v1/messages/count_tokens", "POST"],
    ["GET", "/v1/embeddings", "POST"],
    ["POST", "/v1/models", "GET, HEAD"],
    ["POST", "/v1/usage", "GET"],
    ["DELETE", "/v1/models/good", "GET"],
  ])("%s %s is not allowed, and says what is", async (method, path, allow) => {
    const answer = await rawCall(gateway.server.url, { method, path });
    expectRefusal({ ...answer, text: answer.body }, path, "METHOD_NOT_ALLOWED");
    expect(answer.headers.allow).toBe(allow);
  });

  test("HEAD /v1 and HEAD /v1/models are answered without a body", async () => {
    const key = await gateway.key();
    const probe = await rawCall(gateway.server.url, { method: "HEAD", path: "/v1" });
    expect([probe.status, probe.body]).toEqual([200, ""]);
    const models = await rawCall(gateway.server.url, {
      method: "HEAD",
      path: "/v1/models",
      headers: json(key.key),
    });
    expect([models.status, models.body]).toEqual([200, ""]);
  });

  test.each([
    "/v1/messages?beta=true",
    "/v1/messages/",
    "/v1/chat/completions/?x=1",
    "/v1/chat%2Fcompletions",
  ])("%s is found without a redirect", async (path) => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(path, key.key, chatBody("good"));
    expect(answer.status).toBe(200);
    expect(answer.redirected).toBe(false);
  });

  test.each(["/v1/%zz", "/v1/models/%ff"])("the malformed path %s is a 400 in JSON", async (path) => {
    const answer = await rawCall(gateway.server.url, { method: "GET", path });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.code).toBe("INVALID_REQUEST");
  });
});

describe("bodies", () => {
  /** Source: docs/reliability.md#r-122. */
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "of type %j are not read",
    async (type) => {
      const key = await gateway.key();
      for (const path of [CHAT, MESSAGES]) {
        const answer = await rawCall(gateway.server.url, {
          path,
          headers: { authorization: `Bearer ${key.key}`, ...(type === "" ? {} : { "content-type": type }) },
          pieces: [JSON.stringify(chatBody("good"))],
        });
        expectRefusal({ ...answer, text: answer.body }, path, "UNSUPPORTED_MEDIA_TYPE");
      }
    },
  );

  test("of type application/json with a charset are read", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, chatBody("good"), {
      "content-type": "Application/JSON; charset=utf-8",
    });
    expect(answer.status).toBe(200);
  });

  const large = (bytes: number) =>
    JSON.stringify(chatBody("good", { messages: [{ role: "user", content: "x".repeat(bytes) }] }));

  test("over the limit are refused by their declared length, before the key is looked at or a byte is read", async () => {
    for (const path of [CHAT, MESSAGES, "/v1/messages/count_tokens"]) {
      const answer = await rawCall(gateway.server.url, {
        path,
        headers: { ...json("tgw-unknown"), "content-length": String(LIMIT + 1) },
        pieces: ["{"],
        unfinished: true,
      });
      expectRefusal({ ...answer, text: answer.body }, path, "PAYLOAD_TOO_LARGE");
    }
  });

  test("over the limit that come in pieces without a length are refused while they are read", async () => {
    const key = await gateway.key();
    const { requests } = gateway.upstream.counters();
    const text = large(LIMIT * 2);
    const answer = await rawCall(gateway.server.url, {
      path: CHAT,
      headers: json(key.key),
      pieces: text.match(/.{1,16000}/gs) ?? [],
    });
    expectRefusal({ ...answer, text: answer.body }, CHAT, "PAYLOAD_TOO_LARGE");
    expect(gateway.upstream.counters().requests).toBe(requests);
    expect(await keyMoney(gateway.server, key)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test("under the limit arrive whole, however they are cut", async () => {
    const key = await gateway.key();
    const content = "Grüße 🙂 ".repeat(1_500);
    const text = JSON.stringify(
      chatBody("good", { max_tokens: 90_000, messages: [{ role: "user", content }] }),
    );
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1_001) }, (_, at) =>
      bytes.subarray(at * 1_001, (at + 1) * 1_001),
    );
    const answer = await rawCall(gateway.server.url, { path: CHAT, headers: json(key.key), pieces });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).choices[0].message.content).toContain("Grüße 🙂 Grüße 🙂");
  });
});

describe("the first check that fails answers", () => {
  const call = (key: string, body: unknown) => gateway.server.gateway(CHAT, key, body);

  test("key before body, body before model, model before fields, fields before limits, limits before quota", async () => {
    const key = await gateway.key({ models: ["good"] });
    const bare = (text: string, credential: string) =>
      fetch(gateway.server.url + CHAT, { method: "POST", headers: json(credential), body: text });
    await expectFetchRefusal(await bare("{broken", "tgw-unknown"), CHAT, "INVALID_API_KEY");
    await expectFetchRefusal(await bare("{broken", key.key), CHAT, "INVALID_REQUEST");
    await expectFetchRefusal(
      await call(key.key, chatBody("none", { max_tokens: 0 })),
      CHAT,
      "MODEL_NOT_FOUND",
    );
    await expectFetchRefusal(await call(key.key, chatBody("other", { max_tokens: 0 })), CHAT, "FORBIDDEN");

    const poor = await gateway.key({ planId: 2, quota: 0 });
    await expectFetchRefusal(await call(poor.key, chatBody("good")), CHAT, "QUOTA_EXCEEDED");
    await expectFetchRefusal(await call(poor.key, chatBody("good")), CHAT, "RATE_LIMITED");
    await expectFetchRefusal(
      await call(poor.key, chatBody("good", { max_tokens: 0 })),
      CHAT,
      "INVALID_REQUEST",
    );
  });
});

describe("request ids", () => {
  test("are ours on every answer; the caller's own is kept in the log only", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, chatBody("good"), {
      "x-request-id": "mine-1",
    });
    const id = answer.headers.get("x-request-id");
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(answer.headers.get("request-id")).toBe(id);
  });
});

describe("CORS", () => {
  const preflight = (origin: string) =>
    rawCall(gateway.server.url, {
      method: "OPTIONS",
      path: CHAT,
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-stainless-lang",
      },
    });

  test("lets the listed origins in, with the headers they ask for", async () => {
    const answer = await preflight("https://chat.example");
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-origin"]).toBe("https://chat.example");
    expect(answer.headers["access-control-allow-headers"]).toContain("x-stainless-lang");
    expect(answer.headers["access-control-allow-methods"]).toContain("POST");
    expect(answer.headers.vary).toMatch(/origin/i);
  });

  test("lets nobody else in, and nobody into /api", async () => {
    expect((await preflight("https://evil.example")).headers["access-control-allow-origin"]).toBeUndefined();
    const account = await fetch(`${gateway.server.url}/api/user/self`, {
      headers: { origin: "https://chat.example" },
    });
    expect(account.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("covers answers and refusals, and shows the headers programs read", async () => {
    const key = await gateway.key();
    for (const model of ["good", "none"]) {
      const answer = await gateway.server.gateway(CHAT, key.key, chatBody(model), {
        origin: "https://other.example",
      });
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://other.example");
      for (const name of ["request-id", "x-request-id", "retry-after"])
        expect(answer.headers.get("access-control-expose-headers")).toContain(name);
    }
  });
});

test("no answer allows the GET that is there only to refuse WebSockets", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE", "HEAD"]) {
    const answer = await fetch(`${gateway.server.url}${RESPONSES}`, { method });
    expect([answer.status, answer.headers.get("allow")], method).toEqual([405, "POST"]);
  }
});

test("a path that cannot be decoded is refused in the words of the API that it is for", async () => {
  const { status, body } = await rawCall(gateway.server.url, { method: "GET", path: `${RESPONSES}/%ff` });
  expect([status, JSON.parse(body)]).toMatchObject([
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", param: null, details: { error_code: "INVALID_REQUEST" } },
    },
  ]);
  expect(JSON.parse(body).error).not.toHaveProperty("requestId");
});

test("a WebSocket without a credential is a 401; any other GET is a 405", async () => {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "openai-beta": "responses_websockets=2026-02-06",
  };
  const handshake = await rawCall(gateway.server.url, { method: "GET", path: RESPONSES, headers });
  expect(handshake.status).toBe(401);
  expect(JSON.parse(handshake.body).error.code).toBe("invalid_api_key");
  expect((await rawCall(gateway.server.url, { method: "GET", path: RESPONSES })).status).toBe(405);
});
