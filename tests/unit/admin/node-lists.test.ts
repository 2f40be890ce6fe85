import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listNodeModels } from "@/lib/admin/node-models";
import { testDraft } from "@/lib/admin/node-test";
import type { Protocol } from "@/lib/protocols/protocol";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { Pools } from "@/lib/upstream/pools";
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
  type UpstreamCall,
} from "@/tests/support/scripted-upstream";

const KEY = "sk-lists-canary-7f3e9b1c5d2a4860";

let pools: Pools;
let upstream: ScriptedUpstream;
let answer: (response: ServerResponse, call: UpstreamCall) => void;

beforeEach(async () => {
  pools = new Pools({ https: null, http: null, noProxy: "" });
  upstream = await startScriptedUpstream((response, call) => answer(response, call));
});

afterEach(async () => {
  await pools.destroy();
  await upstream.close();
});

function node(protocol: Protocol = "chat", fields: Partial<CallableNode> = {}): CallableNode {
  const ms = 2_000;
  const baseUrl = protocol === "messages" ? upstream.url : `${upstream.url}/v1`;
  const place = { provider: null, protocol, baseUrl };
  return {
    ...place,
    id: "draft 1",
    headers: { "x-tenant": "quicksilver" },
    proxy: null,
    ca: null,
    timeouts: { connectMs: ms, firstByteMs: ms, responseMs: ms, idleMs: ms, totalMs: ms },
    apiKey: KEY,
    access: null,
    credentialHeader: credentialHeaderOf(place),
    guarded: false,
    direct: false,
    ...fields,
  };
}

const needsKey = (body: unknown) => (response: ServerResponse, call: UpstreamCall) => {
  if (call.headers.authorization === `Bearer ${KEY}`) sendJson(response, 200, body);
  else sendJson(response, 401, { error: { message: `Incorrect API key provided: ${KEY}` } });
};

describe("a node's list of models", () => {
  test.each(["chat", "responses"] as const)("of a %s node is read below its base URL", async (protocol) => {
    answer = needsKey({
      object: "list",
      data: [
        { id: "text-embedding-4", object: "model" },
        { id: "gpt-5.2", object: "model", context_window: 400_000, name: "GPT-5.2" },
      ],
    });
    const list = await listNodeModels(pools, node(protocol));
    expect(list).toMatchObject({ problem: null, status: 200, truncated: false, error: null });
    expect(list.models).toEqual([
      { id: "gpt-5.2", name: "GPT-5.2", kind: "generation", contextWindow: 400_000 },
      { id: "text-embedding-4", name: null, kind: "embedding", contextWindow: null },
    ]);
    expect(upstream.calls).toMatchObject([
      { path: "/v1/models", headers: { "x-tenant": "quicksilver" }, body: "" },
    ]);
  });

  test("keeps the query of the base URL", async () => {
    answer = needsKey({ data: [] });
    await listNodeModels(pools, node("chat", { baseUrl: `${upstream.url}/openai?api-version=2024-10-21` }));
    expect(upstream.calls[0]?.path).toBe("/openai/models?api-version=2024-10-21");
  });

  test("may be a bare array", async () => {
    answer = needsKey([{ id: "a/b", type: "chat", display_name: "B", context_length: 2048 }]);
    const { models } = await listNodeModels(pools, node());
    expect(models).toEqual([{ id: "a/b", name: "B", kind: "generation", contextWindow: 2048 }]);
  });

  test("of a messages node is read page by page", async () => {
    answer = (response, { path }) => {
      const first = !path.includes("after_id");
      const data = [{ id: first ? "m1" : "m2", display_name: "M" }];
      sendJson(response, 200, { data, has_more: first, last_id: "m 1" });
    };
    const { models, truncated } = await listNodeModels(pools, node("messages"));
    expect(models.map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(truncated).toBe(false);
    expect(upstream.calls.map(({ path }) => path)).toEqual([
      "/v1/models?limit=1000",
      "/v1/models?limit=1000&after_id=m+1",
    ]);
    expect(upstream.calls[0]?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
  });

  test("that never ends is cut after five pages", async () => {
    let page = 0;
    answer = (response) => {
      page += 1;
      sendJson(response, 200, { data: [{ id: `m${page}` }], has_more: true, last_id: `m${page}` });
    };
    const { models, truncated } = await listNodeModels(pools, node("messages"));
    expect([models.length, truncated, upstream.calls.length]).toEqual([5, true, 5]);
  });

  test("is read to its end when an id is half a surrogate pair", async () => {
    answer = (response, { path }) => {
      const first = !path.includes("after_id");
      sendJson(response, 200, { data: [{ id: first ? "m1" : "m2" }], has_more: first, last_id: "\ud800" });
    };
    const { models } = await listNodeModels(pools, node("messages"));
    expect(models.map(({ id }) => id)).toEqual(["m1", "m2"]);
  });

  test("is cut at 2,000 models, and at 4 MiB", async () => {
    answer = needsKey({ data: Array.from({ length: 2_001 }, (_, index) => ({ id: `m${index}` })) });
    const { models, truncated } = await listNodeModels(pools, node());
    expect([models.length, truncated]).toEqual([2_000, true]);
    answer = needsKey({ data: [{ id: "m", description: "x".repeat(4 * 1024 * 1024) }] });
    expect(await listNodeModels(pools, node())).toMatchObject({ problem: "broken", status: 200, models: [] });
  });

  test("leaves out what is no id, and what holds the key", async () => {
    const odd = [null, 7, "plain", {}, { id: 5 }, { id: "" }, { id: "with space" }, { id: "a\u0000b" }];
    answer = needsKey({
      data: [
        ...odd,
        { id: "x".repeat(257) },
        { id: `stolen-${KEY}` },
        { id: "good", display_name: `Ask with ${KEY}\u0007\n now`, context_length: -1 },
      ],
    });
    const list = await listNodeModels(pools, node());
    expect(list.models).toEqual([
      { id: "good", name: "Ask with [key] now", kind: "generation", contextWindow: null },
    ]);
    expect(JSON.stringify(list)).not.toContain(KEY);
  });

  test.each([
    [401, "credential"],
    [402, "credit"],
    [403, "forbidden"],
    [404, "missing"],
    [405, "missing"],
    [418, "refused"],
    [429, "limited"],
    [302, "redirect"],
    [500, "server"],
  ] as const)(
    "that ends with status %i is the problem %s, with the node's words but not its key",
    async (status, problem) => {
      answer = (response) =>
        sendJson(
          response,
          status,
          { error: { message: `no ${KEY}` } },
          { location: "https://elsewhere.example" },
        );
      const list = await listNodeModels(pools, node());
      expect(list).toMatchObject({ problem, status, models: [], truncated: false });
      expect(list.error).toContain("[key]");
      expect(upstream.calls).toHaveLength(1);
    },
  );

  test("of a web page, or of what is no list, says which", async () => {
    for (const status of [200, 404]) {
      answer = (response) =>
        response.writeHead(status, { "content-type": "text/html" }).end("<!DOCTYPE html><p>Hi");
      expect(await listNodeModels(pools, node())).toMatchObject({ problem: "page", status });
    }
    answer = (response) => response.writeHead(200, { "content-type": "text/plain" }).end("hello");
    expect(await listNodeModels(pools, node())).toMatchObject({ problem: "broken", status: 200 });
  });

  test("of a node that is not there says why", async () => {
    const { port } = new URL(upstream.url);
    await upstream.close();
    expect(await listNodeModels(pools, node())).toMatchObject({ problem: "closed", status: null });
    const unknown = node("chat", { baseUrl: "http://no-such-host.invalid/v1" });
    expect(await listNodeModels(pools, unknown)).toMatchObject({ problem: "address", status: null });
    // A name that leads to a private address is refused when it is dialled.
    for (const host of ["127.0.0.1", "localhost"]) {
      const guarded = node("chat", { id: host, baseUrl: `http://${host}:${port}/v1`, guarded: true });
      expect([host, await listNodeModels(pools, guarded)]).toMatchObject([host, { problem: "private" }]);
    }
  });

  test("of a node that is silent ends with its own time limit", async () => {
    answer = () => {};
    const timeouts = { connectMs: 50, firstByteMs: 50, responseMs: 50, idleMs: 50, totalMs: 50 };
    expect(await listNodeModels(pools, node("chat", { timeouts }))).toMatchObject({
      problem: "timeout",
      status: null,
    });
  });
});

describe("testing a node that is not saved", () => {
  const draft = (model?: string, fields?: Partial<CallableNode>) =>
    testDraft(
      pools,
      node("chat", fields),
      model === undefined ? null : { upstreamModel: model, kind: "generation", provenanceKey: "provenance" },
    );

  test("proves the key where the list needs it, and says so where it does not", async () => {
    answer = needsKey({ data: [{ id: "m" }] });
    expect(await draft()).toMatchObject({ reachable: true, authenticated: true, problem: null, test: null });
    expect(await draft(undefined, { apiKey: "sk-wrong" })).toMatchObject({
      reachable: true,
      authenticated: false,
      problem: "credential",
    });
    answer = (response) => sendJson(response, 200, { data: [{ id: "m" }] });
    expect(await draft()).toMatchObject({ reachable: true, authenticated: null });
    expect(await draft(undefined, { apiKey: null })).toMatchObject({ authenticated: null });
  });

  test("asks a model when one is named, which proves the key without any list", async () => {
    answer = (response, { path }) => {
      if (path.endsWith("/models")) sendJson(response, 404, {});
      else
        sendJson(response, 200, {
          id: "c",
          object: "chat.completion",
          choices: [{ index: 0, message: { role: "assistant", content: "OK" }, finish_reason: "stop" }],
        });
    };
    expect(await draft("gpt-5.2")).toMatchObject({
      reachable: true,
      authenticated: true,
      problem: "missing",
      test: { ok: true, problem: null, upstreamModel: "gpt-5.2", sample: "OK" },
    });
    expect(JSON.parse(upstream.calls[1]?.body ?? "")).toMatchObject({ model: "gpt-5.2" });
    const keyless = await draft("gpt-5.2", { apiKey: null });
    expect(keyless).toMatchObject({ authenticated: null, test: { ok: true } });
  });

  test("does not take a page for people for an answer, nor for a proof of the key", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><title>Welcome</title>");
    };
    expect(await draft("gpt-5.2")).toMatchObject({
      reachable: true,
      authenticated: null,
      problem: "page",
      test: { ok: false, problem: "page", status: 200, sample: null },
    });
  });

  test("is over at once where nobody is reached, and keeps no connection", async () => {
    answer = needsKey({ data: [] });
    const made = node();
    await testDraft(pools, made, null);
    const before = pools.get({
      id: made.id,
      origin: upstream.url,
      connectMs: 1,
      proxy: null,
      ca: null,
      guarded: false,
      direct: false,
    });
    pools.forget(made.id);
    const after = pools.get({
      id: made.id,
      origin: upstream.url,
      connectMs: 1,
      proxy: null,
      ca: null,
      guarded: false,
      direct: false,
    });
    expect(after).not.toBe(before);
    await upstream.close();
    expect(await draft("m")).toMatchObject({ reachable: false, authenticated: null, test: null });
  });
});
