import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { type CallPrices, MAX_CALLS, type OfferedCalls, pricedTools } from "@/lib/kernel/usage";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { Meter } from "@/lib/protocols/generation/meter";
import { ResponsesDecoder } from "@/lib/protocols/responses/node/decode";
import { responseEvents, responseFrames } from "@/lib/protocols/responses/node/whole";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { responsesAbsence, responsesExchanges, responsesPresent } from "@/tests/corpus/responses";
import { prepareFor, refusalOf, validated } from "../requests/support";

const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } };
const items: JsonObject[] = [
  search,
  { ...search, id: "ws_2", action: { type: "open_page", url: "https://example.org" } },
  { ...search, id: "ws_3", action: { type: "find_in_page" } },
  { type: "web_search_call", id: "ws_4", status: "searching" },
  { type: "web_search_call", id: "ws_5", status: "failed" },
  { type: "file_search_call", id: "fs_1", status: "completed", queries: ["a"] },
  { type: "code_interpreter_call", id: "ci_1", status: "completed", code: "1" },
  { type: "code_interpreter_call", id: "ci_2", status: "completed", code: "2" },
  { type: "image_generation_call", id: "ig_1", status: "generating", result: "iVBORw0KGgo=" },
  { type: "mcp_call", id: "mcp_1", status: "completed" },
];
const counted = { webSearch: 2, fileSearch: 1, codeInterpreter: 2, imageGeneration: 1 };

function answer(output: JsonObject[], more: JsonObject = {}): JsonObject {
  return { id: "resp_1", object: "response", status: "completed", model: "m", output, usage, ...more };
}

function metered(events: readonly GenerationEvent[], offered?: OfferedCalls): Meter {
  const meter = new Meter(undefined, undefined, offered);
  for (const event of events) meter.push(event);
  return meter;
}

const every: OfferedCalls = { tools: pricedTools, maxCalls: MAX_CALLS };

function callsOf(events: readonly GenerationEvent[], offered?: OfferedCalls) {
  return metered(events, offered ?? every).final({ input: 0, output: 0 }).usage.calls;
}

describe("calls of tools that the node ran are counted", () => {
  test("in a whole answer and in its stream alike: searches without the pages that were opened, nothing that failed", () => {
    const body = answer(items);
    expect(callsOf(responseEvents(body, { id: "r" }))).toEqual(counted);
    const decoder = new ResponsesDecoder({ id: "r" });
    const streamed = responseFrames(body).flatMap((frame) => decoder.push(frame));
    expect(callsOf(streamed)).toEqual(counted);
  });

  test("in a stream that breaks off: those that had ended", () => {
    const decoder = new ResponsesDecoder({ id: "r" });
    const frames = responseFrames(answer(items.slice(5, 8)));
    const last = frames.findLastIndex(({ event }) => event === "response.output_item.done");
    const seen = frames.slice(0, last).flatMap((frame) => decoder.push(frame));
    expect(callsOf(seen)).toEqual({ fileSearch: 1, codeInterpreter: 1 });
  });

  test("once, also where only the terminal event tells that a call has ended", () => {
    const frames = responseFrames(answer([search])).filter(
      ({ event }) => event !== "response.output_item.done",
    );
    const decoder = new ResponsesDecoder({ id: "r" });
    expect(callsOf(frames.flatMap((frame) => decoder.push(frame)))).toEqual({ webSearch: 1 });
  });

  test("only as far as they were offered: other tools and calls beyond the limit are not billed", () => {
    const events = responseEvents(answer(items), { id: "r" });
    expect(callsOf(events, { tools: pricedTools, maxCalls: 3 })).toEqual({ webSearch: 2, fileSearch: 1 });
    expect(callsOf(events, { tools: ["codeInterpreter"], maxCalls: 1 })).toEqual({ codeInterpreter: 1 });
    const none = metered(events);
    expect([none.calls.billed, none.calls.unbilled]).toEqual([undefined, 6]);
  });

  test("never where the node ran none", () => {
    const message = { type: "message", content: [{ type: "output_text", text: "x" }] };
    const plain = answer([message, { type: "function_call", name: "web_search", arguments: "{}" }]);
    expect(callsOf(responseEvents(plain, { id: "r" }))).toBeUndefined();
  });

  /** Source: docs/responses.md#s3-6. */
  test("R-38: a picture that only the usage of its model tells of is one call, though the output is empty", () => {
    const tool_usage = { image_gen: { input_tokens: 9, output_tokens: 1_056 } };
    expect(callsOf(responseEvents(answer([], { tool_usage }), { id: "r" }))).toEqual({ imageGeneration: 1 });
    const both = answer(items.slice(8, 9), { tool_usage });
    expect(callsOf(responseEvents(both, { id: "r" }))).toEqual({ imageGeneration: 1 });
    const none = answer([], { tool_usage: { image_gen: { output_tokens: 0 }, web_search: {} } });
    expect(callsOf(responseEvents(none, { id: "r" }))).toBeUndefined();
  });
});

describe.skipIf(!responsesPresent)(`in recorded answers${responsesAbsence}`, () => {
  test("every item of a call of these tools counts, streamed or whole, and no other item", () => {
    const recorded = responsesPresent ? responsesExchanges() : [];
    let found = 0;
    for (const { id, response } of recorded) {
      const whole = wholeOf(response);
      if (whole === null) continue;
      const wanted = itemsOf(whole.output).filter(isBilled).length;
      const calls = Object.values(callsOf(eventsOf(response)) ?? {});
      expect(
        calls.reduce((sum, count) => sum + count, 0),
        id,
      ).toBe(wanted);
      found += wanted;
    }
    expect(found).toBeGreaterThan(40);
  });
});

type Recorded = ReturnType<typeof responsesExchanges>[number]["response"];

function framesOf(sse: string): SseFrame[] {
  const decoder = new SseDecoder();
  return [...decoder.push(Buffer.from(sse)), ...decoder.end()];
}

function eventsOf({ sse, body }: Recorded): GenerationEvent[] {
  if (sse === undefined) return responseEvents(body, { id: "r" });
  const decoder = new ResponsesDecoder({ id: "r" });
  return framesOf(sse).flatMap((frame) => decoder.push(frame));
}

/** The response of a recording that ended well; null: another answer. */
function wholeOf({ status, sse, body }: Recorded): JsonObject | null {
  if (status !== 200) return null;
  const last =
    sse === undefined
      ? body
      : framesOf(sse)
          .map(responseOf)
          .findLast((one) => one !== null);
  return isObject(last) && Array.isArray(last.output) && last.status === "completed" ? last : null;
}

function responseOf({ data }: SseFrame): unknown {
  const payload = parseJson(data);
  return isObject(payload) && payload.type === "response.completed" ? payload.response : null;
}

function itemsOf(output: unknown): JsonObject[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}

function isBilled({ type, action }: JsonObject): boolean {
  const isTool = /^(?:web_search|file_search|code_interpreter|image_generation)_call$/.test(String(type));
  return isTool && (!isObject(action) || action.type === "search");
}

describe("of the tools that a node would run", () => {
  const f = { type: "function", name: "f", parameters: {}, strict: false };
  const prepare = (fields: JsonObject, perCall = {}) =>
    prepareFor(validated({ model: "m", input: "Hi", ...fields }, "responses"), {
      clientProtocol: "responses",
      upstreamProtocol: "responses",
      perCall,
    });

  test("those with a price stay, at any place of a request, and the hold knows the limit of calls", () => {
    const tools = [f, { type: "namespace", name: "n", tools: [f, { type: "file_search" }] }];
    const found = { type: "tool_search_output", tools: [{ type: "web_search" }, f] };
    const input = [{ role: "user", content: "Hi" }, found];
    const ask = { tools, input, max_tool_calls: 4 };
    const all = prepare(ask, { webSearch: 1n, fileSearch: 2n });
    expect(all.body).toMatchObject({ tools, input });
    expect(all.offeredCalls).toEqual({ tools: ["fileSearch", "webSearch"], maxCalls: 4 });
    const none = prepare(ask);
    expect(none.body).toMatchObject({
      tools: [f, { type: "namespace", name: "n", tools: [f] }],
      input: [input[0], { ...found, tools: [f] }],
    });
    expect(none.offeredCalls).toBeUndefined();
    expect(none.losses).toContain("dropped:file_search:web_search");
  });

  test("those that no price can be set for never stay", () => {
    const tools = [f, { type: "shell", environment: { type: "container_auto" } }, { type: "x_search" }];
    const every = Object.fromEntries(pricedTools.map((tool) => [tool, 1n]));
    expect(prepare({ tools }, every).body.tools).toEqual([f]);
  });

  test("those that go are named by their path when the model must call one, whatever their type is called", () => {
    const tools = [f, { type: "namespace", name: "n", tools: [f, { type: "web_search" }] }];
    for (const type of ["web_search", "web_search_preview", "web_search_preview_2025_03_11"]) {
      const choices = [{ type }, { type: "allowed_tools", mode: "required", tools: [{ type }] }];
      for (const tool_choice of choices)
        expect(refusalOf(() => prepare({ tools, tool_choice })).details.param).toBe("tools[1].tools[1].type");
    }
  });

  test("those that go take no choice with them that another tool or none can meet", () => {
    const search = { type: "web_search" };
    const tool_choice = { type: "function", name: "f" };
    const forced = { tools: [search], tool_choice };
    expect(refusalOf(() => prepare(forced)).details.param).toBe("tool_choice.name");
    const input = [
      { role: "user", content: "Hi" },
      { type: "additional_tools", tools: [f] },
    ];
    for (const choice of [tool_choice, "required"]) {
      const { body } = prepare({ ...forced, input, tool_choice: choice });
      expect(body.tools).toBeUndefined();
      expect(body.tool_choice).toEqual(choice);
    }
    const left = prepare({ tools: [search, search], tool_choice: "auto" });
    expect(left.body.tool_choice).toBeUndefined();
    expect(left.offeredCalls).toBeUndefined();
  });

  test("none is left in a choice among tools, and a choice that must be made of them is a 400", () => {
    const tools = [f, { type: "web_search" }];
    const among = (mode: string, ...names: JsonObject[]) => ({
      tools,
      tool_choice: { type: "allowed_tools", mode, tools: names },
    });
    const web = { type: "web_search" };
    const named = { type: "function", name: "f" };
    expect(prepare(among("required", web, named)).body.tool_choice).toMatchObject({ tools: [named] });
    expect(prepare(among("auto", web)).body.tool_choice).toBe("none");
    expect(() => prepare(among("required", web))).toThrow(/web_search cannot be used/);
    expect(prepare(among("required", web), { webSearch: 0n }).body.tool_choice).toMatchObject({
      tools: [web],
    });
  });

  test("a limit of calls must be a whole number of at least 1", () => {
    for (const wrong of [0, -1, 1.5, "1", true])
      expect(() => validated({ model: "m", input: "x", max_tool_calls: wrong }, "responses")).toThrow(
        /max_tool_calls must be .*at least 1/,
      );
  });

  test("those that cost anything are bounded: a request without a limit gets ten calls, with a warning", () => {
    const tools = [f, { type: "web_search" }];
    const priced = prepare({ tools }, { webSearch: 1n });
    expect(priced.body.max_tool_calls).toBe(10);
    expect(priced.losses).toContain("added:max_tool_calls:10");
    expect(prepare({ tools, max_tool_calls: 25 }, { webSearch: 1n }).body.max_tool_calls).toBe(25);
    const free = prepare({ tools }, { webSearch: 0n });
    expect(free.body.max_tool_calls).toBeUndefined();
    expect(free.losses).not.toContain("added:max_tool_calls:10");
  });

  describe("the `max_uses` of a messages client's search", () => {
    const ask = (tools: JsonObject[]) =>
      prepareFor(
        validated(
          { model: "m", max_tokens: 99, messages: [{ role: "user", content: "Hi" }], tools },
          "messages",
        ),
        {
          clientProtocol: "messages",
          upstreamProtocol: "responses",
          profile: { webSearch: "web_search" },
          perCall: { webSearch: 1n },
        },
      );
    const searches = (max_uses: unknown, name = "web_search") => ({
      type: "web_search_20250305",
      name,
      max_uses,
    });

    test("is the limit of calls of the only hosted tool", () => {
      const { body, offeredCalls, losses } = ask([searches(1)]);
      expect(body.max_tool_calls).toBe(1);
      expect(offeredCalls).toEqual({ tools: ["webSearch"], maxCalls: 1 });
      expect(losses).toEqual([]);
    });

    test("is told as lost where the node gets several", () => {
      const { body, losses } = ask([searches(1), searches(undefined, "other_search")]);
      expect(body.max_tool_calls).toBe(10);
      expect(losses).toContain("dropped:tools[0].max_uses");
    });

    test("must be a whole number of at least 1", () => {
      for (const wrong of [0, -1, "x", 1.5])
        expect(() => ask([searches(wrong)])).toThrow(/tools\[0\]\.max_uses must be .*at least 1/);
    });
  });

  test("a web search of another client's request stays where the node has one and the alias a price", () => {
    const body = validated(
      { model: "m", messages: [{ role: "user", content: "Hi" }], web_search_options: {} },
      "chat",
    );
    const ask = (profile: { webSearch: string | null }, perCall: CallPrices) =>
      prepareFor(body, { clientProtocol: "chat", upstreamProtocol: "responses", profile, perCall });
    const priced = ask({ webSearch: "web_search" }, { webSearch: 1n });
    expect(priced.body.tools).toEqual([{ type: "web_search" }]);
    expect(priced.offeredCalls).toEqual({ tools: ["webSearch"], maxCalls: 10 });
    expect(priced.body.max_tool_calls).toBe(10);
    const unpriced = ask({ webSearch: "web_search" }, {});
    expect(unpriced.body.tools).toBeUndefined();
    expect(unpriced.losses).toContain("dropped:web_search_options");
    expect(() => ask({ webSearch: null }, { webSearch: 1n })).toThrow(/cannot be used/);
  });
});
