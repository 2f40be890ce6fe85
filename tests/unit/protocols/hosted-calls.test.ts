import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { CallCount, MAX_CALLS, type OfferedCalls, pricedTools } from "@/lib/kernel/usage";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { Meter } from "@/lib/protocols/generation/meter";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";

const every: OfferedCalls = { tools: pricedTools, maxCalls: MAX_CALLS };

function callsOf(events: readonly GenerationEvent[], offered: OfferedCalls = every) {
  const meter = new Meter(undefined, undefined, offered);
  for (const event of events) meter.push(event);
  return meter.final({ input: 0, output: 0 }).usage.calls;
}

/** The calls of one answer, which are the same whole, passed on whole, as a stream, and passed on as a stream. */
function counted(protocol: Protocol, body: JsonObject) {
  const adapter = protocols[protocol];
  const again = (): JsonObject => JSON.parse(JSON.stringify(body));
  const decoder = adapter.decoder({ id: "a" });
  const passing = adapter.direct.passthrough({ id: "a", alias: "m", request: {} });
  const frames = adapter.framesOfWhole(again(), 1);
  const found = [
    adapter.decodeWhole(again(), { id: "a" }),
    adapter.direct.passWhole(JSON.stringify(body), again(), { id: "a", alias: "m", request: {} }).events,
    [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()],
    [...frames.flatMap((frame) => passing.push(frame).events), ...passing.finish().events],
  ].map((events) => callsOf(events));
  for (const one of found) expect(one).toEqual(found[0]);
  return found[0];
}

const text = { type: "text", text: "Hello" };

function message(content: JsonObject[], used?: JsonObject): JsonObject {
  const usage = { input_tokens: 10, output_tokens: 5, ...(used && { server_tool_use: used }) };
  const fixed = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null };
  return { ...fixed, stop_reason: "end_turn", content, usage };
}

const ran = (type: string, content: unknown = []) => ({ type, tool_use_id: "srvtoolu_1", content });
const failed = { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" };

describe("calls of tools that a messages node ran are counted", () => {
  test("by its own count, which stands in place of the results that were seen", () => {
    expect(counted("messages", message([text], { web_search_requests: 3 }))).toEqual({ webSearch: 3 });
    const two = [ran("web_search_tool_result"), ran("web_search_tool_result"), text];
    expect(counted("messages", message(two, { web_search_requests: 1 }))).toEqual({ webSearch: 1 });
    expect(counted("messages", message(two, { web_search_requests: 0 }))).toBeUndefined();
    expect(counted("messages", message(two, { web_search_requests: 5 }))).toEqual({ webSearch: 5 });
  });

  test("by their results where it tells none, but for those that failed", () => {
    const blocks = [
      ran("web_search_tool_result"),
      ran("web_search_tool_result", failed),
      ran("bash_code_execution_tool_result", { type: "bash_code_execution_result", stdout: "" }),
      ran("code_execution_tool_result", { type: "code_execution_tool_result_error", error_code: "x" }),
      ran("web_fetch_tool_result"),
      text,
    ];
    expect(counted("messages", message(blocks))).toEqual({ webSearch: 1, codeInterpreter: 1 });
  });

  test("never where it ran none", () => {
    expect(counted("messages", message([text]))).toBeUndefined();
    expect(counted("messages", message([text], { web_search_requests: 0 }))).toBeUndefined();
  });
});

/** Calls that are billed and calls that are not, of a message as its node streams it, and of the same message whole. */
function streamedAndWhole(body: JsonObject & { content: JsonObject[] }, offered: OfferedCalls) {
  const { messages } = protocols;
  const { usage, content, ...head } = body;
  const start = { ...head, content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } };
  const payloads: JsonObject[] = [
    { type: "message_start", message: start },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ];
  const frames = payloads.map((payload) => ({ event: String(payload.type), data: JSON.stringify(payload) }));
  const decoder = messages.decoder({ id: "a" });
  const passing = messages.direct.passthrough({ id: "a", alias: "m", request: {} });
  const json = JSON.stringify(body);
  const again = (): JsonObject => JSON.parse(json);
  const found = {
    streamed: [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()],
    passed: [...frames.flatMap((frame) => passing.push(frame).events), ...passing.finish().events],
    whole: messages.decodeWhole(again(), { id: "a" }),
    passedWhole: messages.direct.passWhole(json, again(), { id: "a", alias: "m", request: {} }).events,
  };
  const counts = Object.entries(found).map(([way, events]) => {
    const meter = new Meter(undefined, undefined, offered);
    for (const event of events) meter.push(event);
    return [way, { billed: meter.calls.billed, unbilled: meter.calls.unbilled }] as const;
  });
  return Object.fromEntries(counts);
}

describe("a whole messages answer is billed like its stream", () => {
  const search = ran("web_search_tool_result");
  const code = ran("code_execution_tool_result", { type: "code_execution_result" });

  test("with searches and code under one limit", () => {
    const blocks = [...Array(10).fill(search), ...Array(3).fill(code), text];
    const offered: OfferedCalls = { tools: ["webSearch", "codeInterpreter"], maxCalls: 20 };
    const body = { ...message([]), content: blocks };
    for (const used of [{}, { code_execution_requests: 3 }]) {
      const usage = { input_tokens: 10, output_tokens: 5 };
      const counted = { ...usage, server_tool_use: { web_search_requests: 10, ...used } };
      const found = streamedAndWhole({ ...body, usage: counted }, offered);
      for (const way of Object.values(found))
        expect(way).toEqual({ billed: { webSearch: 10, codeInterpreter: 3 }, unbilled: 0 });
    }
  });

  test("with any mix of calls, counts and limits", () => {
    const counts = fc.record(
      { web_search_requests: fc.nat(12), code_execution_requests: fc.nat(12) },
      { requiredKeys: [] },
    );
    const offers = fc.record({
      tools: fc.subarray(["webSearch", "codeInterpreter"] as const),
      maxCalls: fc.nat(20),
    });
    const blocks = fc.array(fc.constantFrom(search, code, text), { maxLength: 15 });
    fc.assert(
      fc.property(blocks, fc.option(counts), offers, (content, used, offered) => {
        const usage = { input_tokens: 10, output_tokens: 5, ...(used && { server_tool_use: used }) };
        const found = streamedAndWhole({ ...message([]), content, usage }, offered);
        for (const way of Object.values(found)) expect(way).toEqual(found.streamed);
      }),
    );
  });
});

function completion(usage: JsonObject, more: JsonObject = {}, beside: JsonObject = {}): JsonObject {
  const spoken = { role: "assistant", content: "Hello", ...more };
  const tokens = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    ...beside,
    choices: [{ index: 0, message: spoken, finish_reason: more.tool_calls ? "tool_calls" : "stop" }],
    usage: { ...tokens, ...usage },
  };
}

const cited = { annotations: [{ type: "url_citation", url_citation: { url: "https://example.org" } }] };

describe("searches of a chat node are counted", () => {
  test.each<[string, JsonObject]>([
    ["OpenRouter", { server_tool_use: { web_search_requests: 2 } }],
    ["OpenRouter, newer", { server_tool_use_details: { web_search_requests: 2 } }],
    ["Perplexity", { num_search_queries: 2 }],
    ["xAI", { num_sources_used: 2 }],
    ["Qwen", { plugins: { search: { count: 2 } } }],
  ])("by the vendor's own count: %s", (_vendor, usage) => {
    expect(counted("chat", completion(usage))).toEqual({ webSearch: 2 });
    expect(counted("chat", completion(usage, cited))).toEqual({ webSearch: 2 });
  });

  test("as one where it shows what it has found and tells no count", () => {
    expect(counted("chat", completion({}, cited))).toEqual({ webSearch: 1 });
    expect(counted("chat", completion({}, {}, { citations: ["https://example.org"] }))).toEqual({
      webSearch: 1,
    });
    expect(counted("chat", completion({ num_search_queries: 0 }, cited))).toBeUndefined();
  });

  test.each<[string, JsonObject]>([
    ["a list of executed searches", { executed_tools: [{ type: "python" }, { type: "search" }] }],
    ["a browser", { executed_tools: [{ type: "browser_search" }] }],
    ["a browser's step", { executed_tools: [{ type: "browser.open" }] }],
    ["a citation beside a file", { annotations: [{ type: "file" }, ...cited.annotations] }],
  ])("as one for %s", (_what, more) => {
    expect(counted("chat", completion({}, more))).toEqual({ webSearch: 1 });
  });

  test.each<[string, JsonObject]>([
    ["a file that was read", { annotations: [{ type: "file", file: { hash: "h", name: "a.pdf" } }] }],
    ["a citation of a file", { annotations: [{ type: "file_citation", file_id: "f" }] }],
    ["code that was run", { executed_tools: [{ type: "python", arguments: "{}" }] }],
    ["other tools", { executed_tools: [{ type: "wolfram_alpha" }, { type: "mcp" }, {}, null] }],
  ])("not for %s, which is no search", (_what, more) => {
    expect(counted("chat", completion({}, more))).toBeUndefined();
  });

  test("by the calls of a search that is built in", () => {
    const call = { id: "1", type: "builtin_function", function: { name: "$web_search", arguments: "{}" } };
    expect(counted("chat", completion({}, { content: "", tool_calls: [call] }))).toEqual({ webSearch: 1 });
  });

  test("never where it made none", () => {
    expect(counted("chat", completion({}))).toBeUndefined();
    expect(counted("chat", completion({ num_search_queries: 0 }))).toBeUndefined();
  });
});

describe("the node's own count", () => {
  test("bills no more than the limit, and no less than it says", () => {
    const calls = new CallCount({ tools: ["webSearch"], maxCalls: 2 });
    calls.add("webSearch");
    calls.setTotal("webSearch", 5);
    expect(calls).toMatchObject({ billed: { webSearch: 2 }, unbilled: 3 });
    calls.setTotal("webSearch", 1);
    expect(calls).toMatchObject({ billed: { webSearch: 1 }, unbilled: 0 });
    calls.setTotal("webSearch", 0);
    expect(calls.billed).toBeUndefined();
    calls.setTotal("webSearch", 1_000_000_000);
    expect(calls).toMatchObject({ billed: { webSearch: 2 }, unbilled: MAX_CALLS - 2 });
  });

  test("of runs that belong to a search costs nothing and is no breach", () => {
    const calls = new CallCount({ tools: ["webSearch"], maxCalls: 2, included: ["codeInterpreter"] });
    calls.add("codeInterpreter");
    calls.setTotal("codeInterpreter", 3);
    expect(calls.billed).toBeUndefined();
    expect(calls.unbilled).toBe(0);
  });
});
