import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  costCents,
  type ErrorBody,
  eventually,
  gatewayFor,
  type KeyMoney,
  keyMoney,
  logEntries,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";

const PATH = "/v1/embeddings";
const PRICE = 13;
const embedding = { kind: "embedding", prices: { input: PRICE, output: 0 } };

/** Answers of the scripted node that wait for their test. */
const waiting: ServerResponse[] = [];
let node: ScriptedUpstream | null = null;
beforeAll(async () => {
  node = await startScriptedUpstream((response, { body }) => {
    const { model } = JSON.parse(body);
    if (model === "few") sendJson(response, 200, { object: "list", data: [], model });
    else if (model === "streaming")
      response.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"object":"list"}\n\n');
    else if (model === "picky")
      sendJson(response, 400, {
        error: { message: "too many dimensions", type: "invalid_request_error", param: "dimensions" },
      });
    else {
      if (model === "half")
        response.writeHead(200, { "content-type": "application/json" }).write('{ "object":"list", "data":[');
      waiting.push(response);
    }
  });
});
afterAll(() => node?.close());

const gateway = gatewayFor({
  nodes: () => [{ name: "scripted", url: node?.url ?? "" }],
  plans: [
    { id: 1, name: "Free", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000_000, selfService: true },
    {
      id: 2,
      name: "Tight",
      qps: null,
      rpm: null,
      tpm: 1_000,
      keyQuotaCents: 1_000_000_000,
      selfService: true,
    },
  ],
  models: [
    { alias: "words", ...embedding, routes: [["chat", "sim-embedding"]] },
    { alias: "talks", routes: [["chat", "sim-a"]] },
    { alias: "untalkative", ...embedding, routes: [["messages", "sim-embedding"]] },
    ...["few", "streaming", "picky", "half", "silent"].map((model) => ({
      alias: `is-${model}`,
      ...embedding,
      routes: [["scripted", model]] as [string, string][],
    })),
    {
      alias: "twice",
      ...embedding,
      routes: [
        ["refusing", "sim-embedding", 0],
        ["messages-b", "sim-embedding", 1],
        ["chat-b", "sim-embedding", 2],
      ],
    },
    {
      alias: "one-model",
      ...embedding,
      routes: [
        ["chat", "sim-500", 0],
        ["chat-b", "sim-embedding", 1],
      ],
    },
    {
      alias: "broken-twice",
      ...embedding,
      routes: [
        ["chat", "sim-502", 0],
        ["chat-b", "sim-502", 1],
      ],
    },
    {
      alias: "cent-a-token",
      kind: "embedding",
      prices: { input: 1_000_000, output: 0 },
      routes: [["chat", "sim-first-400ms+usage-83-0"]],
    },
  ],
});

const ask = (user: TestUser, model: string, fields: object = {}) =>
  fetch(`${gateway.server.url}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input: "hello world", ...fields }),
  });

describe("a request that is refused costs nothing and says why", () => {
  const wrongs: [string, string, object, RegExp][] = [
    [
      PATH,
      "talks",
      {},
      /`talks` makes no embeddings\. Use POST \/v1\/chat\/completions or POST \/v1\/messages/,
    ],
    ["/v1/chat/completions", "words", {}, /`words` makes embeddings only\. Use POST \/v1\/embeddings\./],
    ["/v1/messages", "words", {}, /Use POST \/v1\/embeddings\./],
    ["/v1/messages/count_tokens", "words", {}, /Use POST \/v1\/embeddings\./],
    [PATH, "untalkative", {}, /speak messages, which has no embeddings/],
  ];
  test.each(wrongs)("%s with %s", async (path, model, fields, words) => {
    const user = await gateway.key();
    const answer = await gateway.server.gateway(path, user.key, {
      ...chatBody(model),
      input: "a",
      ...fields,
    });
    const { error }: ErrorBody = await answer.json();
    expect([answer.status, error.code, error.param]).toEqual([400, "INVALID_REQUEST", "model"]);
    expect(error.message).toMatch(words);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test("a bad entry of the input, by its path", async () => {
    const user = await gateway.key();
    const answer = await ask(user, "words", { input: ["a", 5] });
    const { error }: ErrorBody = await answer.json();
    expect([answer.status, error.param]).toEqual([400, "input[1]"]);
    const [entry] = await logEntries(gateway.server, user);
    expect(entry).toMatchObject({
      operation: "embed",
      httpStatus: 400,
      errorCode: "INVALID_REQUEST",
      cost: "0",
    });
  });

  test.each([true, "true", 1])("a stream, however it is asked for: %j", async (stream) => {
    const user = await gateway.key();
    const answer = await ask(user, "words", { stream });
    const { error }: ErrorBody = await answer.json();
    expect([answer.status, error.param]).toEqual([400, "stream"]);
  });

  test("by the node: its words and its field", async () => {
    const user = await gateway.key();
    const answer = await ask(user, "is-picky");
    const { error }: ErrorBody = await answer.json();
    expect([answer.status, error.message, error.param]).toEqual([400, "too many dimensions", "dimensions"]);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test.each(["is-few", "is-streaming", "broken-twice"])("by a node that fails (%s)", async (model) => {
    const user = await gateway.key();
    const answer = await ask(user, model);
    expect([answer.status, ((await answer.json()) as ErrorBody).error.code]).toEqual([502, "UPSTREAM_ERROR"]); // asserted here
    expect(await logEntry(gateway.server, user, requestIdOf(answer))).toMatchObject({
      operation: "embed",
      cost: "0",
    });
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test("beyond a limit of the key's plan", async () => {
    const user = await gateway.key({ planId: 2 });
    const first = await ask(user, "words", { input: Array(900).fill(1) });
    const second = await ask(user, "words", { input: Array(900).fill(1) });
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(1);
    expect(second.headers.get("x-ratelimit-limit-tokens")).toBe("1000");
  });
});

describe("another node takes over", () => {
  test("only with the same upstream model, and never one whose protocol has no embeddings", async () => {
    const { server } = gateway;
    const user = await gateway.key();
    const answer = await ask(user, "twice");
    expect(answer.status).toBe(200);
    const { attempts } = await logEntry(server, user, requestIdOf(answer));
    expect(attempts.map(({ result, protocol }) => [result, protocol])).toEqual([
      ["connect", "chat"],
      ["ok", "chat"],
    ]);
  });

  test("but not with another model, however often the first one fails", async () => {
    const { server, second } = gateway;
    const user = await gateway.key();
    const before = second.counters().byModel["sim-embedding"] ?? 0;
    const statuses = new Set<number>();
    for (let call = 0; call < 8; call += 1) statuses.add((await ask(user, "one-model")).status);
    expect([...statuses].every((status) => status === 502 || status === 503)).toBe(true);
    expect(second.counters().byModel["sim-embedding"] ?? 0).toBe(before);
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });
});

/** The hold of three token ids: they, a frame, 64 and a tenth, at a cent each. */
const HOLD = 83;

test("40 parallel calls on a key whose quota covers 7 holds: 7 answers, 33 refusals, nothing left held", async () => {
  const { server } = gateway;
  const user = await server.user({ quota: 7 * HOLD });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => ask(user, "cent-a-token", { input: [1, 2, 3] })),
  );
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  expect([count(200), count(402)]).toEqual([7, 33]);
  expect(await keyMoney(server, user)).toMatchObject({ held: 0, usedQuota: 7 * HOLD });
  expect(await reconcile(server)).toMatchObject({ ok: true, mismatches: [] });
});

describe("a client that leaves", () => {
  async function leave(model: string): Promise<{ user: TestUser; money: KeyMoney }> {
    const user = await gateway.key();
    const leaving = new AbortController();
    const before = waiting.length;
    const answer = fetch(`${gateway.server.url}${PATH}`, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input: [9, 8, 7] }),
    }).catch(() => null);
    const open = await eventually(async () => waiting[before] ?? null);
    const closed = new Promise<void>((resolve) => open.once("close", resolve));
    leaving.abort();
    await Promise.all([answer, closed]);
    await eventually(async () => ((await logEntries(gateway.server, user)).length > 0 ? true : null));
    return { user, money: await keyMoney(gateway.server, user) };
  }

  test("before the node has answered pays nothing, and the node sees it go", async () => {
    const { user, money } = await leave("is-silent");
    expect(money).toMatchObject({ usedQuota: 0, held: 0 });
    const [entry] = await logEntries(gateway.server, user);
    expect(entry).toMatchObject({ operation: "embed", status: "cancelled", httpStatus: 499, cost: "0" });
  });

  test("while the node's answer comes pays its input, as we count it", async () => {
    const { user, money } = await leave("is-half");
    const cost = costCents([[3, PRICE]]);
    expect(money).toMatchObject({ usedQuota: cost, held: 0 });
    const [entry] = await logEntries(gateway.server, user);
    expect(entry).toMatchObject({
      status: "cancelled",
      promptTokens: 3,
      usageSource: "estimated",
      cost: String(cost),
    });
  });
});
