import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { guessedKind, testNode } from "@/lib/admin/node-test";
import type { ModelKind, Protocol } from "@/lib/protocols/protocol";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { Pools } from "@/lib/upstream/pools";
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
  type UpstreamCall,
} from "@/tests/support/scripted-upstream";
import { type Simulator, startSimulator } from "@/tools/simulator/server";

let pools: Pools;
let simulator: Simulator;
let upstream: ScriptedUpstream;
let answer: (response: ServerResponse, call: UpstreamCall) => Promise<void>;

beforeEach(async () => {
  pools = new Pools({ https: null, http: null, noProxy: "" });
  simulator = await startSimulator({ port: 0 });
  upstream = await startScriptedUpstream((response, call) => void answer(response, call));
});

afterEach(async () => {
  await pools.destroy();
  await upstream.close();
  await simulator.close();
});

function node(protocol: Protocol): CallableNode {
  const ms = 5_000;
  const baseUrl = protocol === "messages" ? upstream.url : `${upstream.url}/v1`;
  const place = { provider: null, protocol, baseUrl };
  return {
    ...place,
    id: "tested",
    headers: {},
    proxy: null,
    ca: null,
    timeouts: { connectMs: ms, firstByteMs: ms, responseMs: ms, idleMs: ms, totalMs: ms },
    apiKey: "sk-any",
    access: null,
    credentialHeader: credentialHeaderOf(place),
    guarded: false,
    direct: false,
  };
}

/** Hands a call to the simulated provider, with changes of its body. */
async function pass(response: ServerResponse, { path, body }: UpstreamCall, changes: object = {}) {
  const came = await fetch(simulator.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...JSON.parse(body), ...changes }),
  });
  response.writeHead(came.status, { "content-type": came.headers.get("content-type") ?? "" });
  response.end(await came.text());
}

const run = (
  protocol: Protocol,
  upstreamModel: string,
  kind: ModelKind = "generation",
  times?: { wholeMs: number; totalMs: number },
) => testNode(pools, node(protocol), { upstreamModel, kind, provenanceKey: "provenance" }, times);

/** Source: docs/contract.md#node-tests. */
describe("a test of a node", () => {
  const protocols = ["chat", "messages", "responses"] as const;

  test.each(protocols)("asks %s nodes for a whole answer", async (protocol) => {
    answer = (response, call) => pass(response, call);
    expect(await run(protocol, "sim-chat")).toMatchObject({ ok: true, streamed: false, dimensions: null });
    expect(upstream.calls).toHaveLength(1);
  });

  test.each(protocols)("is passed by %s nodes that refuse whole answers", async (protocol) => {
    answer = async (response, call) => {
      if (JSON.parse(call.body).stream === true) return pass(response, call);
      sendJson(response, 400, { error: { message: "Stream must be set to true" } });
    };
    const { sample, ...result } = await run(protocol, "sim-chat");
    expect(result).toMatchObject({ ok: true, problem: null, error: null, status: 200, streamed: true });
    expect(sample).not.toBeNull();
  });

  test.each(protocols)(
    "is passed by %s nodes that answer with a stream whatever is asked",
    async (protocol) => {
      answer = (response, call) => pass(response, call, { stream: true });
      const { sample, ...result } = await run(protocol, "sim-chat");
      expect(result).toMatchObject({ ok: true, problem: null, status: 200, streamed: true });
      expect(sample).not.toBeNull();
      expect(upstream.calls).toHaveLength(1);
    },
  );

  test.each(protocols)(
    "of a %s node that takes neither tells why the whole answer failed",
    async (protocol) => {
      answer = async (response, { body }) =>
        sendJson(response, 400, {
          error: { message: JSON.parse(body).stream === true ? "no streams" : "no such field" },
        });
      expect(await run(protocol, "sim-chat")).toMatchObject({
        ok: false,
        problem: "refused",
        error: "no such field",
        streamed: false,
      });
    },
  );

  test.each(protocols)("of a %s node whose stream breaks off is failed", async (protocol) => {
    answer = async (response, { body }) => {
      if (JSON.parse(body).stream !== true) return sendJson(response, 400, { error: { message: "stream" } });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"choices":[{"index":0,"delta":{"content":"O"}}]}\n\n');
    };
    expect(await run(protocol, "sim-chat")).toMatchObject({ ok: false, problem: "refused" });
  });

  test.each(protocols)("is passed by %s nodes that leave whole answers unanswered", async (protocol) => {
    answer = async (response, call) => {
      if (JSON.parse(call.body).stream === true) return pass(response, call);
    };
    const result = await run(protocol, "sim-chat", "generation", { wholeMs: 300, totalMs: 60_000 });
    expect(result).toMatchObject({ ok: true, problem: null, status: 200, streamed: true });
    expect(upstream.calls).toHaveLength(2);
  });

  test("ends in one time for both ways to ask, and tells what became of the whole answer", async () => {
    answer = async () => {};
    const start = performance.now();
    const result = await run("chat", "sim-chat", "generation", { wholeMs: 400, totalMs: 800 });
    expect(result).toMatchObject({ ok: false, problem: "timeout", status: null, streamed: false });
    expect(upstream.calls).toHaveLength(2);
    expect(performance.now() - start).toBeLessThan(node("chat").timeouts.responseMs);
  });

  test.each(["chat", "responses"] as const)("asks %s nodes for an embedding", async (protocol) => {
    answer = (response, call) => pass(response, call);
    const result = await run(protocol, "sim-embedding", "embedding");
    expect(result).toMatchObject({ ok: true, kind: "embedding", sample: null });
    expect(result.dimensions).toBeGreaterThan(1);
    expect(upstream.calls.map(({ path }) => path)).toEqual(["/v1/embeddings"]);
  });

  test("takes nothing else for an embedding", async () => {
    answer = async (response) => sendJson(response, 200, { object: "list", data: [] });
    expect(await run("chat", "sim-embedding", "embedding")).toMatchObject({ ok: false, problem: "broken" });
    expect(upstream.calls).toHaveLength(1);
  });

  test("goes by the name where nothing else says what a model is for, and by what the protocol has", () => {
    expect(guessedKind("chat", "text-embedding-4")).toBe("embedding");
    expect(guessedKind("responses", "BAAI/bge-m3")).toBe("embedding");
    expect(guessedKind("chat", "gpt-5.2")).toBe("generation");
    expect(guessedKind("messages", "text-embedding-4")).toBe("generation");
  });
});
