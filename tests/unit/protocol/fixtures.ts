import type { Protocol } from "@/lib/protocol/protocol";
import {
  block,
  chatSse,
  delta,
  finish,
  messageEnd,
  messageStart,
  messagesSse,
  textBlock,
  tool,
  usageChunk,
} from "./pipeline";

/** One upstream stream, as its bytes. */
export interface StreamFixture {
  name: string;
  upstream: Protocol;
  sse: string;
}

const usage = usageChunk({
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  prompt_tokens_details: { cached_tokens: 75 },
});
const call = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  json: string | undefined,
) => {
  const part = {
    ...(name === undefined ? {} : { name }),
    ...(json === undefined ? {} : { arguments: json }),
  };
  return tool({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id, type: "function" }),
    function: part,
  });
};
const role = delta({ role: "assistant", content: "" });

/** Streams of chat upstreams: ordinary ones and the oddities of protocol 12.2 and 17.6. */
export const chatFixtures = {
  text: chatSse([
    role,
    delta({ content: "北京 is 🌏" }),
    delta({ content: " fine\n" }),
    finish("stop"),
    usage,
  ]),
  reasoning: chatSse([
    role,
    delta({ reasoning_content: "Hm" }),
    delta({ reasoning_content: "m." }),
    delta({ content: "Yes" }),
    finish("stop"),
    usage,
  ]),
  reasoningAndText: chatSse([
    delta({ role: "assistant", reasoning_content: "A", content: "B" }),
    delta({ content: "C" }),
    finish("stop"),
    usage,
  ]),
  reasoningNames: chatSse([
    role,
    delta({ reasoning: "one ", reasoning_content: "one " }),
    delta({ reasoning: "two" }),
    delta({ content: "x" }),
    finish("stop"),
    usage,
  ]),
  reasoningDetails: chatSse([
    role,
    delta({ reasoning_details: [{ type: "reasoning.text", text: "deep", index: 0 }] }),
    delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "b64", index: 1 }] }),
    delta({ content: "x" }),
    finish("stop"),
    usage,
  ]),
  oneTool: chatSse([
    role,
    call(0, "call_1", "f", ""),
    call(0, undefined, undefined, '{"a"'),
    call(0, undefined, undefined, ":1}"),
    finish("tool_calls"),
    usage,
  ]),
  interleaved: chatSse([
    role,
    call(0, "call_1", "f", '{"a"'),
    call(1, "call_2", "g", '{"b"'),
    call(0, undefined, undefined, ":1"),
    call(1, undefined, undefined, ":2"),
    call(0, undefined, undefined, "}"),
    call(1, undefined, undefined, "}"),
    finish("tool_calls"),
    usage,
  ]),
  allIndexZero: chatSse([
    role,
    call(0, "call_1", "f", '{"a":1}'),
    call(0, "call_2", "f", '{"a":2}'),
    finish("stop"),
    usage,
  ]),
  noIndex: chatSse([
    role,
    call(undefined, "call_1", "f", '{"a":'),
    call(undefined, undefined, undefined, "1}"),
    call(undefined, "call_2", "g", '{"b":2}'),
    finish("tool_calls"),
    usage,
  ]),
  noIds: chatSse([
    role,
    call(undefined, undefined, "f", '{"a":1}'),
    call(undefined, undefined, "f", '{"a":2}'),
    finish("tool_calls"),
    usage,
  ]),
  movingIndex: chatSse([
    role,
    call(0, "call_1", "f", '{"a":1}'),
    call(0, "call_2", "g", '{"b"'),
    call(1, undefined, undefined, ":2}"),
    finish("tool_calls"),
    usage,
  ]),
  lateName: chatSse([
    role,
    call(0, "call_1", undefined, '{"a"'),
    call(0, undefined, "f", ":1}"),
    finish("tool_calls"),
    usage,
  ]),
  splitName: chatSse([
    role,
    call(0, "call_1", "get_", undefined),
    call(0, undefined, "time", undefined),
    call(0, undefined, undefined, "{}"),
    finish("tool_calls"),
    usage,
  ]),
  emptyNameLater: chatSse([
    role,
    call(0, "call_1", "f", '{"a"'),
    call(0, undefined, "", ":1}"),
    finish("tool_calls"),
    usage,
  ]),
  repeatedName: chatSse([
    role,
    call(0, "call_1", "f", '{"a"'),
    call(0, "call_1", "f", ":1}"),
    finish("tool_calls"),
    usage,
  ]),
  wholeToolInOneChunk: chatSse([role, call(0, "call_1", "f", '{"a":1}'), finish("tool_calls"), usage]),
  zeroArguments: chatSse([
    role,
    call(0, "call_1", "f", ""),
    call(1, "call_2", "g", '{"b":2}'),
    finish("tool_calls"),
    usage,
  ]),
  doubledBraces: chatSse([
    role,
    call(0, "call_1", "f", "{}"),
    call(0, undefined, undefined, '{"a":1}'),
    finish("tool_calls"),
    usage,
  ]),
  objectArguments: chatSse([
    role,
    tool({ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: { a: 1 } } }),
    finish("tool_calls"),
    usage,
  ]),
  textToolText: chatSse([
    role,
    delta({ content: "Before" }),
    call(0, "call_1", "f", '{"a":1}'),
    delta({ content: "After" }),
    finish("tool_calls"),
    usage,
  ]),
  blankBetweenTools: chatSse([
    role,
    call(0, "call_1", "f", '{"a":1}'),
    delta({ content: "\n" }),
    call(1, "call_2", "g", '{"b":2}'),
    finish("tool_calls"),
    usage,
  ]),
  indexFromOne: chatSse([
    role,
    call(1, "call_1", "f", '{"a":1}'),
    call(3, "call_2", "g", '{"b":2}'),
    finish("tool_calls"),
    usage,
  ]),
  longIds: chatSse([
    role,
    call(0, "call.with:odd/characters-and-far-too-long-for-anyone", "f", '{"a":1}'),
    finish("tool_calls"),
    usage,
  ]),
  legacyCall: chatSse([
    role,
    delta({ function_call: { name: "f", arguments: "" } }),
    delta({ function_call: { arguments: '{"a":1}' } }),
    finish("function_call"),
    usage,
  ]),
  stopWithTool: chatSse([role, call(0, "call_1", "f", '{"a":1}'), finish("stop"), usage]),
  length: chatSse([role, delta({ content: "cut" }), finish("length"), usage]),
  lengthInTool: chatSse([
    role,
    call(0, "call_1", "f", '{"a":"whole","b":{"c":[1,2'),
    finish("length"),
    usage,
  ]),
  contentFilter: chatSse([role, delta({ content: "Some" }), finish("content_filter"), usage]),
  refusal: chatSse([
    delta({ role: "assistant", content: null, refusal: "" }),
    delta({ refusal: "I can" }),
    delta({ refusal: "not." }),
    finish("stop"),
    usage,
  ]),
  empty: chatSse([role, finish("stop"), usage]),
  azure: chatSse([
    { id: "", object: "", created: 0, model: "", choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
    role,
    delta({ content: "Hi" }),
    {
      id: "",
      object: "",
      created: 0,
      model: "",
      choices: [{ index: 0, content_filter_offsets: { start: 1 }, finish_reason: null }],
    },
    finish("stop"),
    usage,
  ]),
  noRole: chatSse([delta({ content: "Hi" }), delta({ content: " you" }), finish("stop"), usage]),
  roleEverywhere: chatSse([
    delta({ role: "assistant", content: "Hi" }),
    delta({ role: "", content: " you" }),
    delta({ role: "assistant", content: "!" }),
    finish("stop"),
    usage,
  ]),
  changingIds: chatSse([
    { ...role, id: "a" },
    { ...delta({ content: "Hi" }), id: "b" },
    { ...finish("stop"), id: "" },
    { ...usage, id: "" },
  ]),
  usageOnFinish: chatSse([role, delta({ content: "Hi" }), { ...finish("stop"), usage: usage.usage }]),
  usageEverywhere: chatSse([
    { ...role, usage: { prompt_tokens: 100, completion_tokens: 0 } },
    { ...delta({ content: "Hi" }), usage: { prompt_tokens: 100, completion_tokens: 1 } },
    { ...finish("stop"), usage: { prompt_tokens: 100, completion_tokens: 3 } },
  ]),
  vendorUsage: chatSse([
    role,
    delta({ content: "Hi" }),
    { ...finish("stop"), x_groq: { id: "r", usage: usage.usage } },
  ]),
  noUsage: chatSse([role, delta({ content: "Hi" }), finish("stop")]),
  noDone: chatSse([role, delta({ content: "Hi" }), finish("stop"), usage], false),
  noFinish: chatSse([role, delta({ content: "Hi" }), usage]),
  twoFinishes: chatSse([
    role,
    call(0, "call_1", "f", '{"a":1}'),
    finish("stop"),
    finish("tool_calls"),
    usage,
  ]),
  finishWithContent: chatSse([role, delta({ content: "Hi" }, { finish_reason: "stop" }), usage]),
  contentAfterFinish: chatSse([
    role,
    delta({ content: "Hi" }),
    finish("stop"),
    delta({ content: " there" }),
    usage,
  ]),
  emptyFinishWords: chatSse([
    delta({ role: "assistant", content: "Hi" }, { finish_reason: "" }),
    delta({ content: "!" }, { finish_reason: "None" }),
    finish("eos"),
    usage,
  ]),
  arrayContent: chatSse([
    role,
    delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }),
    delta({ content: [{ type: "text", text: "Hi" }] }),
    finish("stop"),
    usage,
  ]),
  stopSequence: chatSse([
    role,
    delta({ content: "Hi" }),
    delta({}, { finish_reason: "stop", stop_reason: "END" }),
    usage,
  ]),
  secondChoice: chatSse([
    role,
    { ...delta({ content: "other" }), choices: [{ index: 1, delta: { content: "other" } }] },
    delta({ content: "Hi" }),
    finish("stop"),
    usage,
  ]),
} as const satisfies Record<string, string>;

const toolUse = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const json = (text: string) => ({ type: "input_json_delta", partial_json: text });
const cacheUsage = {
  input_tokens: 20,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 4000,
  output_tokens: 1,
};
const lastUsage = { output_tokens: 150, output_tokens_details: { thinking_tokens: 90 } };

/** Streams of messages upstreams: ordinary ones and the oddities of protocol 12.5 and 17.7. */
export const messagesFixtures = {
  text: messagesSse([
    messageStart(),
    { type: "ping" },
    ...textBlock(0, "北京 is 🌏", " fine\n"),
    ...messageEnd("end_turn"),
  ]),
  thinkingAndTools: messagesSse([
    messageStart(cacheUsage),
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Let me" },
      { type: "thinking_delta", thinking: " see" },
      { type: "signature_delta", signature: "c2ln" },
    ),
    ...textBlock(1, "I look."),
    ...block(2, toolUse("toolu_1", "f"), json(""), json('{"a"'), json(": 1}")),
    ...block(3, toolUse("toolu_2", "g"), json('{"b": 2}')),
    ...messageEnd("tool_use", lastUsage),
  ]),
  redacted: messagesSse([
    messageStart(),
    ...block(0, { type: "redacted_thinking", data: "b64" }),
    ...textBlock(1, "Hi"),
    ...messageEnd("end_turn"),
  ]),
  omittedThinking: messagesSse([
    messageStart(),
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "signature_delta", signature: "c2ln" },
    ),
    ...textBlock(1, "Hi"),
    ...messageEnd("end_turn"),
  ]),
  twoThoughts: messagesSse([
    messageStart(),
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "A" },
      { type: "signature_delta", signature: "cw==" },
    ),
    ...block(
      1,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "B" },
      { type: "signature_delta", signature: "dA==" },
    ),
    ...textBlock(2, "Hi"),
    ...messageEnd("end_turn"),
  ]),
  noToolBytes: messagesSse([messageStart(), ...block(0, toolUse("toolu_1", "f")), ...messageEnd("tool_use")]),
  inputInStart: messagesSse([
    messageStart(),
    ...block(0, { ...toolUse("toolu_1", "f"), input: { a: 1 } }),
    ...messageEnd("tool_use"),
  ]),
  contentInMessageStart: messagesSse([
    messageStart(
      { input_tokens: 0, output_tokens: 0 },
      { content: [{ ...toolUse("toolu_1", "f"), input: { a: 1 } }], stop_reason: "tool_use" },
    ),
    { type: "message_stop" },
  ]),
  refusal: messagesSse([
    messageStart(),
    ...textBlock(0, "Part"),
    ...messageEnd(
      "refusal",
      { output_tokens: 5 },
      { stop_details: { type: "refusal", category: null, explanation: "No." } },
    ),
  ]),
  twoDeltas: messagesSse([
    messageStart(),
    ...textBlock(0, "Hi"),
    { type: "message_delta", delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: 3 } },
    ...messageEnd("max_tokens", { output_tokens: 7 }),
  ]),
  unknownThings: messagesSse([
    messageStart(),
    { type: "new_event", anything: { at: "all" } },
    ...block(
      0,
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
      json('{"query":"x"}'),
    ),
    ...block(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }),
    ...block(
      2,
      { type: "text", text: "" },
      { type: "text_delta", text: "Hi" },
      { type: "new_delta", what: 1 },
    ),
    ...messageEnd("end_turn"),
  ]),
  citations: messagesSse([
    messageStart(),
    ...textBlock(0, "See "),
    ...block(
      1,
      { type: "text", text: "" },
      { type: "text_delta", text: "this" },
      {
        type: "citations_delta",
        citation: {
          type: "web_search_result_location",
          url: "https://a.example/",
          title: "A",
          encrypted_index: "e",
          cited_text: "t",
        },
      },
      { type: "citations_delta", citation: { type: "char_location", document_index: 0, cited_text: "t" } },
    ),
    ...messageEnd("end_turn"),
  ]),
  zeroInDelta: messagesSse([
    messageStart({ input_tokens: 15, output_tokens: 1 }),
    ...textBlock(0, "Hi"),
    ...messageEnd("end_turn", { input_tokens: 0, output_tokens: 4 }),
  ]),
  zeroInStart: messagesSse([
    messageStart({ input_tokens: 0, output_tokens: 0 }),
    ...textBlock(0, "Hi"),
    ...messageEnd("end_turn", { input_tokens: 39, output_tokens: 4 }),
  ]),
  stopSequence: messagesSse([
    messageStart(),
    ...textBlock(0, "Hi"),
    ...messageEnd("stop_sequence", { output_tokens: 4 }, { stop_sequence: "END" }),
  ]),
  pause: messagesSse([messageStart(), ...textBlock(0, "Wait"), ...messageEnd("pause_turn")]),
  contextWindow: messagesSse([
    messageStart(),
    ...textBlock(0, "Long"),
    ...messageEnd("model_context_window_exceeded"),
  ]),
  unknownStop: messagesSse([messageStart(), ...textBlock(0, "Hi"), ...messageEnd("new_reason")]),
  noStopReason: messagesSse([messageStart(), ...textBlock(0, "Hi"), ...messageEnd(null)]),
  empty: messagesSse([messageStart(), ...messageEnd("end_turn", { output_tokens: 0 })]),
  textInStart: messagesSse([
    messageStart(),
    ...block(0, { type: "text", text: "Hi" }, { type: "text_delta", text: " you" }),
    ...messageEnd("end_turn"),
  ]),
} as const satisfies Record<string, string>;

/** Every stream that ends well. */
export const goodStreams: readonly StreamFixture[] = [
  ...Object.entries(chatFixtures).map(([name, sse]) => ({ name, upstream: "chat" as const, sse })),
  ...Object.entries(messagesFixtures).map(([name, sse]) => ({ name, upstream: "messages" as const, sse })),
];
