import type { JsonObject, RequestInput } from "../shapes";
import { opaque, signature } from "./replay-tags";

const text = (words: string, rest: JsonObject = {}) => ({ type: "text", text: words, ...rest });
const use = (id: string, name = "f", input: unknown = { a: 1 }) => ({ type: "tool_use", id, name, input });
const result = (id: string, rest: JsonObject = { content: "ok" }) => ({
  type: "tool_result",
  tool_use_id: id,
  ...rest,
});
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const loop = (id: string, name = "f", rest?: JsonObject) => [
  user("go"),
  assistant([use(id, name)]),
  user([result(id, rest)]),
];
const tool = (name: string, rest: JsonObject = {}) => ({ name, input_schema: { type: "object" }, ...rest });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const billing = text("x-anthropic-billing-header: cc_version=2.1; cch=abc;");
const schema = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const thought = { type: "thinking", thinking: "because", signature: "c2ln" };
const marked = (words: string) => text(words, { cache_control: { type: "ephemeral" } });
const document = { type: "document", title: "T", context: "C", source: { type: "text", data: "words" } };

/** The fields of the edge cases of messages clients, by the number in protocol 17. */
const fields: Readonly<Record<string, JsonObject>> = {
  "EC-3": { messages: [user("go"), assistant([use("a")]), user([text("b"), result("a"), text("c")])] },
  "EC-4": {
    messages: [
      user("go"),
      assistant([use("a"), use("b")]),
      user([result("a"), text("between"), result("b")]),
    ],
  },
  "EC-7": { messages: [user("go"), assistant([text(""), use("a")]), user([result("a")])] },
  "EC-9": { messages: [user("a"), { role: "system", content: "later" }, user("b")] },
  "EC-9 in a loop": {
    messages: [
      user("go"),
      assistant([use("a")]),
      { role: "system", content: [text("later")] },
      user([result("a")]),
    ],
  },
  "EC-14": { messages: [user("a"), assistant("Sure: ")] },
  "EC-15": { messages: [user([result("gone")])] },
  "EC-16": { messages: [user("go"), assistant([use("a")]), user([result("a"), result("a")])] },
  "EC-17": { messages: [...loop("call_0"), ...loop("call_0")] },
  "EC-18": { messages: [user("go"), assistant([use("a"), text("after")]), user([result("a")])] },
  "EC-19": { messages: [user("go"), assistant([thought, use("a")]), user([result("a")])] },
  "EC-22": { system: [billing, text("You are an agent.")] },
  "EC-27": { temperature: 1 },
  "EC-28": { max_tokens: 500 },
  "EC-30": { tools: [tool("f")], output_config: { effort: "high" } },
  "EC-32": { stop_sequences: ["1", "2", "3", "4", "5", "6"] },
  "EC-38": { tools: [], tool_choice: { type: "auto" } },
  "EC-39": { metadata: { user_id: JSON.stringify({ session_id: "s", account: "x".repeat(180) }) } },
  "EC-40": { output_config: { effort: "max" } },
  "EC-44": { output_config: { format: { type: "json_schema", schema } } },
  "EC-46": { stream: true },
  "EC-48": { system: [marked("1"), marked("2")], messages: [user([marked("3"), marked("4"), marked("5")])] },
  "EC-52": { messages: loop("x".repeat(86)) },
  "EC-53": { tools: [tool("n".repeat(90))], messages: loop("a", "n".repeat(90)) },
  "EC-64": { tools: [tool("f", { defer_loading: true, input_examples: [{}], eager_input_streaming: true })] },
  "EC-65": { tools: [{ type: "bash_20250124", name: "bash" }] },
  "EC-66": { messages: loop("a", "f", { content: [text("see"), image] }) },
  "EC-67": { messages: loop("a", "f", { content: "went wrong", is_error: true }) },
  "EC-67 without words": { messages: loop("a", "f", { content: [image], is_error: true }) },
  "EC-68": { messages: loop("a", "f", {}) },
  "EC-77": { messages: [user([document])] },
  "EC-78": { messages: [user("a"), assistant([document]), user("b")] },
  "EC-78 citations": { messages: [user([text("a", { citations: [{}] })])] },
  "EC-83": {
    thinking: { type: "enabled", budget_tokens: 1_024 },
    messages: [user("go"), assistant([thought, use("a")]), user([result("a")])],
  },
  "EC-84": {
    thinking: { type: "enabled", budget_tokens: 1_024 },
    messages: [user("go"), assistant([{ ...thought, signature }, use("a")]), user([result("a")])],
  },
  "EC-84 redacted": {
    messages: [user("go"), assistant([{ type: "redacted_thinking", data: opaque }, text("b")]), user("c")],
  },
  "EC-84 of another": {
    messages: [
      user("go"),
      assistant([{ type: "redacted_thinking", data: "gw1.x.b64" }, text("b")]),
      user("c"),
    ],
  },
  "an orphan with an image": { messages: [user([result("gone", { content: [text("see"), image] })])] },
  "a document of nothing": {
    messages: [user([{ type: "document", source: { type: "content", content: 7 } }])],
  },
  "a compaction of nothing": {
    messages: [user("a"), assistant([{ type: "compaction", content: null }]), user("b")],
  },
  "a marked system and a format": {
    system: [marked("S")],
    output_config: { format: { type: "json_schema", schema } },
  },
  "budgets between efforts": { max_tokens: 8_192, thinking: { type: "enabled", budget_tokens: 8_191 } },
  "a gap": { messages: [user("go"), assistant([use("a"), use("b")]), user([result("a"), text("end")])] },
  "no result at all": { messages: [user("go"), assistant([use("a")])] },
  "a budget beyond the limit": { max_tokens: 200_000, thinking: { type: "enabled", budget_tokens: 150_000 } },
  "empty system": { system: [text(""), text(" ")] },
  "nothing left": { messages: [user([text("")])] },
  "a removed tool": {
    tools: [tool("f"), tool("g")],
    messages: [
      user("a"),
      { role: "system", content: [{ type: "tool_removal", tool: { name: "f" } }] },
      user("b"),
    ],
  },
};

function messages(rest: JsonObject): string {
  return JSON.stringify({ model: "alias-1", max_tokens: 4_000, messages: [user("hi")], ...rest });
}

const versions = ["2023-06-01", "2026-10-21", "2027-01-01"];

/** The edge cases of messages clients, each in the versions of the protocol. */
export const messagesEdges: Readonly<Record<string, RequestInput>> = Object.fromEntries([
  ...Object.entries(fields).flatMap(([name, rest]) =>
    versions.map(
      (version) => [`${name}, ${version}`, { client: "messages", version, text: messages(rest) }] as const,
    ),
  ),
  ["EC-145", { client: "messages", countTokens: true, text: messages({ max_tokens: undefined }) }],
  ["nothing", { client: "messages", text: "{}" }],
]);
