import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readChatUsage, writeChatUsage } from "@/lib/protocols/chat/usage";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { Meter } from "@/lib/protocols/generation/meter";
import { mergeMessagesUsage, writeMessagesUsage } from "@/lib/protocols/messages/usage";
import { readResponsesUsage } from "@/lib/protocols/responses/usage";
import { messageStart, messagesSse, streamThrough, textBlock } from "./pipeline";

const tokens = fc.nat({ max: 3_000_000 });
const usages = fc
  .record({ inputUncached: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens, reasoning: tokens })
  .map((usage) => ({ ...usage, reasoning: Math.min(usage.reasoning, usage.output) }));

function throughMessages(usage: PartialUsage): PartialUsage {
  const known: PartialUsage = {};
  expect(mergeMessagesUsage(known, writeMessagesUsage(usage))).toEqual([]);
  return known;
}

describe("usage across the protocols", () => {
  test("chat → canonical → messages → canonical is the identity", () => {
    fc.assert(
      fc.property(usages, (usage) => {
        const read = readChatUsage(writeChatUsage(usage));
        expect(read).toEqual({ usage, warnings: [] });
        expect(throughMessages(read.usage)).toEqual(usage);
      }),
    );
  });

  test("EC-129: 20 new, 300 written, 4000 read, 150 out", () => {
    const usage = { inputUncached: 20, cacheWrite: 300, cacheRead: 4000, output: 150, reasoning: 90 };
    expect(writeChatUsage(usage)).toMatchObject({
      prompt_tokens: 4320,
      completion_tokens: 150,
      total_tokens: 4470,
    });
  });

  test("what is told both as read and as written is one of them", () => {
    const counts = { inputUncached: 7, cacheWrite: 2_161, cacheRead: 0 };
    const told = { cached_tokens: 2_161, cache_write_tokens: 2_161 };
    const chat = readChatUsage({ prompt_tokens: 2_168, completion_tokens: 1, prompt_tokens_details: told });
    expect(chat.usage).toMatchObject(counts);
    const responses = { input_tokens: 2_168, output_tokens: 1, input_tokens_details: told };
    expect(readResponsesUsage(responses).usage).toMatchObject(counts);
    const partly = readChatUsage({
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 50 },
    });
    expect(partly.usage).toMatchObject({ inputUncached: 40, cacheWrite: 50, cacheRead: 10 });
    const again = { input_tokens: 100, input_tokens_details: { cached_tokens: 60, cache_write_tokens: 90 } };
    expect(readResponsesUsage(again).usage).toMatchObject({
      inputUncached: 10,
      cacheWrite: 30,
      cacheRead: 60,
    });
  });

  test("EC-130: a prompt of 100 with 75 cached is 25 and 75", () => {
    const { usage } = readChatUsage({
      prompt_tokens: 100,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 75 },
    });
    expect(usage).toEqual({ inputUncached: 25, cacheRead: 75, cacheWrite: 0, output: 10 });
  });

  test.each([
    [
      "inclusive cache fields",
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 20,
      },
      { inputUncached: 20, cacheRead: 60, cacheWrite: 20, output: 10 },
    ],
    [
      "exclusive cache fields",
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 190,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 20,
      },
      { inputUncached: 100, cacheRead: 60, cacheWrite: 20, output: 10 },
    ],
    [
      "a completion that leaves reasoning out",
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 140,
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      { inputUncached: 100, cacheRead: 0, cacheWrite: 0, output: 40, reasoning: 30 },
    ],
    [
      "thoughts that only the total counts",
      { prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 },
      { inputUncached: 20, cacheRead: 0, cacheWrite: 0, output: 996, reasoning: 572 },
    ],
    [
      "thoughts that only the total counts, beside details that count none",
      {
        prompt_tokens: 20,
        completion_tokens: 424,
        total_tokens: 1016,
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      { inputUncached: 20, cacheRead: 0, cacheWrite: 0, output: 996, reasoning: 572 },
    ],
    [
      "more cached than there was",
      { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 500 } },
      { inputUncached: 0, cacheRead: 100, cacheWrite: 0, output: 1 },
    ],
    [
      "the cache field of some vendors",
      { prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 40 },
      { inputUncached: 60, cacheRead: 40, cacheWrite: 0, output: 1 },
    ],
    [
      "only a total",
      { total_tokens: 110, completion_tokens: 10 },
      { inputUncached: 100, cacheRead: 0, cacheWrite: 0, output: 10 },
    ],
  ])("%s", (_name, raw, usage) => {
    expect(readChatUsage(raw).usage).toEqual(usage);
  });

  test("input and output are never less than the total of a node, unless the cache explains it", () => {
    const some = fc.option(tokens, { nil: undefined });
    const details = fc.record({ cached_tokens: some, reasoning_tokens: some }, { requiredKeys: [] });
    const chat = fc.record(
      {
        prompt_tokens: fc.integer({ min: 1, max: 3_000_000 }),
        completion_tokens: tokens,
        total_tokens: some,
        prompt_tokens_details: details,
        completion_tokens_details: details,
        cache_read_input_tokens: some,
      },
      { requiredKeys: ["prompt_tokens", "completion_tokens"] },
    );
    const sum = ({ inputUncached = 0, cacheRead = 0, cacheWrite = 0, output = 0 }: PartialUsage) =>
      inputUncached + cacheRead + cacheWrite + output;
    fc.assert(
      fc.property(chat, (raw) => {
        const { usage } = readChatUsage(raw);
        expect(sum(usage)).toBeGreaterThanOrEqual(raw.total_tokens ?? 0);
        expect(usage.reasoning ?? 0).toBeLessThanOrEqual(usage.output ?? 0);
        const { usage: other } = readResponsesUsage({
          input_tokens: raw.prompt_tokens,
          output_tokens: raw.completion_tokens,
          total_tokens: raw.total_tokens,
          output_tokens_details: raw.completion_tokens_details,
        });
        expect(sum(other)).toBeGreaterThanOrEqual(raw.total_tokens ?? 0);
      }),
    );
  });

  /** Source: docs/reliability.md#r-66. */
  test("counts that are negative, fractional, textual or beyond reason are refused, never a credit", () => {
    for (const bad of [-1, 1.5, "12", 1e18, Number.NaN, Number.POSITIVE_INFINITY, {}, true]) {
      expect(readChatUsage({ prompt_tokens: bad, completion_tokens: bad }).usage).toEqual({});
      const known: PartialUsage = {};
      expect(mergeMessagesUsage(known, { input_tokens: bad, output_tokens: bad })).toEqual([
        "usage:input_tokens",
        "usage:output_tokens",
      ]);
      expect(known).toEqual({});
    }
  });

  test("cache writes told by lifetime only are summed", () => {
    const known: PartialUsage = {};
    mergeMessagesUsage(known, {
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
    });
    expect(known).toEqual({ cacheWrite: 7, parts: { cacheWrite1h: 4 } });
  });
});

function metered(events: GenerationEvent[], ceiling?: number): Meter {
  const meter = new Meter(ceiling);
  for (const event of events) meter.push(event);
  return meter;
}

/** Source: docs/reliability.md#r-63, #r-64, #r-65. */
describe("the meter", () => {
  const text: GenerationEvent = { type: "text", text: "Hello 北京" };
  const estimate = { input: 50, output: 9 };

  test("EC-133: an answer without usage is estimated and marked", () => {
    const meter = metered([text]);
    expect(meter.missing).toEqual({ input: true, output: true });
    expect(meter.final(estimate)).toEqual({
      usage: { inputUncached: 50, cacheRead: 0, cacheWrite: 0, output: 9, reasoning: 0 },
      source: "estimated",
    });
  });

  test("an input of 0 beside work is estimated, the told output stays", () => {
    const meter = metered([
      text,
      { type: "usage", usage: { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output: 500 } },
    ]);
    expect(meter.final(estimate)).toMatchObject({
      usage: { inputUncached: 50, output: 500 },
      source: "estimated",
    });
  });

  test("an output of 0 beside text is estimated, the told input stays", () => {
    const meter = metered([text, { type: "usage", usage: { inputUncached: 12, output: 0 } }]);
    expect(meter.final(estimate)).toMatchObject({
      usage: { inputUncached: 12, output: 9 },
      source: "estimated",
    });
  });

  test("0 and 0 without content is 0", () => {
    const meter = metered([{ type: "usage", usage: { inputUncached: 0, output: 0 } }]);
    expect(meter.final(estimate)).toEqual({
      usage: { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
      source: "upstream",
    });
  });

  test("0 and 0 is 0 for calls that a program of the node made, and estimated for calls of the model", () => {
    const read = (caller: object) => {
      const calls = { type: "tool_use", id: "toolu_1", name: "roll", input: { by: "two" }, ...caller };
      const message = {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [calls],
        stop_reason: "tool_use",
        usage: { input_tokens: 0, output_tokens: 0 },
      };
      const sse = messagesSse([{ type: "message_start", message }, { type: "message_stop" }]);
      return metered(streamThrough({ upstream: "messages", client: "chat" }, sse).events).final(estimate);
    };
    expect(read({ caller: { type: "code_execution_20250825", tool_id: "srvtoolu_1" } })).toEqual({
      usage: { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
      source: "upstream",
    });
    for (const caller of [{}, { caller: { type: "direct" } }])
      expect(read(caller)).toMatchObject({ usage: { output: 9 }, source: "estimated" });
  });

  test("a prompt read whole from the cache is not missing", () => {
    const meter = metered([text, { type: "usage", usage: { inputUncached: 0, cacheRead: 900, output: 3 } }]);
    expect(meter.final(estimate)).toMatchObject({
      usage: { inputUncached: 0, cacheRead: 900 },
      source: "upstream",
    });
  });

  test("the latest usage counts, field by field", () => {
    const meter = metered([
      { type: "usage", usage: { inputUncached: 10, cacheRead: 5, output: 1 } },
      { type: "usage", usage: { output: 70 } },
    ]);
    expect(meter.usage).toEqual({ inputUncached: 10, cacheRead: 5, output: 70 });
  });

  test("the output count of a beginning stands in only where nothing was produced", () => {
    const start = { type: "usage", usage: { inputUncached: 10, output: 1 }, early: true } as const;
    expect(metered([start]).final(estimate)).toMatchObject({ usage: { output: 1 }, source: "upstream" });
    expect(metered([start, text]).final(estimate)).toMatchObject({
      usage: { inputUncached: 10, output: 9 },
      source: "estimated",
    });
    const told = { type: "usage", usage: { inputUncached: 10, output: 2 } } as const;
    expect(metered([start, text, told]).final(estimate)).toMatchObject({
      usage: { output: 2 },
      source: "upstream",
    });
  });

  test("a messages stream whose deltas tell no output has told none", () => {
    const sse = messagesSse([
      messageStart({ input_tokens: 10, output_tokens: 1 }),
      ...textBlock(0, "Hi there"),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} },
      { type: "message_stop" },
    ]);
    const { events } = streamThrough({ upstream: "messages", client: "chat" }, sse);
    expect(metered(events).missing).toEqual({ input: false, output: true });
  });

  test("counts above the ceiling are refused and flagged", () => {
    const meter = metered([text, { type: "usage", usage: { inputUncached: 10, output: 5_000 } }], 1_000);
    expect(meter.odd).toBe(true);
    expect(meter.final(estimate)).toMatchObject({
      usage: { inputUncached: 10, output: 9 },
      source: "estimated",
    });
  });

  test("everything produced is counted by character, and only its beginning is kept", () => {
    const meter = metered([
      text,
      { type: "reasoning", text: "ab" },
      { type: "tool_open", slot: 0, id: "x", name: "fn", kind: "function" },
      { type: "tool_args", slot: 0, text: "{}" },
      { type: "finish", reason: "tool_use", native: "tool_calls" },
      { type: "end" },
    ]);
    expect(meter.emitted).toEqual({ ascii: 12, other: 2 });
    expect(meter).toMatchObject({ toolCalls: 1, finish: "tool_use", ended: true });
    for (let n = 0; n < 1_000; n += 1) meter.push({ type: "text", text: "0123456789" });
    expect(meter.sample.startsWith("Hello")).toBe(true);
    expect(meter.sample.length).toBeLessThan(4_096 + 10);
  });
});
