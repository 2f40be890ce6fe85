import type { Random } from "../random";
import type { JsonObject } from "../shapes";
import { messagesHistory } from "./messages-history";
import { cacheMark, mutated, schema, text, toolNames } from "./parts";

/** A messages request: mostly what clients send, at times odd or wrong. */
export function messagesRequest(random: Random): JsonObject {
  const body: JsonObject = {
    model: random.pick(["alias-1", "alias-1", 'odd "name"']),
    max_tokens: random.pick([1, 100, 1_024, 1_025, 4_096, 5_000, 20_000, 64_000, 200_000]),
    ...random.maybe(0.55, () => ({ system: system(random) })),
    messages: messagesHistory(random),
    ...tools(random),
    ...sampling(random),
    ...random.maybe(0.35, () => ({ thinking: thinking(random) })),
    ...random.maybe(0.25, () => ({ output_config: outputConfig(random) })),
    ...random.maybe(0.03, () => ({ output_format: format(random) })),
    ...random.maybe(0.6, () => ({ stream: random.chance(0.85) })),
    ...random.maybe(0.2, () => ({ metadata: metadata(random) })),
    ...random.maybe(0.2, () => otherFields(random)),
  };
  if (random.tame && body.thinking != null) body.max_tokens = 64_000;
  if (random.wrong(0.05)) delete body.max_tokens;
  return random.wrong(0.35) ? mutated(random, body) : body;
}

function system(random: Random): unknown {
  const billing = { type: "text", text: "x-anthropic-billing-header: cc_version=2.1; cch=abc;" };
  if (random.chance(0.35)) return text(random);
  return [
    ...(random.chance(0.2) ? [billing] : []),
    ...random.many(0, 3, () => ({ type: "text", text: text(random), ...cacheMark(random) })),
    ...(random.chance(0.04) ? [{ type: "text", text: `${billing.text}\nand then words` }] : []),
    ...(random.wrong(0.05) ? [{ type: "image", source: {} }] : []),
  ];
}

function sampling(random: Random): JsonObject {
  return {
    ...random.maybe(0.25, () => ({ temperature: random.pick<unknown>([0, 0.2, 1, null]) })),
    ...random.maybe(0.12, () => ({ top_p: random.pick<unknown>([0.5, 1, null]) })),
    ...random.maybe(0.1, () => ({ top_k: random.pick<unknown>([1, 40, null]) })),
    ...random.maybe(0.15, () => ({
      stop_sequences: random.usual<unknown>(
        [["END"], ["a", "b"], [], null],
        [["1", "2", "3", "4", "5", "6"]],
      ),
    })),
  };
}

function thinking(random: Random): JsonObject | null {
  const good = [
    { type: "enabled", budget_tokens: 1_024 },
    { type: "enabled", budget_tokens: random.pick([2_047, 2_048, 3_000]) },
    { type: "enabled", budget_tokens: random.pick([8_191, 8_192, 10_000]) },
    { type: "enabled", budget_tokens: random.pick([24_575, 24_576, 30_000]) },
    { type: "adaptive" },
    { type: "adaptive", display: "summarized" },
    { type: "between_tools" },
    { type: "disabled" },
    null,
  ];
  return random.usual<JsonObject | null>(good, [
    { type: "enabled", budget_tokens: random.pick([500, 1_023, 4_096, 5_000]) },
    { type: "enabled", budget_tokens: 150_000 },
    { type: "enabled" },
    { type: "odd" },
  ]);
}

function outputConfig(random: Random): JsonObject {
  return {
    ...random.maybe(0.7, () => ({
      effort: random.usual<unknown>(
        ["low", "medium", "high", "xhigh", "max", "minimal", "none", null],
        ["extreme"],
      ),
    })),
    ...random.maybe(0.4, () => ({ format: format(random) })),
    ...random.maybe(0.1, () => ({ task_budget: { total: 1 } })),
  };
}

function format(random: Random): unknown {
  return random.make<unknown>(
    () => ({ type: "json_schema", schema: schema(random) }),
    () => ({ type: "json_schema", schema: schema(random) }),
    () => random.usual<unknown>([null], [{ type: "json_schema" }, { type: "grammar", schema: {} }]),
  );
}

function metadata(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { user_id: "user-1" },
    { user_id: "" },
    { user_id: null },
    { user_id: '{"session_id":"s-1","device":"d"}' },
    { user_id: '{"session_id":7}' },
    { user_id: "{broken" },
    { user_id: `user_${"f".repeat(64)}_account__session_0123abcd-4567-89ab-cdef-0123456789ab` },
    {},
  ]);
}

function tools(random: Random): JsonObject {
  if (random.chance(0.4)) return {};
  const list = toolNames(random, 4).map((name) => tool(random, name));
  return {
    tools: list,
    ...random.maybe(0.45, () => ({ tool_choice: toolChoice(random, list) })),
  };
}

function tool(random: Random, name: string): JsonObject {
  if (random.chance(0.08)) return serverTool(random);
  return {
    name,
    ...random.maybe(0.8, () => ({ description: random.chance(0.95) ? text(random) : null })),
    ...random.maybe(0.9, () => ({ input_schema: random.chance(0.97) ? schema(random) : null })),
    ...random.maybe(0.2, () => ({ strict: random.chance(0.8) })),
    ...random.maybe(0.1, () => ({ type: "custom" })),
    ...random.maybe(0.1, () => ({ defer_loading: true, eager_input_streaming: true, input_examples: [{}] })),
    ...cacheMark(random),
  };
}

function serverTool(random: Random): JsonObject {
  const good: JsonObject[] = [
    { type: "web_search_20250305", name: "web_search" },
    {
      type: "web_search_20250305",
      name: "web_search",
      user_location: { type: "approximate", country: "DE" },
    },
    { type: "web_search_20260209", name: "web_search", max_uses: 2, user_location: { type: "approximate" } },
    { type: "web_fetch_20250910", name: "web_fetch" },
    { type: "code_execution_20250825", name: "code_execution" },
    { type: "tool_search_tool_regex_20251119", name: "tool_search" },
    { type: "mcp_toolset", mcp_server_name: "s" },
  ];
  return random.usual(good, [
    { type: "bash_20250124", name: "bash" },
    { type: "memory_20250818", name: "memory" },
    { type: "odd_tool", name: "odd" },
    { input_schema: { type: "object" } },
  ]);
}

function toolChoice(random: Random, list: readonly JsonObject[]): unknown {
  const name = list.length > 0 ? random.pick(list).name : "none_of_them";
  const good = [
    { type: "auto" },
    { type: "auto" },
    { type: "any" },
    { type: "none" },
    { type: "tool", name },
    { type: "tool", name },
    null,
  ];
  const choice = random.usual<JsonObject | null>(good, [{ type: "tool", name: "missing" }, { type: "tool" }]);
  if (choice === null) return null;
  return { ...choice, ...random.maybe(0.3, () => ({ disable_parallel_tool_use: random.chance(0.8) })) };
}

function otherFields(random: Random): JsonObject {
  const all: JsonObject = {
    zz_unknown: { deep: [1, null] },
    zz_null: null,
    service_tier: random.pick(["auto", "standard_only", "odd"]),
    speed: random.pick(["standard", "fast"]),
    cache_control: { type: "ephemeral", ...random.maybe(0.5, () => ({ ttl: "1h" })) },
    context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
    betas: ["x"],
    container: random.usual<unknown>([null], ["c-1"]),
    mcp_servers: random.usual<unknown>([[]], [[{ url: "https://example.com" }]]),
    fallbacks: ["other"],
    inference_geo: "us",
    diagnostics: {},
    ...(random.wrong(0.3) ? { api_key: "k" } : {}),
  };
  const names = Object.keys(all);
  const chosen = random.many(1, 2, () => random.pick(names));
  return Object.fromEntries(chosen.map((name) => [name, all[name]]));
}
