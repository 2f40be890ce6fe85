import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import {
  type ContextChoice,
  prepareFor,
  refusalOf,
  validated,
} from "@/tests/unit/protocols/requests/support";

const tool = (name: string) => ({ name, input_schema: { type: "object", properties: {} } });

function convert(fields: JsonObject, choice: ContextChoice = {}) {
  const request = { model: "m", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...fields };
  const body = validated(request, "messages", { version: choice.version ?? "2023-06-01" });
  return prepareFor(body, { clientProtocol: "messages", upstreamProtocol: "chat", ...choice });
}

describe("messages parameters to a chat upstream", () => {
  it("EC-27: a 2026 client's temperature is refused even though the upstream is chat", () => {
    const refusal = refusalOf(() => convert({ temperature: 1 }, { version: "2026-10-21" }));
    expect(refusal.details.param).toBe("temperature");
    expect(convert({ temperature: 1 }).body.temperature).toBe(1);
  });

  it("EC-28: a newer OpenAI model gets max_completion_tokens only, an unknown one max_tokens only", () => {
    const { body } = convert({}, { upstreamModel: "gpt-5-mini" });
    expect(body.max_completion_tokens).toBe(4000);
    expect(body).not.toHaveProperty("max_tokens");
    expect(convert({}).body.max_tokens).toBe(4000);
  });

  it("EC-30: tools beside effort on a model that refuses both send effort none, with a warning", () => {
    const prepared = convert(
      { tools: [tool("f")], output_config: { effort: "high" } },
      { upstreamModel: "gpt-5.6" },
    );
    expect(prepared.body.reasoning_effort).toBe("none");
    expect(prepared.losses).toContain("changed:reasoning_effort");
    expect(
      convert({ output_config: { effort: "high" } }, { upstreamModel: "gpt-5.6" }).body.reasoning_effort,
    ).toBe("high");
  });

  it("EC-32: six stop sequences are refused rather than cut", () => {
    const refusal = refusalOf(() => convert({ stop_sequences: ["1", "2", "3", "4", "5", "6"] }));
    expect(refusal.details.param).toBe("stop_sequences");
    expect(convert({ stop_sequences: ["1"] }).body.stop).toEqual(["1"]);
    expect(convert({ stop_sequences: [] }).body).not.toHaveProperty("stop");
    const ended = convert({ stop_sequences: ["1", ""] }, { upstreamModel: "o3" });
    expect([ended.body.stop, ended.stops, ended.losses]).toEqual([undefined, ["1"], []]);
  });

  it("EC-38: no tools means no tool_choice either", () => {
    const { body } = convert({ tools: [], tool_choice: { type: "auto" } });
    expect(body).not.toHaveProperty("tools");
    expect(body).not.toHaveProperty("tool_choice");
  });

  it("EC-39: a long user id becomes a hash of 64 characters", () => {
    const { body } = convert({ metadata: { user_id: JSON.stringify({ device_id: "d".repeat(200) }) } });
    expect(body.user).toMatch(/^[a-f0-9]{64}$/);
  });

  it("makes a stable cache key of a session id, from the header or from inside the user id", () => {
    const openai = { upstreamModel: "gpt-4o" };
    const inside = convert({ metadata: { user_id: '{"session_id":"s-1"}' } }, openai).body.prompt_cache_key;
    const header = convert({}, { ...openai, headers: { "x-claude-code-session-id": "s-1" } }).body
      .prompt_cache_key;
    expect(inside).toMatch(/^[a-f0-9]{64}$/);
    expect(header).toBe(inside);
    const older = convert(
      { metadata: { user_id: "user_ab_account__session_0f9c1a2b-11aa-4b9c" } },
      openai,
    ).body;
    expect(older.prompt_cache_key).toMatch(/^[a-f0-9]{64}$/);
    expect(convert({ metadata: { user_id: '{"session_id":"s-1"}' } }).body).not.toHaveProperty(
      "prompt_cache_key",
    );
  });

  it("EC-40: effort max becomes the highest the upstream knows", () => {
    const { body, losses } = convert({ output_config: { effort: "max" } }, { upstreamModel: "gpt-5.2" });
    expect(body.reasoning_effort).toBe("xhigh");
    expect(losses).toContain("changed:output_config.effort");
  });

  it.each([
    [{ type: "disabled" }, "none"],
    [{ type: "between_tools" }, "low"],
    [{ type: "adaptive" }, undefined],
    [{ type: "enabled", budget_tokens: 1024 }, "low"],
    [{ type: "enabled", budget_tokens: 2048 }, "medium"],
    [{ type: "enabled", budget_tokens: 8192 }, "high"],
    [{ type: "enabled", budget_tokens: 24_576 }, "xhigh"],
  ])("turns thinking %j into an effort", (thinking, effort) => {
    const { body } = convert({ thinking, max_tokens: 30_000 }, { upstreamModel: "gpt-5.2" });
    expect(body.reasoning_effort).toBe(effort);
  });

  it("uses the upstream's own switch for reasoning", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    expect(convert({ thinking }, { upstreamModel: "deepseek-chat" }).body.thinking).toEqual({
      type: "enabled",
    });
    expect(
      convert({ thinking: { type: "disabled" } }, { upstreamModel: "qwen3-32b" }).body.enable_thinking,
    ).toBe(false);
  });

  it("refuses a budget the protocol's own servers refuse", () => {
    const small = refusalOf(() => convert({ thinking: { type: "enabled", budget_tokens: 100 } }));
    expect(small.details.param).toBe("thinking.budget_tokens");
    const large = { thinking: { type: "enabled", budget_tokens: 4000 } };
    expect(refusalOf(() => convert(large)).message).toContain("less than max_tokens");
    const interleaved = {
      headers: { "anthropic-beta": "interleaved-thinking-2025-05-14" },
      upstreamModel: "gpt-5",
    };
    expect(convert(large, interleaved).body.reasoning_effort).toBe("medium");
  });

  it("EC-44: structured output becomes a response format, strict only where it can be", () => {
    const closed = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const { body } = convert({ output_config: { format: { type: "json_schema", schema: closed } } });
    expect(body.response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "response", schema: closed, strict: true },
    });
    const open = { type: "object", properties: { a: { type: "string" } } };
    const loose = convert({ output_format: { type: "json_schema", schema: open } }).body.response_format;
    expect(loose).toMatchObject({ json_schema: { strict: false } });
  });

  it("EC-44: an upstream without schemas gets json_object and the schema in words", () => {
    const schema = { type: "object", properties: {} };
    const fields = { system: "S", output_config: { format: { type: "json_schema", schema } } };
    const { body, losses } = convert(fields, { upstreamModel: "deepseek-chat" });
    expect(body.response_format).toEqual({ type: "json_object" });
    expect(body.messages).toMatchObject([
      { role: "system", content: expect.stringMatching(/^S\n\nRespond with/) },
      {},
    ]);
    expect(losses).toContain("changed:output_config.format");
  });

  it("D13: a whole answer is asked whole, unless it may take longer than a silent connection lives", () => {
    const whole = convert({ max_tokens: 16_000 });
    expect(whole).toMatchObject({ clientStream: false, stream: false });
    expect(whole.body).not.toHaveProperty("stream");
    const long = convert({ max_tokens: 30_000 }, { upstreamModel: "gpt-5.2" });
    expect(long).toMatchObject({ clientStream: false, stream: true, body: { stream: true } });
    expect(convert({ stream: true })).toMatchObject({ clientStream: true, stream: true });
  });

  it("EC-46: usage is asked of every upstream stream", () => {
    const { body } = convert({ stream: true });
    expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(convert({}).body).not.toHaveProperty("stream_options");
  });

  it("EC-47: an upstream that refuses stream_options does not get them", () => {
    const profile = { streamOptions: false };
    expect(convert({ stream: true }, { profile }).body).not.toHaveProperty("stream_options");
  });

  it.each([
    [{ type: "auto" }, "auto"],
    [{ type: "any" }, "required"],
    [{ type: "none" }, "none"],
    [
      { type: "tool", name: "f" },
      { type: "function", function: { name: "f" } },
    ],
  ])("translates tool_choice %j", (choice, expected) => {
    expect(convert({ tools: [tool("f")], tool_choice: choice }).body.tool_choice).toEqual(expected);
  });

  it("refuses a choice of a tool that is not there", () => {
    const refusal = refusalOf(() =>
      convert({ tools: [tool("f")], tool_choice: { type: "tool", name: "g" } }),
    );
    expect(refusal.details.param).toBe("tool_choice.name");
  });

  it("D10: without a flag for single calls the answer is cut to its first one", () => {
    const fields = { tools: [tool("f")], tool_choice: { type: "auto", disable_parallel_tool_use: true } };
    expect(convert(fields).body.parallel_tool_calls).toBe(false);
    const without = convert(fields, { profile: { parallelFlag: false } });
    expect(without.body).not.toHaveProperty("parallel_tool_calls");
    expect(without.singleToolCall).toBe(true);
    expect(without.losses).toContain("changed:disable_parallel_tool_use");
  });

  it("clamps the limit and keeps sampling away from models that refuse it", () => {
    const prepared = convert(
      { max_tokens: 9000, temperature: 0.3, top_p: 1, top_k: 5 },
      { upstreamModel: "o3", maxOutputTokens: 500 },
    );
    expect(prepared.maxTokens).toBe(500);
    expect(prepared.losses).toEqual(["clamped:max_tokens", "dropped:temperature", "dropped:top_k"]);
    expect(prepared.body).not.toHaveProperty("top_p");
    expect(convert({ top_k: 5 }, { profile: { topK: true } }).body.top_k).toBe(5);
  });

  it.each(["container", "mcp_servers", "thread", "compaction"])(
    "refuses %s, which is state of a server",
    (field) => {
      expect(refusalOf(() => convert({ [field]: ["x"] })).details.param).toBe(field);
      expect(convert({ [field]: null }).losses).toEqual([]);
    },
  );

  it("drops hints with a warning and says nothing about those without effect", () => {
    const prepared = convert({
      context_management: { edits: [] },
      inference_geo: "eu",
      speed: "standard",
      betas: ["x"],
      cache_control: { type: "ephemeral" },
      output_config: { task_budget: { total: 1 } },
      made_up: 1,
    });
    expect(prepared.losses).toEqual([
      "dropped:context_management",
      "dropped:inference_geo",
      "dropped:made_up",
      "dropped:output_config.task_budget",
    ]);
    expect(convert({ speed: "fast" }).losses).toEqual(["dropped:speed"]);
  });

  it("sends cache breakpoints only to upstreams that know them", () => {
    const messages = [
      { role: "user", content: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }] },
    ];
    expect(convert({ messages }).body.messages).toEqual([{ role: "user", content: "a" }]);
    expect(convert({ messages }, { profile: { cacheBreakpoint: true } }).body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } }] },
    ]);
  });

  it("reports a version it has no table for", () => {
    expect(convert({}, { version: "2027-01-01" }).losses).toEqual(["version:unknown"]);
  });

  it("translates the service tier where the upstream has one", () => {
    const openai = { upstreamModel: "gpt-4o" };
    expect(convert({ service_tier: "standard_only" }, openai).body.service_tier).toBe("default");
    expect(convert({ service_tier: "auto" }, openai).body.service_tier).toBe("auto");
    expect(convert({ service_tier: "standard_only" }).losses).toEqual(["dropped:service_tier"]);
  });
});

it("stop sequences that the gateway has to find are bounded in number and length", () => {
  const ask = (stop_sequences: string[]) => convert({ stop_sequences }, { upstreamModel: "o3" });
  expect(ask(Array(64).fill("x".repeat(256))).stops).toHaveLength(64);
  for (const stops of [Array(65).fill("x"), ["x".repeat(257)]])
    expect(refusalOf(() => ask(stops)).details.param).toBe("stop_sequences");
});
