import { describe, expect, test } from "vitest";
import { countPromptTokens } from "@/lib/billing/prompt-tokens";
import { estimateInputTokens } from "@/lib/billing/token-estimate";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";
import { checked, items, prepare, refused } from "./support";

const client = protocols.responses;
const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
const tool = { type: "function", name: "f", parameters: schema };
const format = { type: "json_schema", name: "out", description: "O", schema, strict: true };

describe("the top-level fields of a Responses request", () => {
  test("that nobody knows are dropped with a warning", () => {
    expect(prepare({ input: "Hi", hologram: 1 }).losses).toContain("dropped:hologram");
  });

  test("about state are refused with the code that clients look for", () => {
    expect(refused({ input: "Hi", background: true }).details).toMatchObject({
      param: "background",
      vendorCode: "unsupported_parameter",
    });
    expect(prepare({ input: "Hi", background: false }).losses).not.toContain("dropped:background");
    const both = { input: "Hi", previous_response_id: "r", conversation: "c" };
    expect(refused(both).details.param).toBe("previous_response_id");
    expect(checked({ previous_response_id: "r" })).toBeDefined();
  });
});

describe("the parameters of a Responses request", () => {
  test("R-28: a flat schema arrives with its name, description and strictness", () => {
    expect(prepare({ input: "Hi", text: { format } }).body.response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "out", description: "O", schema, strict: true },
    });
    const loose = { ...format, strict: false, name: undefined, description: null };
    expect(prepare({ input: "Hi", text: { format: loose } }).body.response_format).toMatchObject({
      json_schema: { name: "response", strict: false },
    });
    const claude = prepare({ input: "Hi", text: { format } }, "messages").body.output_config;
    expect(claude).toEqual({ format: { type: "json_schema", schema } });
    expect(prepare({ input: "Hi", text: { format: { type: "json_object" } } }).body.response_format).toEqual({
      type: "json_object",
    });
    expect(prepare({ input: "Hi", text: { format: { type: "text" } } }).body.response_format).toBeUndefined();
  });

  test("R-28: a format that is none is refused by its path", () => {
    const param = (value: JsonObject) => refused({ input: "Hi", text: { format: value } }).details.param;
    expect(param({ type: "xml" })).toBe("text.format.type");
    expect(param({ type: "json_schema", json_schema: { schema } })).toBe("text.format.schema");
  });

  test("the verbosity reaches models that know it, else its loss is told", () => {
    const wanted = { input: "Hi", text: { verbosity: "low" } };
    expect(prepare(wanted, "chat", { model: "gpt-5.2" }).body.verbosity).toBe("low");
    expect(prepare(wanted).losses).toContain("dropped:text.verbosity");
    expect(prepare(wanted, "messages").losses).toContain("dropped:text.verbosity");
    expect(prepare({ input: "Hi", text: { verbosity: "medium" } }).losses).not.toContain(
      "dropped:text.verbosity",
    );
  });

  test("the effort is lowered to what the model knows, and switched off beside tools where it must be", () => {
    const at = (effort: string, model: string, more: JsonObject = {}) =>
      prepare({ input: "Hi", reasoning: { effort, summary: "auto" }, ...more }, "chat", { model });
    expect(at("xhigh", "gpt-5.2").body.reasoning_effort).toBe("xhigh");
    expect(at("max", "gpt-5").body.reasoning_effort).toBe("high");
    expect(at("max", "gpt-5").losses).toContain("changed:reasoning.effort");
    const beside = at("high", "gpt-5.6", { tools: [tool] });
    expect(beside.body.reasoning_effort).toBe("none");
    expect(beside.losses).toContain("changed:reasoning_effort");
    const claude = prepare({ input: "Hi", reasoning: { effort: "max" } }, "messages", {
      model: "claude-opus-5",
    });
    expect(claude.body).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "max" } });
    expect(refused({ input: "Hi", reasoning: { effort: "extreme" } }).details.param).toBe("reasoning.effort");
    expect(at("high", "gpt-5.2", { reasoning: { effort: "high", mode: "pro" } }).losses).toContain(
      "dropped:reasoning.mode",
    );
  });

  test("without a limit there is room for long answers, as far as the balance goes", () => {
    expect(prepare({ input: "Hi" }).maxTokens).toBe(32_768);
    expect(prepare({ input: "Hi" }, "messages").maxTokens).toBe(32_768);
    expect(prepare({ input: "Hi" }, "chat", { model: "gpt-4o" }).maxTokens).toBe(16_384);
    expect(prepare({ input: "Hi", max_output_tokens: 50 }).maxTokens).toBe(50);
  });

  test("temperatures are lowered to what the node takes, log probabilities asked for by include too", () => {
    const hot = prepare({ input: "Hi", temperature: 1.7 }, "messages", { model: "claude-3-5-haiku" });
    expect(hot.body.temperature).toBe(1);
    expect(hot.losses).toContain("clamped:temperature");
    expect(
      prepare({ input: "Hi", temperature: 1.7 }, "chat", { profile: { tempMax: 1.5 } }).body.temperature,
    ).toBe(1.5);
    const include = ["message.output_text.logprobs"];
    expect(prepare({ input: "Hi", include }).body.logprobs).toBe(true);
    expect(prepare({ input: "Hi", include }, "messages").losses).toContain("dropped:include.logprobs");
  });

  test("a cache mark of a part marks the block", () => {
    const marked = { type: "input_text", text: "Hi", prompt_cache_breakpoint: { mode: "explicit" } };
    const { body } = prepare({ input: [items.user([marked])] }, "messages");
    expect(JSON.stringify(body.messages)).toContain('"cache_control":{"type":"ephemeral"}');
  });

  test("the conversation is known by its cache key, else by its beginning", () => {
    expect(client.conversation({ prompt_cache_key: "k", input: "Hi" })).toBe("k");
    expect(client.conversation({ instructions: "I", input: "Hi" })).toBe("I\nHi");
    expect(
      client.conversation({
        input: [{ type: "additional_tools" }, { role: "user", content: "Hi" }, items.said("x")],
      }),
    ).toBe("Hi");
    const headers = { "session-id": "s" };
    const profile = { promptCacheKey: true };
    const first = prepare({ input: "Hi" }, "chat", { headers, profile }).body.prompt_cache_key;
    expect(first).toEqual(prepare({ input: "Bye" }, "chat", { headers, profile }).body.prompt_cache_key);
    expect(first).toBeDefined();
  });
});

describe("the estimate of a Responses request", () => {
  const estimate = (body: JsonObject) => estimateInputTokens(body, client.promptFields);
  const counter = { count: async (text: string) => text.length };
  const count = (body: JsonObject) => countPromptTokens(body, client.promptFields, counter);

  test("counts input, instructions, tools and the schema of the answer", async () => {
    const base = { input: "Hi" };
    const [least, counted] = [estimate(base), await count(base)];
    for (const more of [
      { input: "Hi there" },
      { instructions: "be kind" },
      { tools: [tool] },
      { text: { format } },
    ]) {
      expect(estimate({ ...base, ...more })).toBeGreaterThan(least);
      expect(await count({ ...base, ...more })).toBeGreaterThan(counted);
    }
  });

  test("counts an image as an image wherever it stands, and sealed reasoning by its size", async () => {
    const image = { type: "input_image", image_url: `data:image/png;base64,${"A".repeat(100_000)}` };
    const drawn = { type: "image_generation_call", id: "ig_1", result: "A".repeat(100_000) };
    const screen = { type: "computer_screenshot", image_url: image.image_url };
    const input = [
      items.user([image]),
      items.output("a", [image]),
      drawn,
      { type: "computer_call_output", output: screen },
    ];
    expect(estimate({ input })).toBeLessThan(10_000);
    expect(await count({ input })).toBeLessThan(6_000);
    const sealed = { type: "reasoning", summary: [], encrypted_content: "A".repeat(40_000) };
    expect(await count({ input: [sealed] })).toBeLessThan(12_000);
    expect(await count({ input: [sealed] })).toBeGreaterThan(2_000);
  });
});

/** Source: docs/responses.md#s1. */
describe("a summary of the reasoning that is wanted without an effort", () => {
  const ask = (reasoning: JsonObject, fields: JsonObject = {}, model?: string) =>
    prepare(
      { input: "x", max_output_tokens: 9_000, reasoning, ...fields },
      "messages",
      model ? { model } : {},
    );

  test("makes a messages node think", () => {
    expect(ask({ summary: "auto" }, {}, "claude-opus-4-6").body.thinking).toMatchObject({ type: "adaptive" });
    const budget = ask({ summary: "auto" }).body;
    expect(budget.thinking).toEqual({ type: "enabled", budget_tokens: 4096 });
    expect(ask({ generate_summary: "concise" }).body.thinking).toEqual(budget.thinking);
  });

  test("changes nothing where there is no room, no wish, or another word about it", () => {
    const narrow = ask({ summary: "auto" }, { max_output_tokens: 500 });
    expect(narrow.body.thinking).toBeUndefined();
    expect(narrow.losses).toContain("dropped:reasoning.summary");
    expect(ask({ summary: null }).body.thinking).toBeUndefined();
    expect(ask({ summary: "auto", effort: "none" }).body.thinking).toBeUndefined();
    expect(ask({ summary: "auto" }, {}, "claude-3-5-haiku").body.thinking).toBeUndefined();
  });

  test("changes nothing for a chat node, which thinks by itself", () => {
    const plain = prepare({ input: "x" }, "chat", { model: "gpt-5" });
    expect(prepare({ input: "x", reasoning: { summary: "auto" } }, "chat", { model: "gpt-5" }).body).toEqual(
      plain.body,
    );
  });
});
