import type { Random } from "../random";
import type { AnswerInput, JsonObject } from "../shapes";
import { text } from "./parts";
import { count, disturbed, head, json, pieces, streamBytes } from "./wire";

const stops: readonly unknown[] = [
  "end_turn",
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "refusal",
];
const oddStops: readonly unknown[] = [
  "pause_turn",
  "model_context_window_exceeded",
  "compaction",
  "new_reason",
  null,
  7,
];
const names = ["f", "g", "f_1a2b3c4d", "get_weather"];

/** The stream of a messages node. */
export function messagesStream(random: Random): AnswerInput {
  const blocks = random.many(0, 5, () => block(random));
  const early = random.wrong(0.1) ? blocks.splice(0, 1) : [];
  const payloads = [
    start(random, early),
    ...blocks.flatMap((one, index) => streamed(random, one, index)),
    ...deltas(random),
    { type: "message_stop" },
  ];
  const withPings = payloads.flatMap((one) => (random.chance(0.06) ? [extra(random), one] : [one]));
  const named = !random.wrong(0.1);
  const events = withPings.map((one) => json(one, named ? String(one.type) : null));
  return { pieces: streamBytes(random, disturbed(random, events)) };
}

/** The whole body of a messages node. */
export function messagesBody(random: Random): AnswerInput {
  const body: JsonObject = {
    id: random.usual<unknown>(["msg_up"], ["", null]),
    type: "message",
    role: "assistant",
    model: random.usual<unknown>(["up-model"], [null, 'odd "model"']),
    content: random.many(0, 5, () => block(random)),
    ...ending(random),
    ...head(random),
    ...(random.wrong(0.2) ? {} : { usage: usage(random) }),
  };
  const odd: readonly unknown[] = [
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    { ...body, content: "words" },
    { ...body, content: [null, 7, { type: "text" }] },
    [body],
    7,
  ];
  return { body: JSON.stringify(random.wrong(0.15) ? random.pick(odd) : body) };
}

function start(random: Random, content: readonly JsonObject[]): JsonObject {
  const message = {
    id: random.usual<unknown>(["msg_up"], ["", null]),
    type: "message",
    role: "assistant",
    model: random.chance(0.95) ? "up-model" : random.pick([null, "a\u2028b"]),
    content,
    stop_reason: content.length > 0 ? "tool_use" : null,
    stop_sequence: null,
    ...(random.wrong(0.1) ? {} : { usage: usage(random) }),
    ...head(random),
  };
  return random.wrong(0.03) ? { type: "message_start" } : { type: "message_start", message };
}

function block(random: Random): JsonObject {
  return random.make<JsonObject>(
    () => ({ type: "text", text: text(random) }),
    () => ({
      type: "text",
      text: text(random),
      ...random.maybe(0.4, () => ({ citations: citations(random) })),
    }),
    () => ({ type: "thinking", thinking: text(random), signature: random.pick(["c2ln", ""]) }),
    () => toolUse(random),
    () => toolUse(random),
    () => rareBlock(random),
  );
}

function toolUse(random: Random): JsonObject {
  return {
    type: "tool_use",
    id: random.usual<unknown>(["toolu_1", "toolu_2"], ["", "odd:id/x", null]),
    name: random.pick(names),
    input: random.usual<unknown>([{}, { a: 1 }, { a: "x y", b: { c: [1, 2] } }], [null, "odd", []]),
  };
}

function rareBlock(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { type: "redacted_thinking", data: "b64" },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
    { type: "new_block", anything: { at: "all" } },
    { type: "text", text: "Hi", zz_unknown: null },
  ]);
}

function citations(random: Random): unknown {
  return random.pick<unknown>([
    [{ type: "web_search_result_location", url: "https://a.example/", title: "A", cited_text: "t" }],
    [{ type: "web_search_result_location", url: "https://a.example/" }, 7],
    [{ type: "char_location", document_index: 0, cited_text: "t" }],
    null,
  ]);
}

/** A block as it streams in; `index` is its place unless the server counts otherwise. */
function streamed(random: Random, whole: JsonObject, index: number): JsonObject[] {
  const stop = random.wrong(0.05) ? [] : [{ type: "content_block_stop", index }];
  const { empty, deltas } = opened(random, whole);
  const open = { type: "content_block_start", index, content_block: { ...whole, ...empty } };
  const odd = random.wrong(0.08)
    ? [
        { type: "new_delta", what: 1 },
        { type: "text_delta", text: "stray" },
      ]
    : [];
  return [
    open,
    ...[...deltas, ...odd].map((delta) => ({ type: "content_block_delta", index, delta })),
    ...stop,
  ];
}

function opened(random: Random, whole: JsonObject): { empty: JsonObject; deltas: JsonObject[] } {
  if (whole.type === "text" && random.chance(0.95)) {
    const cited = Array.isArray(whole.citations) ? whole.citations : [];
    const texts = pieces(random, String(whole.text)).map((part) => ({ type: "text_delta", text: part }));
    const all = [...texts, ...cited.map((citation) => ({ type: "citations_delta", citation }))];
    return { empty: { text: "", citations: undefined }, deltas: all };
  }
  if (whole.type === "thinking" && random.chance(0.95)) {
    const texts = pieces(random, String(whole.thinking)).map((thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    const signed = random.chance(0.9) ? [{ type: "signature_delta", signature: whole.signature }] : [];
    return { empty: { thinking: "", signature: "" }, deltas: [...texts, ...signed] };
  }
  if (whole.type === "tool_use" && random.chance(0.85)) {
    const input = random.usual([JSON.stringify(whole.input)], ["[1]", '{"a":"cut', "not json"]);
    const parts = [...(random.chance(0.5) ? [""] : []), ...pieces(random, input)];
    return {
      empty: { input: {} },
      deltas: parts.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    };
  }
  return { empty: {}, deltas: [] };
}

function deltas(random: Random): JsonObject[] {
  const last = { type: "message_delta", delta: ending(random), usage: usage(random) };
  if (random.wrong(0.1)) return [];
  if (random.wrong(0.1)) return [{ ...last, usage: undefined }];
  const early = {
    type: "message_delta",
    delta: { stop_reason: null, stop_sequence: null },
    usage: { output_tokens: 3 },
  };
  return random.chance(0.15) ? [early, last] : [last];
}

function ending(random: Random): JsonObject {
  const stop_reason = random.usual(stops, oddStops);
  return {
    stop_reason,
    stop_sequence: stop_reason === "stop_sequence" ? "END" : null,
    ...(stop_reason === "refusal"
      ? {
          stop_details: random.pick<unknown>([
            { type: "refusal", category: null, explanation: "No." },
            null,
            {},
          ]),
        }
      : {}),
  };
}

function usage(random: Random): JsonObject {
  return random.make<JsonObject>(
    () => ({ input_tokens: 10, output_tokens: 5 }),
    () => ({ output_tokens: 7 }),
    () => ({
      input_tokens: 20,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4_000,
      output_tokens: 150,
      output_tokens_details: { thinking_tokens: 90 },
    }),
    () => ({ input_tokens: 0, output_tokens: 0, service_tier: "standard" }),
    () => ({ input_tokens: count(random), output_tokens: count(random) }),
    () => ({
      input_tokens: 3,
      output_tokens: count(random),
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: count(random) },
    }),
    () => ({
      input_tokens: 3,
      output_tokens: 4,
      iterations: [
        {
          type: random.pick(["compaction", "other"]),
          input_tokens: 100,
          output_tokens: 20,
          cache_read_input_tokens: 1,
        },
        { type: "message", input_tokens: 3, output_tokens: 4 },
      ],
    }),
  );
}

function extra(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { type: "ping" },
    { type: "ping" },
    { type: "new_event", anything: { at: "all" } },
    { type: "content_block_stop", index: 42 },
  ]);
}
