import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fresh, gatewayFor, keyMoney, logEntry, requestIdOf } from "../support/gateway-fixtures";
import { SayingNode } from "../support/saying-node";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";

type Json = Record<string, unknown>;

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
  ],
});

const PATH = "/v1/responses";

describe.each(["on-chat", "on-responses"])("a response of a node %s", (model) => {
  test("R-24: is found by the next request as soon as it is complete, whole and streamed, under one id", async () => {
    const user = await gateway.key();
    for (const stream of [false, true]) {
      const word = fresh("word");
      const first = await ask(user, { model, input: `Remember ${word}.`, stream });
      expect(first.ids).toHaveLength(1);
      const second = await ask(user, { model, input: "Which?", previous_response_id: first.id, stream });
      expect(sentText(model)).toContain(word);
      expect(sentText(model)).toContain(first.text);
      expect(second.response).toMatchObject({ previous_response_id: first.id, store: true });
    }
  });

  test("is shown, listed and deleted by its own key only", async () => {
    const user = await gateway.key();
    const other = await gateway.key();
    const made = await ask(user, {
      model,
      input: [{ role: "user", content: "Hello" }],
      metadata: { a: "b" },
    });
    const shown = await call("GET", `/${made.id}`, user);
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({ ...made.response });
    const items = await call("GET", `/${made.id}/input_items`, user);
    expect(items.body).toMatchObject({ object: "list", has_more: false });
    expect(items.body.data).toEqual([
      { id: expect.stringMatching(/^msg_/), type: "message", role: "user", content: "Hello" },
    ]);
    for (const path of [`/${made.id}`, `/${made.id}/input_items`, "/resp_0"])
      expect((await call("GET", path, other)).body).toMatchObject({ error: { message: NOT_THERE } });
    expect((await call("DELETE", `/${made.id}`, other)).status).toBe(404);
    expect((await call("DELETE", `/${made.id}`, user)).body).toEqual({
      id: made.id,
      object: "response",
      deleted: true,
    });
    expect((await call("GET", `/${made.id}`, user)).status).toBe(404);
    expect(await refusal(user, { model, input: "x", previous_response_id: made.id })).toMatchObject({
      code: "previous_response_not_found",
      param: "previous_response_id",
    });
  });

  test("with store: false is kept nowhere", async () => {
    const user = await gateway.key();
    const made = await ask(user, { model, input: "Hello", store: false });
    expect(made.response.store).toBe(false);
    expect((await call("GET", `/${made.id}`, user)).status).toBe(404);
  });

  test("the second step of the AI SDK's tool loop refers to its items", async () => {
    const user = await gateway.key();
    const question = { role: "user", content: [{ type: "input_text", text: "Hello" }] };
    const first = await ask(user, { model, input: [question] });
    const [item] = first.response.output as Json[];
    const again = { role: "user", content: [{ type: "input_text", text: "And?" }] };
    await ask(user, { model, input: [question, { type: "item_reference", id: item?.id }, again] });
    expect(sentText(model)).toContain(first.text);
    expect(sentText(model)).not.toContain("item_reference");
    const foreign = await refusal(await gateway.key(), { model, input: [question, { id: item?.id }] });
    expect(foreign).toMatchObject({ code: "previous_response_not_found", param: "input[1].id" });
  });

  test("compacted, is restored from the item by a later request of the same key, and billed as a request", async () => {
    const user = await gateway.key();
    const compacted = await call("POST", "/compact", user, { model, input: "A long talk." });
    expect(compacted.body).toMatchObject({
      object: "response.compaction",
      output: [{ type: "compaction", id: expect.stringMatching(/^cmp_/) }],
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    const notes = node.lastAnswer;
    expect(JSON.stringify(compacted.body)).not.toContain(notes);
    const input = [...(compacted.body.output as Json[]), { role: "user", content: "Go on." }];
    await ask(user, { model, input, store: false });
    expect(sentText(model)).toContain(notes);
    const foreign = await refusal(await gateway.key(), { model, input });
    expect(foreign).toMatchObject({ param: "input[0].encrypted_content" });
    const entry = await logEntry(gateway.server, user, compacted.requestId);
    expect(entry).toMatchObject({ operation: "compact", promptTokens: 10, completionTokens: 5 });
  });

  test.each(["background", "conversation", "prompt"])("with %s is a clear 400", async (param) => {
    const value = param === "background" ? true : { id: "x_1" };
    const refused = await refusal(await gateway.key(), { model, input: "x", [param]: value });
    expect(refused).toMatchObject({ code: "unsupported_parameter", param });
  });
});

test("an error about an item of the request names the client's own place, behind a history too", async () => {
  const user = await gateway.key();
  const first = await ask(user, { model: "on-chat", input: "Hello" });
  const input = [{ role: "user", content: [{ type: "input_image", file_id: "file_1" }] }];
  const plain = await refusal(user, { model: "on-chat", input });
  expect(plain.param).toMatch(/^input\[0\]/);
  const behind = await refusal(user, { model: "on-chat", input, previous_response_id: first.id });
  expect(behind.param).toBe(plain.param);
});

test("input items come in pages, in both orders", async () => {
  const user = await gateway.key();
  const input = ["a", "b", "c"].map((text) => ({ role: "user", content: text }));
  const { id } = await ask(user, { model: "on-chat", input });
  const page = async (query: string) => {
    const { body } = await call("GET", `/${id}/input_items?${query}`, user);
    return {
      texts: (body.data as Json[]).map(({ content }) => content),
      more: body.has_more,
      last: body.last_id,
    };
  };
  const first = await page("limit=2&order=asc");
  expect(first).toMatchObject({ texts: ["a", "b"], more: true });
  expect(await page(`order=asc&after=${first.last}`)).toMatchObject({ texts: ["c"], more: false });
  expect(await page("")).toMatchObject({ texts: ["c", "b", "a"], more: false });
  for (const query of ["limit=0", "limit=101", "order=up", "after=nothing"])
    expect((await call("GET", `/${id}/input_items?${query}`, user)).status).toBe(400);
});

test("nothing runs in the background: cancelling and streaming again are clear 400s", async () => {
  const user = await gateway.key();
  const { id } = await ask(user, { model: "on-chat", input: "Hello" });
  expect((await call("POST", `/${id}/cancel`, user, {})).status).toBe(400);
  expect((await call("GET", `/${id}?stream=true`, user)).status).toBe(400);
  expect((await call("POST", `/${id}/nothing`, user, {})).status).toBe(404);
});

test("input tokens are counted with what the request refers to", async () => {
  const user = await gateway.key();
  const { id } = await ask(user, { model: "on-chat", input: "words ".repeat(100) });
  const count = async (fields: Json) => {
    const { body } = await call("POST", "/input_tokens", user, { model: "on-chat", ...fields });
    expect(body.object).toBe("response.input_tokens");
    return Number(body.input_tokens);
  };
  const alone = await count({ input: "Hello" });
  expect(alone).toBeLessThan(20);
  expect(await count({ input: "Hello", previous_response_id: id })).toBeGreaterThan(alone + 90);
});

test("compacting without a model is a 400 that names it", async () => {
  const { status, body } = await call("POST", "/compact", await gateway.key(), { input: "x" });
  expect([status, (body.error as Json).param]).toEqual([400, "model"]);
});

describe("a compaction", () => {
  const compact = (user: TestUser, fields: Json) =>
    call("POST", "/compact", user, { model: "on-chat", ...fields });
  const refusals: [field: string, body: Json][] = [
    ...[{}, { input: "" }, { input: [] }, { input: null }].map((body): [string, Json] => ["input", body]),
    ["conversation", { conversation: "conv_1" }],
    ["background", { background: true }],
    ["prompt", { prompt: { id: "p" } }],
    ["store", { store: "x" }],
    ["tools", { tools: 5 }],
    ["stream", { stream: true }],
    ["max_tool_calls", { max_tool_calls: -1 }],
  ];

  test("of a body that a generation refuses is the same 400, asks no node and costs nothing", async () => {
    const user = await gateway.key();
    const asked = upstream?.calls.length;
    for (const [field, body] of refusals) {
      const fields = field === "input" ? body : { input: "A long talk.", ...body };
      const { status, body: answer } = await compact(user, fields);
      expect([status, (answer.error as Json | undefined)?.param], JSON.stringify(body)).toEqual([400, field]);
      const isState = ["conversation", "background", "prompt"].includes(field);
      if (isState) expect(answer).toMatchObject({ error: { code: "unsupported_parameter" } });
    }
    expect(upstream?.calls.length).toBe(asked);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test("tells which fields it leaves out, and takes an empty input behind a stored response", async () => {
    const user = await gateway.key();
    const f = { type: "function", name: "f", parameters: {} };
    const fields = { input: "A long talk.", tools: [f], metadata: { a: "b" }, stream: false, made_up: 1 };
    const told = await compact(user, fields);
    expect([told.status, told.warnings]).toEqual([
      200,
      expect.stringContaining("dropped:tools,dropped:made_up"),
    ]);
    const entry = await logEntry(gateway.server, user, told.requestId);
    expect(entry.warnings).toContain("dropped:made_up");
    const strict = { "x-tollgate-strict": "1" };
    const whole = { model: "on-chat", ...fields };
    const refused = await gateway.server.gateway(`${PATH}/compact`, user.key, whole, strict);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: "tools" } }]);
    const { id } = await ask(user, { model: "on-chat", input: "Hello" });
    expect((await compact(user, { previous_response_id: id })).status).toBe(200);
  });
});

test("every input item is listed once and the list ends, whatever ids the client gave its items", async () => {
  const user = await gateway.key();
  const message = (text: string, id?: string) => ({
    type: "message",
    role: "user",
    content: text,
    ...(id && { id }),
  });
  const input = [message("a", "msg_x"), message("b", "msg_x"), message("c"), message("d", "msg_x")];
  const { id } = await ask(user, { model: "on-chat", input });
  for (const order of ["asc", "desc"]) {
    const texts: unknown[] = [];
    let after = "";
    for (let page = 0; page < 10; page += 1) {
      const { body } = await call("GET", `/${id}/input_items?limit=1&order=${order}${after}`, user);
      texts.push(...(body.data as Json[]).map(({ content }) => content));
      after = `&after=${body.last_id}`;
      if (body.has_more !== true) break;
    }
    expect(order === "asc" ? texts : texts.reverse()).toEqual(["a", "b", "c", "d"]);
  }
});

test("the model list has Codex's catalogue beside the data, for Codex only", async () => {
  const user = await gateway.key();
  const list = async (query: string) =>
    (await (await gateway.server.gateway(`/v1/models${query}`, user.key)).json()) as Record<string, Json[]>;
  const forCodex = await list("?client_version=0.169.0");
  expect(forCodex.models?.map(({ slug }) => slug)).toEqual(forCodex.data?.map(({ id }) => id));
  expect(await list("")).not.toHaveProperty("models");
});

const NOT_THERE = "There is no such response for this key: it was not stored, or it has expired.";

const ask = (user: TestUser, body: Json) => node.ask(gateway.server, user, body);

async function refusal(user: TestUser, body: Json): Promise<Json> {
  const reply = await gateway.server.gateway(PATH, user.key, body);
  expect(reply.status).toBe(400);
  return ((await reply.json()) as { error: Json }).error;
}

async function call(method: string, path: string, user: TestUser, body?: Json) {
  const reply = await fetch(`${gateway.server.url}${PATH}${path}`, {
    method,
    headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const warnings = reply.headers.get("x-tollgate-warnings");
  return {
    status: reply.status,
    body: (await reply.json()) as Json,
    requestId: requestIdOf(reply),
    warnings,
  };
}

/** What the node of a model was asked last. */
function sentText(model: string): string {
  const place = model === "on-responses" ? "/r1/" : "/c1/";
  return upstream?.calls.findLast(({ path }) => path.startsWith(place))?.body ?? "";
}
