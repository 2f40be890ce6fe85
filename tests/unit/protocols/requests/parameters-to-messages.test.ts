import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { chatWishes } from "@/lib/protocols/chat/client/wishes";
import { bareTool, type ContextChoice, refusalOf } from "@/tests/unit/protocols/requests/support";
import { toMessages } from "@/tests/unit/protocols/requests/tool-support";

const budgetModel: ContextChoice = { upstreamModel: "claude-sonnet-4-5" };

describe("chat parameters to a messages upstream", () => {
  it("EC-24: temperature 1.7 is lowered to 1 with a warning when lenient", () => {
    const prepared = toMessages({ temperature: 1.7 }, { compatibility: "lenient" });
    expect(prepared.body.temperature).toBe(1);
    expect(prepared.losses).toContain("clamped:temperature");
  });

  it("EC-24: temperature 1.7 is refused otherwise, saying what another setting does", () => {
    const refusal = refusalOf(() => toMessages({ temperature: 1.7 }));
    expect(refusal.details.param).toBe("temperature");
    expect(refusal.details.alternative).toBe("values up to 2 are lowered to 1");
  });

  it("EC-25: temperature is left out with a warning for a model that refuses it", () => {
    const prepared = toMessages({ temperature: 0.2 }, { upstreamModel: "claude-opus-5-5" });
    expect(prepared.body).not.toHaveProperty("temperature");
    expect(prepared.losses).toContain("dropped:temperature");
    expect(prepared.headers["anthropic-version"]).toBe("2026-10-21");
  });

  it("EC-26: of temperature and top_p only temperature is sent", () => {
    const prepared = toMessages({ temperature: 0.5, top_p: 0.9 });
    expect(prepared.body.temperature).toBe(0.5);
    expect(prepared.body).not.toHaveProperty("top_p");
    expect(prepared.losses).toContain("dropped:top_p");
  });

  it("sends top_p and top_k alone, and neither while the model thinks", () => {
    expect(toMessages({ top_p: 0.9, top_k: 40 }).body).toMatchObject({ top_p: 0.9, top_k: 40 });
    const thinking = toMessages({ top_p: 0.9, top_k: 40, reasoning_effort: "high" }, budgetModel);
    expect(thinking.body).not.toHaveProperty("top_p");
    expect(thinking.losses).toEqual(expect.arrayContaining(["dropped:top_p", "dropped:top_k"]));
  });

  it("EC-29: max_completion_tokens wins over max_tokens", () => {
    expect(toMessages({ max_tokens: 50, max_completion_tokens: 100 }).body.max_tokens).toBe(100);
  });

  it("D1: a missing limit becomes the alias's default, reported; above the ceiling it is clamped", () => {
    const missing = toMessages({ max_tokens: null });
    expect(missing.body.max_tokens).toBe(4096);
    expect(missing.losses).toContain("added:max_tokens:4096");
    const clamped = toMessages({ max_tokens: 9000 }, { maxOutputTokens: 500 });
    expect(clamped.body.max_tokens).toBe(500);
    expect(clamped.maxTokens).toBe(500);
    expect(clamped.losses).toContain("clamped:max_tokens");
  });

  it("EC-31: at blank stop strings, which nodes refuse, the gateway ends the answer", () => {
    const prepared = toMessages({ stop: ["\n", "", "END"] });
    expect(prepared.body.stop_sequences).toEqual(["END"]);
    expect([prepared.stops, prepared.losses]).toEqual([["\n"], []]);
    expect(toMessages({ stop: "END" })).not.toHaveProperty("stops");
  });

  it("EC-33: more than one choice is refused, or one is asked for when lenient", () => {
    expect(refusalOf(() => toMessages({ n: 2 })).details.param).toBe("n");
    expect(toMessages({ n: 1 }).losses).toEqual([]);
    const lenient = toMessages({ n: 2, max_tokens: 50 }, { compatibility: "lenient" });
    expect(lenient).toMatchObject({ losses: ["dropped:n"], choices: 1, maxTokens: 50 });
    expect(lenient.body).not.toHaveProperty("n");
  });

  it("EC-43: a schema with bounds, oneOf and open objects is cleaned for native output", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", minLength: 2 },
        b: { oneOf: [{ type: "string" }, { type: "integer", minimum: 3 }] },
      },
      required: ["a", "b"],
    };
    const { body } = toMessages(
      { response_format: { type: "json_schema", json_schema: { name: "x", schema } } },
      budgetModel,
    );
    expect(body.output_config).toEqual({
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: {
            a: { type: "string", description: "{minLength: 2}" },
            b: { anyOf: [{ type: "string" }, { type: "integer", description: "{minimum: 3}" }] },
          },
          required: ["a", "b"],
          additionalProperties: false,
        },
      },
    });
  });

  it("D7: without native structured output the schema becomes an instruction at the end of the system prompt", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const prepared = toMessages({
      response_format: { type: "json_schema", json_schema: { name: "x", schema } },
    });
    expect(prepared.body).not.toHaveProperty("output_config");
    expect(JSON.stringify(prepared.body.system)).toContain("conforms to this JSON schema");
    expect(prepared.losses).toContain("changed:response_format");
    const loose = toMessages({ response_format: { type: "json_object" } });
    expect(JSON.stringify(loose.body.system)).toContain("single JSON object");
    const noSchema = refusalOf(() =>
      toMessages({ response_format: { type: "json_schema", json_schema: { name: "x" } } }),
    );
    expect(noSchema.details.param).toBe("response_format.json_schema.schema");
  });

  it("EC-45: a blocking moderation policy is refused, another one dropped", () => {
    const blocking = { policies: [{ category: "hate", mode: "block" }] };
    expect(refusalOf(() => toMessages({ moderation: blocking })).details.param).toBe("moderation");
    expect(toMessages({ moderation: { model: "omni" } }).losses).toContain("dropped:moderation");
  });

  it("EC-46: the usage chunk is the client's choice, not the upstream's business", () => {
    const silent = toMessages({ stream: true });
    expect(chatWishes({ stream: true }).includeUsage).toBe(false);
    expect(silent.body).not.toHaveProperty("stream_options");
    expect(chatWishes({ stream: true, stream_options: { include_usage: true } }).includeUsage).toBe(true);
  });

  it("D13: a whole answer is asked whole, unless it may take longer than a silent connection lives", () => {
    const whole = toMessages({ max_tokens: 16_000 });
    expect(whole).toMatchObject({ clientStream: false, stream: false });
    expect(whole.body).not.toHaveProperty("stream");
    const long = toMessages({ max_tokens: 30_000 }, budgetModel);
    expect(long).toMatchObject({ clientStream: false, stream: true, body: { stream: true } });
    expect(toMessages({ stream: true })).toMatchObject({ clientStream: true, stream: true });
  });

  it("EC-48: of six cache markers four are kept, the oldest message ones are removed", () => {
    const marked = (text: string) => ({ type: "text", text, cache_control: { type: "ephemeral" } });
    const prepared = toMessages({
      tools: [{ ...bareTool("f"), cache_control: { type: "ephemeral" } }],
      messages: [
        { role: "system", content: [marked("S")] },
        { role: "user", content: ["1", "2", "3", "4"].map(marked) },
      ],
    });
    const [turn] = prepared.body.messages as { content: JsonObject[] }[];
    expect(turn?.content.map((block) => "cache_control" in block)).toEqual([false, false, true, true]);
    expect(JSON.stringify(prepared.body).match(/cache_control/g)).toHaveLength(4);
    expect(prepared.losses).toContain("dropped:cache_control");
  });

  it("maps explicit cache breakpoints and lowers a long marker behind a short one", () => {
    const content = [
      { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } },
      { type: "text", text: "b", cache_control: { type: "ephemeral", ttl: "1h" } },
    ];
    const prepared = toMessages({ messages: [{ role: "user", content }] });
    expect(prepared.body.messages).toMatchObject([
      { content: [{ cache_control: { type: "ephemeral" } }, { cache_control: { type: "ephemeral" } }] },
    ]);
    expect(JSON.stringify(prepared.body)).not.toContain("1h");
    expect(prepared.losses).toContain("changed:cache_control.ttl");
  });

  it("D15: marks the prefix for the client only where the alias says so", () => {
    const fields = {
      messages: [
        { role: "system", content: "S" },
        { role: "user", content: "a" },
      ],
    };
    expect(JSON.stringify(toMessages(fields).body)).not.toContain("cache_control");
    const cached = toMessages(fields, { profile: { autoCache: true } }).body;
    expect(cached.system).toMatchObject([{ cache_control: { type: "ephemeral" } }]);
    expect(cached.messages).toMatchObject([
      { content: [{ text: "a", cache_control: { type: "ephemeral" } }] },
    ]);
    const own = [
      { type: "text", text: "a", cache_control: { type: "ephemeral" } },
      { type: "text", text: "b" },
    ];
    const marked = toMessages(
      { messages: [{ role: "user", content: own }] },
      { profile: { autoCache: true } },
    );
    expect(marked.body.messages).toEqual([{ role: "user", content: own }]);
  });

  it("sends a user id only as a hash, the same every time and another one with another key", () => {
    const first = toMessages({ user: "mail@example.com" }).body.metadata;
    expect(first).toEqual({ user_id: expect.stringMatching(/^[a-f0-9]{64}$/) });
    expect(toMessages({ user: "x", safety_identifier: "mail@example.com" }).body.metadata).toEqual(first);
    expect(toMessages({ user: "mail@example.com" }, { provenanceKey: "other" }).body.metadata).not.toEqual(
      first,
    );
  });

  it.each([
    ["auto", "auto"],
    ["default", "standard_only"],
    ["priority", "auto"],
    ["flex", undefined],
  ])("translates service tier %s", (tier, sent) => {
    const prepared = toMessages({ service_tier: tier });
    expect(prepared.body.service_tier).toBe(sent);
    expect(prepared.losses.includes("dropped:service_tier")).toBe(sent === undefined);
  });

  it("lists what is lost, says nothing about hints that ask for nothing, and treats null as absent", () => {
    const prepared = toMessages({
      seed: 1,
      logprobs: true,
      frequency_penalty: 0,
      logit_bias: {},
      presence_penalty: null,
      store: true,
      prompt_cache_key: "k",
      made_up: "x",
      metadata: { a: "b" },
      verbosity: "low",
      provider: { order: [] },
    });
    expect(prepared.losses).toEqual([
      "dropped:seed",
      "dropped:logprobs",
      "dropped:made_up",
      "dropped:metadata",
      "dropped:verbosity",
      "dropped:provider",
    ]);
    expect(Object.keys(prepared.body)).toEqual(["model", "max_tokens", "messages"]);
  });

  it.each([
    ["max_output_tokens", 5],
    ["audio", { voice: "alloy" }],
    ["modalities", ["text", "audio"]],
    ["web_search_options", {}],
  ])("refuses %s by name", (field, value) => {
    expect(refusalOf(() => toMessages({ [field]: value })).details.param).toBe(field);
  });

  it("gives a node with web search its search tool", () => {
    const options = {
      search_context_size: "low",
      user_location: { type: "approximate", approximate: { country: "DE" } },
    };
    const { body } = toMessages(
      { web_search_options: options },
      { profile: { webSearch: "web_search_20250305" }, perCall: { webSearch: 1n } },
    );
    expect(body.tools).toEqual([
      {
        type: "web_search_20250305",
        name: "web_search",
        max_uses: 1,
        user_location: { type: "approximate", country: "DE" },
      },
    ]);
  });
});
