import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Translator } from "@/lib/gateway/translator";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { type CallableNode, callNode } from "@/lib/upstream/call-node";
import { Cancellation } from "@/lib/upstream/cancellation";
import { Pools } from "@/lib/upstream/pools";
import { streamProblems } from "../../support/stream-grammar";
import { bytesOf, framesFrom, optionsFor } from "./pipeline";
import { toyNode } from "./toy-node";

const MODEL = "toy/1 big";

const asked: Record<Protocol, JsonObject> = {
  chat: { model: "alias-1", messages: [{ role: "user", content: "Weather?" }], max_tokens: 50 },
  messages: { model: "alias-1", max_tokens: 50, messages: [{ role: "user", content: "Weather?" }] },
  responses: { model: "alias-1", input: "Weather?", max_output_tokens: 50 },
};

const lines: JsonObject[] = [
  { say: "I look " },
  { say: "it up." },
  { call: ["weather", '{"city":"Bern"}'] },
  { why: "call", counts: [7, 5] },
];

let server: Server;
let pools: Pools;
let seen: { url: string; headers: IncomingHttpHeaders; body: JsonObject };
/** What the node answers. */
let answer: (stream: boolean) => string;

beforeAll(async () => {
  pools = new Pools({ https: null, http: null, noProxy: "" });
  server = createServer(async (request, response) => {
    const { url = "", headers } = request;
    seen = { url, headers, body: JSON.parse(await textOf(request)) };
    response.end(answer(url.includes(":stream")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  await pools.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** One request of a client, through a connection to the node, to the text that the client gets. */
async function serve(client: Protocol, stream: boolean): Promise<{ wire: string; translator: Translator }> {
  const prepared = prepareRequest(
    { ...asked[client], stream },
    {
      client: protocols[client],
      upstream: toyNode,
      alias: "alias-1",
      upstreamModel: MODEL,
      profile: profileFor(MODEL, "chat", {}),
      compatibility: "standard",
      defaultMaxTokens: null,
      maxOutputTokens: null,
      affordableOutput: 1_000,
      contextLeft: 1_000,
      perCall: {},
      version: "2023-06-01",
      provenanceKey: "key",
      openReasoning: () => null,
      headers: {},
    },
  );
  const upstream = await callNode(pools, node(), {
    path: toyNode.api.generation({ model: MODEL, stream: prepared.stream }),
    body: JSON.stringify(prepared.body),
    headers: prepared.headers,
    stream: prepared.stream,
    signal: new Cancellation(),
    headersWithinMs: 5_000,
  });
  const answered = await upstream.text(100_000);
  const translator = new Translator({
    ...optionsFor({ client, upstream: client }),
    client: protocols[client],
    upstream: toyNode,
    stream,
    choices: prepared.choices,
    wrappedTools: prepared.wrappedTools,
    usageCeiling: undefined,
    outputCap: prepared.maxTokens,
    seal: null,
  });
  let wire = "";
  if (stream) for (const frame of framesFrom(bytesOf(answered))) wire += translator.push(frame);
  else translator.takeWhole(answered, JSON.parse(answered));
  if (stream) wire += translator.finish();
  if (translator.failure === null) wire += translator.end(undefined);
  return { wire, translator };
}

function node(): CallableNode {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  return {
    id: "toy",
    protocol: "chat",
    provider: null,
    baseUrl: `http://127.0.0.1:${port}/base`,
    headers: {},
    proxy: null,
    ca: null,
    timeouts: { connectMs: 5_000, firstByteMs: 5_000, responseMs: 5_000, idleMs: 5_000, totalMs: 5_000 },
    apiKey: "secret",
    credentialHeader: toyNode.api.credential,
    guarded: false,
    direct: false,
  };
}

function read(client: Protocol, wire: string, stream: boolean): GenerationEvent[] {
  if (!stream) return protocols[client].decodeWhole(JSON.parse(wire), { id: "r" });
  const decoder = protocols[client].decoder({ id: "r" });
  return [...framesFrom(bytesOf(wire)).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

describe.each(protocolIds)("a node whose protocol has no client half serves %s clients", (client) => {
  test.each([true, false])("with text, a call and the bill; streamed: %s", async (stream) => {
    const whole = { say: "I look it up.", call: ["weather", '{"city":"Bern"}'], why: "call", counts: [7, 5] };
    answer = (streams) =>
      streams ? lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join("") : JSON.stringify(whole);
    const { wire, translator } = await serve(client, stream);
    expect(seen.url).toBe(
      stream ? "/base/toys/toy%2F1%20big:stream?form=lines" : "/base/toys/toy%2F1%20big:answer",
    );
    expect(seen.headers).toMatchObject({ "x-goog-api-key": "secret" });
    expect(seen.headers).not.toHaveProperty("authorization");
    expect(seen.body).toMatchObject({ most: 50, lines: [{ role: "user", parts: [{ text: "Weather?" }] }] });
    if (stream) expect(streamProblems(client, wire, { includeUsage: true })).toEqual([]);
    const events = read(client, wire, stream);
    const said = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
    const args = events.flatMap((event) => (event.type === "tool_args" ? [event.text] : [])).join("");
    expect([said, JSON.parse(args)]).toEqual(["I look it up.", { city: "Bern" }]);
    expect(events.find(({ type }) => type === "finish")).toMatchObject({ reason: "tool_use" });
    expect(translator.meter.usage).toMatchObject({ inputUncached: 7, output: 5 });
  });

  test.each([true, false])("with its failure; streamed: %s", async (stream) => {
    answer = (streams) => (streams ? 'data: {"fault":"Out of toys"}\n\n' : '{"fault":"Out of toys"}');
    const { translator } = await serve(client, stream);
    expect(translator.failure).toMatchObject({ status: 500, message: "Out of toys" });
  });
});
