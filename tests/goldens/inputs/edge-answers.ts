import type { AnswerOptions, JsonObject, Protocol } from "../shapes";

/** An answer of an edge case: payloads of a stream, bytes as they are, or a whole body. */
interface EdgeAnswer {
  upstream: Protocol;
  text: string;
  isBody?: true;
  options?: AnswerOptions;
}

const chat = (payloads: unknown[], done = true): EdgeAnswer => ({
  upstream: "chat",
  text: [...payloads.map((payload) => JSON.stringify(payload)), ...(done ? ["[DONE]"] : [])]
    .map((data) => `data: ${data}\n\n`)
    .join(""),
});
const messages = (payloads: JsonObject[]): EdgeAnswer => ({
  upstream: "messages",
  text: payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join(""),
});
const body = (upstream: Protocol, value: unknown): EdgeAnswer => ({
  upstream,
  text: JSON.stringify(value),
  isBody: true,
});

const chunk = (delta: JsonObject, finish_reason: unknown = null) => ({
  id: "chatcmpl-up",
  object: "chat.completion.chunk",
  model: "up-model",
  choices: [{ index: 0, delta, finish_reason }],
});
const usage = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } };
const tokens = { usage: { prompt_tokens: 100, completion_tokens: 10 } };
const completion = (message: JsonObject, finish_reason: unknown = "stop", rest: JsonObject = {}) => ({
  id: "chatcmpl-up",
  object: "chat.completion",
  model: "up-model",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 10,
    total_tokens: 110,
    prompt_tokens_details: { cached_tokens: 75 },
  },
  ...rest,
});
const call = (args: unknown) => ({
  id: "call_1",
  type: "function",
  function: { name: "f", arguments: args },
});
const start = (counts: JsonObject = { input_tokens: 10, output_tokens: 1 }) => ({
  type: "message_start",
  message: {
    id: "msg_up",
    type: "message",
    role: "assistant",
    model: "up-model",
    content: [],
    usage: counts,
  },
});
const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const hi = block(0, { type: "text", text: "" }, { type: "text_delta", text: "Hi" });
const end = (stop_reason: unknown, counts: JsonObject = { output_tokens: 5 }): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: counts },
  { type: "message_stop" },
];
const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
const counted = {
  input_tokens: 20,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 4_000,
  output_tokens: 150,
};
const message = (content: unknown[], stop_reason: unknown, rest: JsonObject = {}) => ({
  id: "msg_up",
  type: "message",
  role: "assistant",
  model: "up-model",
  content,
  stop_reason,
  stop_sequence: null,
  usage: counted,
  ...rest,
});
const long = "word ".repeat(30_000);

/** The edge cases of answers, by the number in protocol 17, that the scripted streams of the other tests do not have. */
export const answerEdges: Readonly<Record<string, EdgeAnswer>> = {
  "EC-60": body("chat", completion({ content: null, tool_calls: [call("")] }, "tool_calls")),
  "EC-61": body("chat", completion({ content: null, tool_calls: [call("not json")] }, "tool_calls")),
  "EC-61 in a stream": chat([
    chunk({ tool_calls: [{ index: 0, ...call("not json") }] }),
    chunk({}, "tool_calls"),
  ]),
  "EC-62": body("chat", completion({ content: null, tool_calls: [call({ a: 1 })] }, "tool_calls")),
  "EC-63": body("messages", message([{ type: "tool_use", id: "toolu_1", name: "f", input: {} }], "tool_use")),
  "EC-87": body("chat", completion({ content: "Yes", reasoning_content: "Hm" })),
  "EC-88": body(
    "messages",
    message(
      [
        { type: "redacted_thinking", data: "b64" },
        { type: "text", text: "Hi" },
      ],
      "end_turn",
    ),
  ),
  "EC-101": chat([chunk({ content: "Hi" }), chunk({ content: " you" })], false),
  "EC-102": chat([chunk({ content: "Hi" }), chunk({}, "stop")], false),
  "EC-105": body("chat", completion({ content: null, refusal: "I can not." })),
  "EC-115": messages([start(), ...hi, overloaded]),
  "EC-115 of chat": chat([chunk({ content: "Hi" }), { error: { message: "busy", type: "server_error" } }]),
  "EC-120": messages([start(), ...hi, ...end("end_turn").slice(0, 1)]),
  "EC-123": {
    upstream: "chat",
    text: `\ufeff: comment\r\ndata:${JSON.stringify(chunk({ content: "北" }))}\r\n\r\ndata:${JSON.stringify(chunk({}, "stop"))}\r\rdata: [DONE]\n\n`,
  },
  "EC-124": {
    upstream: "chat",
    text: `data: {"choices":[{"index":0,\ndata: "delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
  },
  "EC-125": {
    upstream: "chat",
    text: `data: ${JSON.stringify(chunk({ content: "Hi" }, "stop"))}\n\ndata: ${JSON.stringify(usage)}`,
  },
  "EC-126 a failure": body("chat", { error: { message: "no", type: "rate_limit_error" } }),
  "EC-127": chat([{ error: { message: "slow", type: "rate_limit_error" } }]),
  "EC-127 of messages": messages([overloaded]),
  "EC-128": { upstream: "chat", text: ": one\n\n: two\n\n" },
  "EC-128 of messages": { upstream: "messages", text: ": one\n\n: two\n\n" },
  "EC-129": messages([start(counted), ...hi, ...end("end_turn", { output_tokens: 150 })]),
  "EC-129 whole": body("messages", message([{ type: "text", text: "Hi" }], "end_turn")),
  "EC-130": body("chat", completion({ content: "Hi" })),
  "EC-131": messages([
    start({ input_tokens: 15, output_tokens: 1 }),
    ...hi,
    ...end("end_turn", { input_tokens: 0, output_tokens: 4 }),
  ]),
  "EC-132": messages([
    start({ input_tokens: 0, output_tokens: 0 }),
    ...hi,
    ...end("end_turn", { input_tokens: 39, output_tokens: 4 }),
  ]),
  "EC-133": chat([chunk({ content: "Hi" }), chunk({}, "stop")]),
  "EC-133 of messages": body(
    "messages",
    message([{ type: "text", text: "Hi" }], "end_turn", { usage: undefined }),
  ),
  "EC-149": body("chat", completion({ content: "Hi", annotations: [] })),
  "EC-150": body(
    "messages",
    message(
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "end_turn",
    ),
  ),
  "audio whole": body(
    "chat",
    completion({ content: null, audio: { id: "a", transcript: "spoken", data: "AA==" } }),
  ),
  "no end of it": chat([
    chunk({ content: long }),
    chunk({ content: long }),
    chunk({ content: long }),
    chunk({}, "stop"),
  ]),
  "no end of a block": messages([
    start(),
    { type: "content_block_start", index: 3, content_block: { type: "text", text: "" } },
    ...[1, 2, 3].map(() => ({
      type: "content_block_delta",
      index: 3,
      delta: { type: "text_delta", text: long },
    })),
  ]),
  "no end between blocks": messages([
    start(),
    ...hi,
    ...[1, 2, 3, 4].map(() => ({ type: "unknown_event", text: "x".repeat(30_000) })),
    ...end("end_turn", { output_tokens: 90_000 }),
  ]),
  "an end without a beginning": chat([{ choices: [{ index: 0, finish_reason: "stop" }] }]),
  "an older call without arguments": chat([
    chunk({ function_call: { name: "f" } }),
    chunk({}, "function_call"),
  ]),
  "reasoning beside usage, excluded": {
    ...chat([chunk({ content: "Hi" }), { ...chunk({ reasoning: "Hm" }), ...tokens }, chunk({}, "stop")]),
    options: { excludeReasoning: true },
  },
  "one of two choices trimmed": {
    ...chat([
      { ...chunk({}), choices: [0, 1].map((index) => ({ index, delta: { role: "assistant" } })) },
      {
        ...chunk({}),
        choices: [0, 1].map((index) => ({
          index,
          delta: index === 0 ? { reasoning: "Hm" } : { content: "Hi" },
        })),
      },
      {
        ...chunk({}),
        choices: [0, 1].map((index) => ({
          index,
          delta: {},
          finish_reason: "stop",
          usage: { prompt_tokens: index || null },
        })),
      },
    ]),
    options: { choices: 2, excludeReasoning: true },
  },
  "a model with spaces around": {
    upstream: "chat",
    text: `data: {"id":"chatcmpl-up","model" : "up-model","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}\n\ndata: ${JSON.stringify(chunk({}, "stop"))}\n\ndata\ndata:data:[DONE]\n\n`,
  },
  "reasoning tokens alone": body(
    "chat",
    completion({ content: "Hi" }, "stop", {
      usage: { prompt_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } },
    }),
  ),
  "cached tokens apart": body(
    "chat",
    completion({ content: "Hi" }, "stop", {
      usage: { prompt_tokens: 9, cache_read_input_tokens: 4, total_tokens: 13 },
    }),
  ),
  "a choice without a message": body("chat", {
    ...completion({}),
    choices: [{ index: 0, finish_reason: "stop" }],
  }),
  "calls of one id": body(
    "chat",
    completion({ tool_calls: [call('{"a":1}'), null, call('{"a":2}')] }, "tool_calls"),
  ),
  "a custom call cut in a character": chat([
    chunk({
      tool_calls: [{ index: 0, id: "call_1", type: "custom", custom: { name: "c", input: "a\ud83c" } }],
    }),
    chunk({ tool_calls: [{ index: 0, custom: { input: "\udf0fb" } }] }),
    chunk({}, "tool_calls"),
  ]),
  "arguments cut after an escape": chat([
    chunk({ tool_calls: [{ index: 0, ...call('{"a":"x\\"y","b":tru') }] }),
    chunk({}, "length"),
  ]),
  "arguments cut after a word": chat([
    chunk({ tool_calls: [{ index: 0, ...call('{"a":true') }] }),
    chunk({}, "length"),
  ]),
  "a call without a name": messages([
    start(),
    ...block(0, { type: "tool_use", id: "toolu_1" }),
    ...end("tool_use"),
  ]),
  "two endings": messages([start(), ...hi, ...end("end_turn").slice(0, 1), ...end("max_tokens")]),
  "cache counts of nothing": messages([
    start({ input_tokens: 3, cache_creation: {} }),
    ...hi,
    ...end("end_turn"),
  ]),
  "cache counts of one kind": messages([
    start({ cache_creation: { ephemeral_1h_input_tokens: 4 } }),
    ...hi,
    ...end("end_turn"),
  ]),
  "thinking of nothing": body(
    "messages",
    message([{ type: "thinking" }, { type: "text", text: "Hi" }], "end_turn"),
  ),
  "a model that is escaped": {
    upstream: "messages",
    text: JSON.stringify(message([], "end_turn")).replace("up-model", "up\\u002dmodel"),
    isBody: true,
  },
};
