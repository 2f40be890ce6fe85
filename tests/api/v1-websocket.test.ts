import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fresh, gatewayFor, keyMoney, logEntries, logEntry } from "../support/gateway-fixtures";
import { rawBytes } from "../support/raw-http";
import { SayingNode } from "../support/saying-node";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { openSocket, RefusedHandshake, type SocketEvent } from "../support/socket-client";

const node = new SayingNode();
let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(node.answer);
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  nodes: () => [
    { name: "c1", baseUrl: `${upstream?.url}/c1` },
    { name: "r1", protocol: "responses", baseUrl: `${upstream?.url}/r1` },
  ],
  models: [
    { alias: "on-chat", routes: [["c1", "up"]] },
    { alias: "on-responses", routes: [["r1", "up"]] },
    { alias: "away", routes: [["refusing", "up"]] },
  ],
  plans: [
    { id: 1, name: "Unlimited", qps: null, rpm: null, tpm: null, keyQuotaCents: 1e9, selfService: true },
    { id: 2, name: "One", qps: null, rpm: 1, tpm: null, keyQuotaCents: 1e9, selfService: true },
  ],
  env: { CORS_ORIGINS: "https://allowed.example" },
});

const without = gatewayFor({
  models: [{ alias: "on-chat", routes: [["chat", "sim-usage-1-1"]] }],
  env: { WS_RESPONSES: "0" },
});

const models = ["on-chat", "on-responses"] as const;

function open(user: TestUser, headers: Record<string, string> = {}, path?: string) {
  return openSocket(gateway.server.url, user.key, headers, path);
}

/** What the upstream was asked last. */
function asked(): Record<string, unknown> {
  return JSON.parse(upstream?.calls.at(-1)?.body ?? "null");
}

function requestIdOf({ response }: SocketEvent): string {
  const hex = String(response?.id).replace(/^resp_/, "");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function refusal(opening: Promise<unknown>): Promise<RefusedHandshake> {
  const thrown = await opening.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof RefusedHandshake) return thrown;
  throw new Error(`not refused: ${String(thrown)}`);
}

/** Source: docs/websocket.md#handshake. */
describe("a handshake", () => {
  test.each(["/v1/responses", "/responses", "/v1/responses/", "/v1/responses?x=1"])(
    "at %s opens a socket for a key in any header of keys",
    async (path) => {
      const user = await gateway.key();
      const socket = await open(user, {}, path);
      expect(socket.socket.extensions).toBe("");
      expect((await socket.turn({ model: "on-chat", input: "Hi" })).type).toBe("response.completed");
      await socket.close();
      const other = await openSocket(gateway.server.url, "", { "x-api-key": user.key }, path);
      await other.close();
    },
  );

  test("of a bad key is a 401, of anything else a 426 that says why, and of another origin a 403", async () => {
    const user = await gateway.key();
    const bad = await refusal(openSocket(gateway.server.url, "tgw-nonsense"));
    expect([bad.status, JSON.parse(bad.body).error.code]).toEqual([401, "invalid_api_key"]);
    expect(bad.headers["x-request-id"]).toBeDefined();
    const explained = await refusal(open(user, { "x-tollgate-explain": "1" }));
    expect([explained.status, explained.headers.upgrade]).toEqual([426, "websocket"]);
    expect(JSON.parse(explained.body).error.message).toContain("x-tollgate-explain");
    const page = await refusal(open(user, { origin: "https://other.example" }));
    expect([page.status, JSON.parse(page.body).error.message]).toMatchObject([
      403,
      expect.stringContaining("CORS"),
    ]);
    await (await open(user, { origin: "https://allowed.example" })).close();
  });

  test("beyond 16 sockets of a key is a 426 until one of them closes", async () => {
    const user = await gateway.key();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => open(user)));
    const sockets = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(sockets).toHaveLength(16);
    const more = await Promise.all([refusal(open(user)), refusal(open(user))]);
    for (const refused of more)
      expect([refused.status, JSON.parse(refused.body).error.message]).toMatchObject([
        426,
        expect.stringContaining("16 WebSockets"),
      ]);
    await sockets[0]?.close();
    await (await open(user)).close();
    for (const socket of sockets.slice(1)) await socket.close();
  });

  test("of another version than 13 is a 426; an upgrade of anything else is answered as a request", async () => {
    const user = await gateway.key();
    const head = (lines: string[]) =>
      [...lines, "host: x", "connection: Upgrade, close", `authorization: Bearer ${user.key}`, "", ""].join(
        "\r\n",
      );
    const old = ["GET /v1/responses HTTP/1.1", "upgrade: websocket", "sec-websocket-version: 8"];
    expect(
      await rawBytes(gateway.server.url, head([...old, "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="])),
    ).toMatch(/^HTTP\/1\.1 426 /);
    const keyless = ["GET /v1/responses HTTP/1.1", "upgrade: websocket", "sec-websocket-version: 13"];
    expect(await rawBytes(gateway.server.url, head(keyless))).toMatch(/^HTTP\/1\.1 426 .*Sec-WebSocket-Key/s);
    for (const path of ["/v1/models", "/api/health/live"]) {
      const text = await rawBytes(gateway.server.url, head([`GET ${path} HTTP/1.1`, "upgrade: websocket"]));
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
    }
    const body = JSON.stringify({ model: "on-chat", input: "Hi" });
    const post = ["POST /v1/responses HTTP/1.1", "upgrade: h2c", "http2-settings: AAMAAABkAAQAAP__"];
    const typed = [...post, "content-type: application/json", `content-length: ${body.length}`];
    expect(await rawBytes(gateway.server.url, head(typed) + body)).toMatch(/^HTTP\/1\.1 200 .*completed/s);
  });

  test("R-31: is a 426 without looking at the key where WebSockets are switched off", async () => {
    const refused = await refusal(openSocket(without.server.url, ""));
    expect(refused.status).toBe(426);
    expect(JSON.parse(refused.body).error.message).toContain("supports_websockets = false");
  });

  test("that follows a request on the same connection is answered after it", async () => {
    const { key } = await gateway.key();
    const body = JSON.stringify({ model: "on-chat", input: "Hi" });
    const post = `POST /v1/responses HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const bad =
      "GET /v1/responses HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const text = await rawBytes(gateway.server.url, post + bad);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 401"]);
    const h2c = "GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, close\r\nupgrade: h2c\r\n\r\n";
    const two = await rawBytes(gateway.server.url, post + h2c);
    expect(two.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 401"]);
  });
});

/** Source: docs/websocket.md#turns. */
describe.each(models)("a turn %s", (model) => {
  test("has the events of the stream, its own hold, receipt and log entry", async () => {
    const user = await gateway.key();
    const socket = await open(user);
    for (const turn of [1, 2]) {
      const from = socket.events.length;
      const word = fresh("word");
      const last = await socket.turn({ model, input: word, stream: true });
      expect(last.type).toBe("response.completed");
      const events = socket.events.slice(from);
      expect(events[0]?.type).toBe("response.created");
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      expect(events.every((event) => event.stream_id === undefined)).toBe(true);
      expect(JSON.stringify(last.response?.output)).toContain(node.lastAnswer);
      expect(JSON.stringify(asked())).toContain(word);
      expect(Object.keys(asked())).not.toContain("type");
      const entry = await logEntry(gateway.server, user, requestIdOf(last));
      expect(entry).toMatchObject({
        model,
        protocol: "responses",
        stream: true,
        status: "success",
        httpStatus: 200,
      });
      expect(Number(entry.receipt.total)).toBeGreaterThan(0);
      expect(entry.connection).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), lane: null, turn });
    }
    expect(socket.binaryMessages).toBe(0);
    const entries = (await logEntries(gateway.server, user)).filter(({ tokenId }) => tokenId === user.keyId);
    expect(entries).toHaveLength(2);
    const money = await keyMoney(gateway.server, user);
    expect(money.held).toBe(0);
    expect(money.usedQuota).toBeCloseTo(
      entries.reduce((sum, { cost }) => sum + Number(cost), 0),
      6,
    );
    await socket.close();
  });

  test("that is refused is an error event with the words of POST, and the socket stays", async () => {
    const user = await gateway.key({ planId: 2 });
    const socket = await open(user);
    expect(await socket.turn({ model: "none", input: "Hi" })).toMatchObject({
      type: "error",
      status: 404,
      error: { code: "model_not_found", param: "model" },
    });
    expect(await socket.turn({ model, input: "Hi", background: true })).toMatchObject({
      status: 400,
      error: { code: "unsupported_parameter", param: "background" },
    });
    expect(await socket.turn({ model })).toMatchObject({ status: 400, error: { param: "input" } });
    expect((await socket.turn({ model, input: "Hi" })).type).toBe("response.completed");
    const limited = await socket.turn({ model, input: "Hi", stream_id: "a" });
    expect(limited).toMatchObject({ status: 429, error: { code: "rate_limit_exceeded" }, stream_id: "a" });
    expect(limited.headers).toMatchObject({ "retry-after": expect.stringMatching(/^\d+$/) });
    expect(Object.keys(limited.headers ?? {})).toContain("x-ratelimit-limit-requests");
    await socket.close();
  });
});

test("a quota that is used up is final: 429 insufficient_quota without retry-after", async () => {
  const user = await gateway.key({ quota: 0 });
  const socket = await open(user);
  const refused = await socket.turn({ model: "on-chat", input: "Hi" });
  expect(refused).toMatchObject({ status: 429, error: { code: "insufficient_quota" } });
  expect(refused.headers).not.toHaveProperty("retry-after");
  await socket.close();
});

test("a failure of every node is an error event with the status of POST", async () => {
  const socket = await open(await gateway.key());
  const failed = await socket.turn({ model: "away", input: "Hi" });
  expect(failed).toMatchObject({ type: "error", error: { code: expect.stringMatching(/server/) } });
  expect(failed.status).toBeGreaterThanOrEqual(502);
  await socket.close();
});

/** Source: docs/websocket.md#messages. */
describe("a message", () => {
  test("of an unknown type, and one that is no object, are errors after which the socket goes on", async () => {
    const socket = await open(await gateway.key());
    for (const text of ["nonsense", "[]", '"x"', "{", "{}", '{"type":"response.cancel"}', '{"type":7}']) {
      socket.socket.send(text);
      expect([text, await socket.next()]).toMatchObject([text, { type: "error", status: 400 }]);
    }
    socket.send({ type: "response.cancel" });
    expect((await socket.next()).error?.code).toBe("unknown_event");
    socket.send({ type: "response.processed", response_id: "resp_1" });
    socket.create({ model: "on-chat", input: "Hi", generate: "no" });
    expect((await socket.next()).error?.param).toBe("generate");
    for (const stream_id of ["", "x".repeat(65), "é", 7]) {
      socket.create({ model: "on-chat", input: "Hi", stream_id });
      expect((await socket.next()).error?.param).toBe("stream_id");
    }
    socket.socket.send('{"type":"response.create","model":"on-chat","input":["broken"');
    expect((await socket.next()).status).toBe(400);
    socket.socket.send('{"type":"response.create","model":"on-chat","input":[nonsense]}');
    expect((await socket.next()).error).toMatchObject({ param: "body" });
    expect((await socket.turn({ model: "on-chat", input: "Hi" })).type).toBe("response.completed");
    await socket.close();
  });

  test("that steers gets its input back", async () => {
    const socket = await open(await gateway.key());
    const input = [{ role: "user", content: "Stop é" }];
    socket.send({ type: "response.steer", previous_response_id: "resp_1", input });
    expect(await socket.next()).toMatchObject({
      type: "response.steer.failed",
      error: { code: "steering_not_supported" },
      steer: { previous_response_id: "resp_1", input },
    });
    await socket.close();
  });

  test("that is binary, no UTF-8 or too large ends the socket with the code for it", async () => {
    const user = await gateway.key();
    const binary = await open(user);
    const calls = upstream?.calls.length;
    binary.socket.send(Buffer.from("{}"), { binary: true });
    binary.create({ model: "on-chat", input: "Hi" });
    expect(await binary.closed).toBe(1003);
    expect([binary.events, upstream?.calls.length]).toEqual([[], calls]);
    const broken = await open(user);
    broken.socket.send(Buffer.from([0x7b, 0xff, 0x7d]), { binary: false });
    expect(await broken.closed).toBe(1007);
    const large = await open(user);
    large.socket.send("x".repeat(10 * 1024 * 1024 + 1));
    expect(await large.closed).toBe(1009);
  });
});
