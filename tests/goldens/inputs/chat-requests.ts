import type { Random } from "../random";
import type { JsonObject } from "../shapes";
import { chatHistory } from "./chat-history";
import { mutated, schema, text, toolNames } from "./parts";

/** A chat completions request: mostly what clients send, at times odd or wrong. */
export function chatRequest(random: Random): JsonObject {
  const body: JsonObject = {
    model: random.pick(["alias-1", "alias-1", 'odd "name"']),
    messages: chatHistory(random),
    ...limits(random),
    ...sampling(random),
    ...reasoning(random),
    ...tools(random),
    ...random.maybe(0.2, () => ({ response_format: responseFormat(random) })),
    ...streaming(random),
    ...random.maybe(0.15, () => caller(random)),
    ...random.maybe(0.2, () => otherFields(random)),
  };
  return random.wrong(0.35) ? mutated(random, body) : body;
}

function limits(random: Random): JsonObject {
  const limit = () => random.pick<unknown>([1, 100, 800, 1_024, 1_025, 5_000, 20_000, 200_000, null]);
  return {
    ...random.maybe(0.7, () => ({ max_tokens: limit() })),
    ...random.maybe(0.2, () => ({ max_completion_tokens: limit() })),
  };
}

function sampling(random: Random): JsonObject {
  return {
    ...random.maybe(0.3, () => ({ temperature: random.usual<unknown>([0, 0.2, 0.7, 1, 1, null], [1.7, 2]) })),
    ...random.maybe(0.2, () => ({ top_p: random.pick<unknown>([0, 0.5, 0.9, 1, null]) })),
    ...random.maybe(0.08, () => ({ top_k: random.usual<unknown>([-1, 0, 1, 40], ["5"]) })),
    ...random.maybe(0.15, () => ({
      stop: random.pick<unknown>(["END", ["END", "\n"], ["\n", ""], [], "", ["a", "b", "c", "d"], null]),
    })),
    ...random.maybe(0.05, () => ({ n: random.usual([1], [2, 3]) })),
    ...random.maybe(0.08, () => ({
      frequency_penalty: random.pick([0, 0.5]),
      presence_penalty: random.pick([0, 1]),
      logit_bias: random.pick([{}, { 50256: -100 }]),
      seed: 7,
    })),
  };
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const budgets: readonly unknown[] = [0, 500, 1_023, 1_024, 2_000, 4_999, 5_000, 50_000, null];

function reasoning(random: Random): JsonObject {
  if (random.chance(0.55)) return {};
  return {
    ...random.maybe(0.45, () => ({ reasoning_effort: random.usual(efforts, ["extreme"]) })),
    ...random.maybe(0.35, () => ({
      reasoning: {
        ...random.maybe(0.4, () => ({ effort: random.usual<unknown>(efforts, ["extreme", 7]) })),
        ...random.maybe(0.4, () => ({ max_tokens: random.usual(budgets, ["many", -1]) })),
        ...random.maybe(0.3, () => ({ enabled: random.chance(0.6) })),
        ...random.maybe(0.2, () => ({ exclude: random.chance(0.7) })),
      },
    })),
    ...random.maybe(0.4, () => ({ thinking: thinking(random) })),
    ...random.maybe(0.15, () => ({ include_reasoning: random.chance(0.4) })),
  };
}

function thinking(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { type: "enabled", budget_tokens: random.pick(budgets) },
    { type: "enabled", budget_tokens: 2_000 },
    { type: "enabled" },
    { type: "adaptive" },
    { type: "between_tools" },
    { type: "disabled" },
    random.usual<JsonObject>([{}], [{ type: "odd" }, { type: "enabled", budget_tokens: "many" }]),
  ]);
}

function tools(random: Random): JsonObject {
  if (random.chance(0.4)) return {};
  const legacy = random.chance(0.08);
  const definitions = toolNames(random, 4).map((name) => definition(random, name));
  const listed = legacy ? { functions: definitions } : { tools: definitions.map((one) => tool(random, one)) };
  return {
    ...listed,
    ...(random.wrong(0.05) ? { functions: [{ name: "also" }] } : {}),
    ...random.maybe(0.45, () => ({
      [legacy ? "function_call" : "tool_choice"]: toolChoice(random, definitions),
    })),
    ...random.maybe(0.25, () => ({ parallel_tool_calls: random.chance(0.4) })),
    ...(random.wrong(0.1) || random.chance(0.01) ? { web_search_options: webSearch(random) } : {}),
  };
}

function definition(random: Random, name: string): JsonObject {
  return {
    name,
    ...random.maybe(0.8, () => ({ description: random.chance(0.95) ? text(random) : null })),
    ...random.maybe(0.85, () => ({ parameters: random.chance(0.95) ? schema(random) : null })),
    ...random.maybe(0.25, () => ({ strict: random.chance(0.8) })),
    ...random.maybe(0.04, () => ({ cache_control: { type: "ephemeral" } })),
  };
}

function tool(random: Random, fn: JsonObject): JsonObject {
  const made: JsonObject = { type: "function", function: fn };
  if (random.chance(0.12))
    made.cache_control = { type: "ephemeral", ...random.maybe(0.3, () => ({ ttl: "1h" })) };
  if (random.wrong(0.04)) return { type: "custom", custom: { name: "free" } };
  if (random.chance(0.02)) delete made.type;
  if (random.wrong(0.02)) delete made.function;
  return made;
}

function toolChoice(random: Random, definitions: readonly JsonObject[]): unknown {
  const name = definitions.length > 0 ? random.pick(definitions).name : "none_of_them";
  const listed = { type: "function", function: { name } };
  const good = [
    "auto",
    "none",
    "required",
    "any",
    name,
    { type: "function", function: { name } },
    { type: "function", function: { name } },
    { name },
    { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [listed] } },
    { type: "allowed_tools", mode: "required", tools: [{ type: "function", name }] },
    null,
  ];
  const withOther = [listed, { type: "function", name: "other" }];
  return random.usual<unknown>(good, [
    { type: "allowed_tools", allowed_tools: { mode: "auto", tools: withOther } },
    { type: "allowed_tools" },
    { type: "function", function: { name: "missing" } },
    { type: "function", name },
    "odd",
  ]);
}

function webSearch(random: Random): unknown {
  return random.pick<unknown>([
    {},
    { search_context_size: "low" },
    { search_context_size: "high", user_location: { type: "approximate", approximate: { country: "DE" } } },
    { user_location: "here" },
    true,
    null,
  ]);
}

function responseFormat(random: Random): unknown {
  return random.make<unknown>(
    () => ({ type: "text" }),
    () => ({ type: "json_object" }),
    () => ({ type: "json_schema", json_schema: { name: "r", schema: schema(random), strict: true } }),
    () => ({ type: "json_schema", json_schema: { name: "r", schema: schema(random) } }),
    () =>
      random.usual<unknown>(
        [null],
        [{ type: "json_schema", json_schema: {} }, { type: "json_schema" }, { type: "grammar" }],
      ),
  );
}

function streaming(random: Random): JsonObject {
  return {
    ...random.maybe(0.6, () => ({ stream: random.chance(0.85) })),
    ...random.maybe(0.3, () => ({
      stream_options: random.pick<unknown>([
        { include_usage: true },
        { include_usage: false, include_obfuscation: false },
        {},
        null,
      ]),
    })),
  };
}

function caller(random: Random): JsonObject {
  return {
    ...random.maybe(0.6, () => ({ user: random.pick(["u-1", "", "someone@example.com"]) })),
    ...random.maybe(0.3, () => ({ safety_identifier: random.pick(["s-1", ""]) })),
    ...random.maybe(0.5, () => ({ service_tier: random.pick(["auto", "default", "flex", "standard_only"]) })),
    ...random.maybe(0.3, () => ({ prompt_cache_key: "k", store: true })),
  };
}

function otherFields(random: Random): JsonObject {
  const all: JsonObject = {
    zz_unknown: { deep: [1, null] },
    zz_null: null,
    max_output_tokens: random.usual<unknown>([null], [5]),
    audio: random.usual<unknown>([null], [{ voice: "x" }]),
    modalities: random.usual([["text"], []], [["text", "audio"]]),
    moderation: random.usual<unknown>(
      [{ policies: [{ mode: "warn" }] }],
      [{ policies: [{ mode: "block" }] }, "block"],
    ),
    models: ["dear/model"],
    route: "fallback",
    fallbacks: [],
    provider: { order: ["x"] },
    verbosity: "low",
    metadata: random.pick([{}, { a: "b" }]),
    logprobs: random.pick([false, true]),
    top_logprobs: 2,
    prediction: { type: "content", content: "x" },
    prompt_cache_retention: "24h",
    ...(random.wrong(0.3) ? { base_url: "https://example.com" } : {}),
  };
  const names = Object.keys(all);
  const chosen = random.many(1, 2, () => random.pick(names));
  return Object.fromEntries(chosen.map((name) => [name, all[name]]));
}
