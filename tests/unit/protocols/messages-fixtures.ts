import { block, messageEnd, messageStart, messagesSse, textBlock } from "./wire";

const toolUse = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const json = (text: string) => ({ type: "input_json_delta", partial_json: text });
const cacheUsage = {
  input_tokens: 20,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 4000,
  output_tokens: 1,
};
const lastUsage = { output_tokens: 150, output_tokens_details: { thinking_tokens: 90 } };

/** Streams of messages upstreams: ordinary ones and the oddities of docs/protocols.md#s12-5 and #s17-7. */
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
      {
        type: "citations_delta",
        citation: {
          type: "char_location",
          document_index: 0,
          document_title: "D",
          start_char_index: 0,
          end_char_index: 1,
          cited_text: "t",
        },
      },
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
