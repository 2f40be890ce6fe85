import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { prepareFor, schemaFields, validated } from "@/tests/unit/protocols/requests/support";

const schema = {
  type: "object",
  properties: { a: { type: "string", minLength: 1 } },
  required: ["a"],
  additionalProperties: false,
};

const chat: JsonObject = {
  model: "m",
  max_tokens: 5000,
  temperature: 0.5,
  top_p: 0.9,
  stop: ["x"],
  user: "u",
  safety_identifier: "u",
  service_tier: "auto",
  max_completion_tokens: 5000,
  top_k: 5,
  seed: 1,
  frequency_penalty: 0.5,
  presence_penalty: 0.5,
  stream: true,
  parallel_tool_calls: false,
  reasoning: { effort: "low", max_tokens: 2000, enabled: true },
  reasoning_effort: "high",
  thinking: { type: "enabled", budget_tokens: 2000 },
  response_format: { type: "json_schema", json_schema: { name: "r", schema, strict: true } },
  tools: [
    {
      type: "function",
      function: { name: "f", description: "d", parameters: schema, strict: true },
      cache_control: { type: "ephemeral" },
    },
  ],
  tool_choice: { type: "function", function: { name: "f" } },
  moderation: { policies: [{ mode: "warn" }] },
  modalities: ["text"],
  stream_options: { include_usage: true },
  n: 1,
  messages: [
    {
      role: "system",
      content: [{ type: "text", text: "S", cache_control: { type: "ephemeral", ttl: "1h" } }],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ],
    },
    { role: "user", content: [{ type: "file", file: { filename: "a.txt", file_data: "YQ==" } }] },
    {
      role: "assistant",
      content: "b",
      reasoning_content: "r",
      reasoning_details: [{ type: "reasoning.text", text: "t", signature: "s", index: 0 }],
      tool_calls: [{ id: "x", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "x", content: [{ type: "text", text: "ok" }] },
    { role: "system", content: "later" },
    { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
    { role: "function", name: "f", content: "ok" },
    { role: "user", content: "end" },
  ],
};

/** Fields that exclude others of the body above. */
const olderChat: JsonObject = {
  model: "m",
  functions: [{ name: "f", description: "d", parameters: schema }],
  function_call: { name: "f" },
  messages: [{ role: "user", content: "a" }],
};

const messages: JsonObject = {
  model: "m",
  max_tokens: 5000,
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  stop_sequences: ["x"],
  metadata: { user_id: '{"session_id":"s"}' },
  thinking: { type: "enabled", budget_tokens: 2000 },
  service_tier: "auto",
  stream: true,
  output_config: { effort: "high", format: { type: "json_schema", schema }, task_budget: { total: 1 } },
  system: [{ type: "text", text: "S", cache_control: { type: "ephemeral" } }],
  tools: [
    { name: "f", description: "d", input_schema: schema, strict: true },
    { type: "web_search_20250305", name: "web_search", user_location: { country: "DE" } },
  ],
  tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "document", title: "T", source: { type: "content", content: [{ type: "text", text: "x" }] } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "t", signature: "s" },
        { type: "server_tool_use", id: "w", name: "web_search", input: {} },
        {
          type: "web_search_tool_result",
          tool_use_id: "w",
          content: [{ type: "web_search_result", title: "T", url: "u" }],
        },
        { type: "text", text: "b", citations: [{}] },
        { type: "tool_use", id: "x", name: "f", input: { a: "1" } },
      ],
    },
    {
      role: "system",
      content: [
        { type: "tool_removal", tool: { name: "g" } },
        { type: "text", text: "later" },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "x",
          is_error: true,
          content: [
            { type: "search_result", title: "T", source: "s", content: [{ type: "text", text: "x" }] },
          ],
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "code_execution_tool_result", content: { stdout: "o" } },
        { type: "compaction", content: "c" },
      ],
    },
    { role: "user", content: "end" },
  ],
};

/** Every place in a value, as paths. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, child]) => places(child, [...path, key]))];
}

/** A copy of `body` with the value at one place exchanged. */
function exchanged(body: JsonObject, path: (string | number)[], value: unknown): JsonObject {
  const copy = structuredClone(body);
  let holder: unknown = copy;
  for (const step of path.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[step];
  const last = path.at(-1);
  if (last !== undefined) (holder as Record<string | number, unknown>)[last] = value;
  return copy;
}

const strange = [
  null,
  0,
  -1,
  1.5,
  "",
  " ",
  "x",
  true,
  [],
  [null],
  {},
  { type: "text" },
  [[1]],
  { a: { b: null } },
];
const models = { chat: "deepseek-chat", messages: "claude-opus-4-6" };

const bodies = { chat: [chat, olderChat], messages: [messages] };

it.each(["chat", "messages"] as const)(
  "the full bodies of this file miss no field of %s requests",
  (protocol) => {
    const present = new Set(bodies[protocol].flatMap((body) => Object.keys(body)));
    const missing = schemaFields(protocol).filter((field) => !present.has(field));
    expect(
      missing,
      `fields of the schema that no body of this file has; add them to \`${protocol}\``,
    ).toEqual([]);
  },
);

describe("a request with something strange in it", () => {
  for (const [clientProtocol, seed] of [
    ["chat", chat],
    ["messages", messages],
  ] as const) {
    it(`is prepared or refused by field, whatever stands in whichever place (${clientProtocol})`, () => {
      const counts = { prepared: 0, refused: 0 };
      const attempt = (body: JsonObject) => {
        for (const upstreamProtocol of ["chat", "messages"] as const) {
          const choice = { clientProtocol, upstreamProtocol, upstreamModel: models[upstreamProtocol] };
          try {
            const checked = validated(body, clientProtocol, { compatibility: "lenient" });
            JSON.stringify(prepareFor(checked, { ...choice, compatibility: "lenient" }).body);
            counts.prepared += 1;
          } catch (error) {
            if (!isGatewayError(error)) throw error;
            expect(error.code).toBe("INVALID_REQUEST");
            expect(error.details.param).toBeTruthy();
            counts.refused += 1;
          }
        }
      };
      for (const body of bodies[clientProtocol]) {
        attempt(body);
        for (const path of places(body).slice(1))
          for (const value of strange) attempt(exchanged(body, path, value));
      }
      expect(counts.prepared).toBeGreaterThan(1000);
      expect(counts.refused).toBeGreaterThan(500);
    });

    it(`is never forwarded with more than the client sent where the protocols agree (${clientProtocol})`, () => {
      fc.assert(
        fc.property(fc.dictionary(fc.stringMatching(/^zz_[a-z]{1,6}$/), fc.jsonValue()), (extra) => {
          const body = validated({ ...seed, ...extra }, clientProtocol, { compatibility: "lenient" });
          const prepared = prepareFor(body, { clientProtocol, upstreamProtocol: clientProtocol });
          for (const [field, value] of Object.entries(extra)) expect(prepared.body[field]).toBe(value);
        }),
      );
    });
  }
});
