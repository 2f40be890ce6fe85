import type { JsonObject, RequestInput } from "../shapes";

const png = "data:image/png;base64,iVBORw0KGgoAAAAA";
const jpegBytes = "/9j/4AAAAAAAAAAA";
const heicBytes = Buffer.from("0000ftypheic0000").toString("base64");
const pdf = "data:application/pdf;base64,JVBERi0xLjc=";

const user = (content: unknown, rest: JsonObject = {}) => ({ role: "user", content, ...rest });
const system = (content: unknown, rest: JsonObject = {}) => ({ role: "system", content, ...rest });
const call = (id: string, name = "f", args: unknown = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const calling = (calls: unknown[], rest: JsonObject = {}) => ({
  role: "assistant",
  content: null,
  tool_calls: calls,
  ...rest,
});
const answer = (id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const loop = (id: string, name = "f", args: unknown = "{}") => [
  user("go"),
  calling([call(id, name, args)]),
  answer(id),
];
const tool = (name: string, rest: JsonObject = {}) => ({ type: "function", function: { name, ...rest } });
const part = (url: string) => user([{ type: "image_url", image_url: { url } }]);
const marked = (text: string) => ({ type: "text", text, cache_control: { type: "ephemeral" } });
const signed = {
  type: "reasoning.text",
  text: "because",
  signature: "sig",
  format: "anthropic-claude-v1",
  index: 0,
};

const closed = {
  type: "object",
  properties: { a: { type: "string", minLength: 1 }, b: { oneOf: [{ type: "string" }, { type: "number" }] } },
  required: ["a", "b"],
};
const withDefs = {
  type: "object",
  properties: { a: { $ref: "#/$defs/inner" } },
  $defs: { inner: { type: "object", properties: { x: { type: "number" } } } },
};

const oddSchema = {
  type: "object",
  properties: { a: true, b: { anyOf: [true, { type: "string" }] }, c: { $ref: "#/title/x" } },
  required: ["a", "b", "c"],
  additionalProperties: false,
  title: "t",
};

/** The fields of the edge cases of chat clients, by the number in protocol 17; most have a history of their own. */
const fields: Readonly<Record<string, JsonObject>> = {
  "EC-1": {
    messages: [
      user("go"),
      calling([call("a"), call("b"), call("c")]),
      answer("a", "1"),
      answer("b", "2"),
      answer("c", "3"),
    ],
  },
  "EC-2": { messages: [...loop("a"), user("and then?")] },
  "EC-5": { messages: [user("go"), calling([call("a")], { content: "" }), answer("a")] },
  "EC-6": { messages: [user("a"), { role: "assistant", content: null }, user("b")] },
  "EC-8": { messages: [system("S"), ...loop("a"), system("later"), user("end")] },
  "EC-8 at the end": {
    messages: [user("a"), { role: "assistant", content: "b" }, user("c"), system("later")],
  },
  "EC-10": { messages: [system("only")] },
  "EC-11": { messages: [{ role: "developer", content: "D" }, user("a")] },
  "EC-12": {
    messages: [
      user("a"),
      user([
        { type: "text", text: "b" },
        { type: "image_url", image_url: { url: png } },
      ]),
    ],
  },
  "EC-13": { messages: [user("a"), { role: "assistant", content: "Sure: " }] },
  "EC-15": { messages: [user("a"), answer("gone")] },
  "EC-16": { messages: [...loop("a"), answer("a", "again")] },
  "EC-17": { messages: [...loop("call_0"), ...loop("call_0"), ...loop("call_0")] },
  "EC-20": { messages: [user("go"), calling([call("a"), call("b")]), answer("b", "2"), answer("a", "1")] },
  "EC-21": {
    functions: [{ name: "f", parameters: closed }],
    function_call: { name: "f" },
    messages: [
      user("go"),
      { role: "assistant", content: null, function_call: { name: "f", arguments: '{"a":1}' } },
      { role: "function", name: "f", content: "ok" },
    ],
  },
  "EC-24": { temperature: 1.7 },
  "EC-25": { temperature: 0.2 },
  "EC-26": { temperature: 0.5, top_p: 0.5 },
  "EC-29": { max_tokens: 100, max_completion_tokens: 50 },
  "EC-30": { tools: [tool("f")], reasoning_effort: "high" },
  "EC-31": { stop: ["\n", ""] },
  "EC-33": { n: 2 },
  "EC-34": { tools: [tool("f")], tool_choice: "none", parallel_tool_calls: false },
  "EC-35": { tools: [tool("f")], tool_choice: "none" },
  "EC-36": { tools: [tool("f")], parallel_tool_calls: false },
  "EC-37": { tools: [tool("f")], tool_choice: "required", reasoning_effort: "high" },
  "EC-37 by thinking": {
    tools: [tool("f")],
    tool_choice: "required",
    thinking: { type: "enabled", budget_tokens: 2_000 },
  },
  "EC-41": { reasoning_effort: "none" },
  "EC-42": { reasoning_effort: "high", max_tokens: 800 },
  "EC-43": { response_format: { type: "json_schema", json_schema: { name: "r", schema: closed } } },
  "EC-45": { moderation: { policies: [{ mode: "block" }] } },
  "EC-46": { stream: true },
  "EC-46 asked": { stream: true, stream_options: { include_usage: true } },
  "EC-48": {
    messages: [
      system([marked("S")]),
      user([marked("1"), marked("2"), marked("3"), marked("4"), marked("5")]),
    ],
    tools: [{ ...tool("f"), cache_control: { type: "ephemeral", ttl: "1h" } }],
  },
  "EC-49": { messages: loop("functions.Bash:0") },
  "EC-50": {
    messages: [user("go"), calling([call("a.b"), call("a:b")]), answer("a.b", "1"), answer("a:b", "2")],
  },
  "EC-51": { messages: loop("") },
  "EC-52": { messages: loop("x".repeat(86)) },
  "EC-53": { tools: [tool("n".repeat(90))], messages: loop("a", "n".repeat(90)) },
  "EC-54": { tools: [tool("ns.do/it")], messages: loop("a", "ns.do/it"), tool_choice: "ns.do/it" },
  "EC-55": { tools: [tool("f")] },
  "EC-56": { tools: [tool("f", { parameters: withDefs, strict: true })] },
  "EC-57": { messages: loop("a", "f", "") },
  "EC-58": { messages: loop("a", "f", '{"a":') },
  "EC-59": { messages: [...loop("a", "f", "[1]"), ...loop("b", "f", '"x"')] },
  "EC-69": { tools: [{ type: "custom", custom: { name: "f" } }] },
  "EC-70": { messages: loop("a") },
  "EC-71": { messages: [part(`data:image/jpg;base64,${jpegBytes}`)] },
  "EC-72": { messages: [part(`data:image/png;base64,${jpegBytes}`)] },
  "EC-73": { messages: [part(`data:image/heic;base64,${heicBytes}`)] },
  "EC-74": { messages: [part("data:image/png;charset=x;base64,iVBORw0KGgoAAAAA")] },
  "EC-75": { messages: [part("http://example.com/a.png")] },
  "EC-76": { messages: [user([{ type: "file", file: { filename: "a.pdf", file_data: pdf } }])] },
  "EC-76 as an image": { messages: [part(pdf)] },
  "EC-79": { messages: [user([{ type: "input_audio", input_audio: { data: "AA==", format: "wav" } }])] },
  "EC-80": {
    reasoning_effort: "high",
    messages: [user("go"), calling([call("a")], { reasoning_details: [signed] }), answer("a")],
  },
  "EC-81": {
    messages: [
      user("go"),
      calling([call("a")], { reasoning_details: [{ ...signed, text: "" }] }),
      answer("a"),
    ],
  },
  "EC-82": {
    reasoning_effort: "high",
    messages: [user("go"), calling([call("a")], { reasoning_content: "because" }), answer("a")],
  },
  "a name that is another's alias": { tools: [tool("ns_do_it_646a8c67"), tool("ns.do/it")] },
  "a call without a function": {
    messages: [user("go"), calling([{ id: "a", type: "function" }]), answer("a")],
  },
  "a call without an id": { messages: [user("go"), calling([{ ...call("a"), id: null }]), answer("a")] },
  "arguments that are nothing": { messages: loop("a", "f", null) },
  "arguments that are a list": { messages: loop("a", "f", [1]) },
  "a function's result without a name": { messages: [...loop("a"), { role: "function", content: "x" }] },
  "too many tools": { tools: Array.from({ length: 129 }, (_, at) => tool(`f${at}`)) },
  "a service tier": { service_tier: "auto" },
  "odd schemas": {
    response_format: { type: "json_schema", json_schema: { name: "r", schema: oddSchema } },
    tools: [
      tool("f", {
        strict: true,
        parameters: { ...oddSchema, properties: { a: { $ref: "#/$defs/no/where" } } },
      }),
    ],
  },
  "a gap": { messages: [user("go"), calling([call("a"), call("b")]), answer("a"), user("end")] },
  "no result at all": { messages: [user("go"), calling([call("a")])] },
  "no user first": { messages: [{ role: "assistant", content: "hello" }, user("hi")] },
  "too deep": { metadata: nested(70) },
  "too many values": { messages: [user("x")], zz_list: Array.from({ length: 200_001 }, () => 0) },
  "a NUL": { messages: [user("a\0b")] },
  "half a character": { messages: [user("a\ud800b")] },
  "half a character in a name": { metadata: { "\udc00": 1 } },
};

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { a: nested(depth - 1) };
}

/** The edge cases of chat clients. */
export const chatEdges: Readonly<Record<string, RequestInput>> = Object.fromEntries([
  ...Object.entries(fields).map(([name, rest]) => [name, { client: "chat", text: chat(rest) }] as const),
  ["not an object", { client: "chat", text: "[1]" }],
  ["nothing", { client: "chat", text: "{}" }],
]);

function chat(rest: JsonObject): string {
  return JSON.stringify({ model: "alias-1", max_tokens: 4_000, messages: [user("hi")], ...rest });
}
