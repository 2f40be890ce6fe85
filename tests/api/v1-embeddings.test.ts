import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  costCents,
  eventually,
  gatewayFor,
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

/** Written as few serializers write it, so that a re-serialized answer differs. */
const ODD =
  '{ "object":"list", "data":[{"object":"embedding","index":0,"embedding":[1e-05,0.10,-3.0,1E2]}],\n "model":"odd", "usage":{"prompt_tokens":7,"total_tokens":7} }';
const BASE64 =
  '{"object":"list","data":[{"object":"embedding","index":0,"embedding":"rMUnN83MzD0AAEDAAADIQg=="}],"model":"odd","usage":{"prompt_tokens":7,"total_tokens":7}}';

let node: ScriptedUpstream | null = null;
beforeAll(async () => {
  node = await startScriptedUpstream((response, { body }) => {
    const { model, encoding_format: encoding } = JSON.parse(body);
    const headers = { "content-type": "application/json" };
    if (model === "odd") response.writeHead(200, headers).end(encoding === "base64" ? BASE64 : ODD);
    else if (model === "untold") response.writeHead(200, headers).end(ODD.replace(/, "usage".*$/s, "}"));
    else {
      const vector = "A".repeat(Number(model.slice(3)) * 1024 * 1024);
      const data = [{ object: "embedding", index: 0, embedding: vector }];
      sendJson(response, 200, { object: "list", data, model, usage: { prompt_tokens: 7, total_tokens: 7 } });
    }
  });
});
afterAll(() => node?.close());

const gateway = gatewayFor({
  nodes: () => [
    { name: "scripted", url: node?.url ?? "" },
    { name: "on-responses", protocol: "responses" },
  ],
  models: [
    { alias: "words", ...embedding, routes: [["chat", "sim-embedding"]] },
    { alias: "talks", routes: [["chat", "sim-a"]] },
    { alias: "by-responses", ...embedding, routes: [["on-responses", "sim-embedding"]] },
    ...["odd", "untold", "mb-40", "mb-65"].map((model) => ({
      alias: `is-${model}`,
      ...embedding,
      routes: [["scripted", model]] as [string, string][],
    })),
  ],
});

const ask = (user: TestUser, model: string, fields: object = {}, headers: Record<string, string> = {}) =>
  fetch(`${gateway.server.url}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model, input: "hello world", ...fields }),
  });

interface Embeddings {
  model: string;
  data: { index: number; embedding: number[] | string }[];
  usage: { prompt_tokens: number; total_tokens: number };
}

describe("embeddings", () => {
  test("cost exactly input tokens x price, in the header, the receipt, the log and the statistics", async () => {
    const { server } = gateway;
    const user = await server.user();
    const answer = await ask(user, "words", { input: ["one text", "and another one"], dimensions: 8 });
    const body: Embeddings = await answer.json();
    expect([answer.status, body.model, body.data.map(({ index }) => index)]).toEqual([200, "words", [0, 1]]);
    expect(body.data.map(({ embedding: vector }) => vector.length)).toEqual([8, 8]);
    const tokens = body.usage.prompt_tokens;
    expect(body.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    const cost = costCents([[tokens, PRICE]]);
    expect(Number(answer.headers.get("x-tollgate-cost"))).toBe(cost);
    const entry = await logEntry(server, user, requestIdOf(answer));
    expect(entry).toMatchObject({
      operation: "embed",
      protocol: "chat",
      stream: false,
      status: "success",
      promptTokens: tokens,
      completionTokens: 0,
      usageSource: "upstream",
      receipt: {
        billed: true,
        total: String(cost),
        lines: [
          { kind: "input", tokens },
          { kind: "output", tokens: 0 },
        ],
      },
    });
    expect(Number(entry.receipt.held)).toBeGreaterThan(cost);
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: cost, held: 0 });
    const stats = await server.api("GET", "/api/user/stats", user.token);
    expect(stats.body).toMatchObject({
      modelBreakdown: [{ model: "words", requestCount: 1, cost: String(cost) }],
    });
    expect(await reconcile(server)).toMatchObject({ ok: true });
  });

  test("are found in the log by their operation", async () => {
    const { server } = gateway;
    const user = await server.user();
    await (await ask(user, "words")).text();
    await (await server.gateway("/v1/chat/completions", user.key, chatBody("talks"))).text();
    await eventually(async () => ((await logEntries(server, user)).length === 2 ? true : null));
    for (const [operation, model] of [
      ["embed", "words"],
      ["generate", "talks"],
    ]) {
      const page = await server.api("GET", `/api/user/logs?operation=${operation}`, user.token);
      expect(page.body).toMatchObject({ total: 1, data: [{ operation, model }] });
    }
    const odd = await server.api("GET", "/api/user/logs?operation=other", user.token);
    expect(odd).toMatchObject({
      status: 400,
      body: { error: { fields: { operation: [expect.any(String)] } } },
    });
  });

  test.each([
    ["float", ODD],
    ["base64", BASE64],
    [undefined, ODD],
  ])("pass byte for byte in both directions but for the model's name (%s)", async (encoding, bytes) => {
    const user = await gateway.key();
    const sent = `{ "input" : [[1,2,3]] , "model":"is-odd",\n"odd_field":1.50${encoding ? `,"encoding_format":"${encoding}"` : ""}}`;
    const answer = await fetch(`${gateway.server.url}${PATH}`, {
      method: "POST",
      headers: { "x-api-key": user.key, "content-type": "application/json" },
      body: sent,
    });
    expect(await answer.text()).toBe(bytes.replace('"odd"', '"is-odd"'));
    expect(node?.calls.at(-1)).toMatchObject({
      path: "/v1/embeddings",
      body: sent.replace('"is-odd"', '"odd"'),
    });
  });

  test("of a node that tells no usage are counted, told and marked as estimated", async () => {
    const { server } = gateway;
    const user = await gateway.key();
    const answer = await ask(user, "is-untold", { input: [[5, 6, 7]] });
    const text = await answer.text();
    expect(text).toContain("[1e-05,0.10,-3.0,1E2]");
    expect(JSON.parse(text)).toMatchObject({
      model: "is-untold",
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    expect(answer.headers.get("x-usage-estimated")).toBe("1");
    expect(await logEntry(server, user, requestIdOf(answer))).toMatchObject({
      promptTokens: 3,
      usageSource: "estimated",
      cost: String(costCents([[3, PRICE]])),
    });
  });

  test("pass up to 64 MiB of them; a node that sends more has failed, and costs nothing", async () => {
    const user = await gateway.key();
    const large = await ask(user, "is-mb-40");
    expect([large.status, (await large.text()).length]).toEqual([200, expect.any(Number)]);
    expect(large.headers.get("content-length")).toMatch(/^4194\d{4}$/);
    const cost = costCents([[7, PRICE]]);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: cost, held: 0 });
    expect((await ask(user, "is-mb-65")).status).toBe(502);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: cost, held: 0 });
  });

  test("are made by nodes of protocol responses too", async () => {
    const user = await gateway.key();
    const answer = await ask(user, "by-responses");
    expect([answer.status, await answer.json()]).toMatchObject([200, { model: "by-responses" }]);
    const { attempts } = await logEntry(gateway.server, user, requestIdOf(answer));
    expect(attempts).toMatchObject([{ protocol: "responses", result: "ok" }]);
  });

  test("are explained without being made", async () => {
    const user = await gateway.key();
    const answer = await ask(user, "words", {}, { "x-tollgate-explain": "1" });
    expect(await answer.json()).toMatchObject({
      model: "words",
      maxTokens: 0,
      attempts: [{ n: 1, warnings: [] }],
    });
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test("are listed as what they are", async () => {
    const user = await gateway.key();
    const answer = await fetch(`${gateway.server.url}/v1/models/words`, {
      headers: { authorization: `Bearer ${user.key}` },
    });
    expect(await answer.json()).toMatchObject({ id: "words", kind: "embedding" });
    const models = await gateway.server.api("GET", "/api/user/models", user.token);
    expect(models.body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ id: "words", kind: "embedding" }),
        expect.objectContaining({ id: "talks", kind: "generation" }),
      ]),
    });
  });
});
