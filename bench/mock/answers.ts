import type { Scenario } from "./scenario";

/** The digits of a send time in microseconds of the machine's monotonic clock. */
export const STAMP_DIGITS = 16;
/** Precedes every send time in the text. */
export const STAMP_MARK = "@";

const WORDS = "The quick brown fox jumps over the lazy dog and runs on through the quiet wood. ";
const CREATED = 1_767_225_600;

/** The prepared bytes of one scenario in one protocol. */
export interface Answers {
  /** Head and body of the unstreamed answer. */
  whole: Buffer;
  /** Head of a streamed answer. */
  streamHead: Buffer;
  /** Chunked-encoded pieces: what comes before the deltas, one delta, what comes after. */
  opening: Buffer;
  delta: Buffer;
  /** The offset of the send time in `delta`. */
  stampAt: number;
  closing: Buffer;
}

/** Builds the bytes of a scenario. */
export function answersOf(protocol: "chat" | "messages", model: string, scenario: Scenario): Answers {
  const wire = protocol === "chat" ? chatWire(model, scenario) : messagesWire(model, scenario);
  const delta = chunk(wire.delta);
  return {
    whole: whole(scenario.status, scenario.status === 200 ? wire.body : wire.error),
    streamHead: Buffer.from(
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
    ),
    opening: chunk(wire.opening),
    delta,
    stampAt: delta.indexOf(STAMP_MARK) + 1,
    closing: Buffer.concat([chunk(wire.closing), Buffer.from("0\r\n\r\n")]),
  };
}

interface Wire {
  body: object;
  error: object;
  opening: string;
  delta: string;
  closing: string;
}

function chatWire(model: string, scenario: Scenario): Wire {
  const { prompt, completion } = scenario;
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const head = { id: "chatcmpl-mock", created: CREATED, model, system_fingerprint: "fp_mock" };
  const call = {
    id: "call_mock",
    type: "function",
    function: { name: TOOL, arguments: argumentsOf(scenario) },
  };
  const tool = scenario.tool === 1;
  const message = tool
    ? { role: "assistant", content: null, tool_calls: [call], refusal: null }
    : { role: "assistant", content: textOf(scenario), refusal: null };
  const finish = tool ? "tool_calls" : "stop";
  const frame = (delta: object, finish_reason: string | null) =>
    data({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
  const started = { ...call, index: 0, function: { name: TOOL, arguments: "" } };
  const opening = tool
    ? { role: "assistant", content: null, tool_calls: [started] }
    : { role: "assistant", content: "" };
  const piece = (text: string) =>
    tool ? { tool_calls: [{ index: 0, function: { arguments: text } }] } : { content: text };
  return {
    body: {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage,
    },
    error: { error: { message: "mock failure", type: "server_error", param: null, code: null } },
    opening: frame(opening, null) + (tool ? frame(piece('{"text":"'), null) : ""),
    delta: frame(piece(pieceOf(scenario)), null),
    closing: `${tool ? frame(piece('"}'), null) : ""}${frame({}, finish)}${data({ ...head, object: "chat.completion.chunk", choices: [], usage })}data: [DONE]\n\n`,
  };
}

function messagesWire(model: string, scenario: Scenario): Wire {
  const { prompt, completion } = scenario;
  const envelope = { id: "msg_mock", type: "message", role: "assistant", model };
  const input = { input_tokens: prompt, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const tool = scenario.tool === 1;
  const stop = { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null };
  const call = { type: "tool_use", id: "toolu_mock", name: TOOL };
  const block = tool ? { ...call, input: {} } : { type: "text", text: "" };
  const piece = (text: string) => ({
    type: "content_block_delta",
    index: 0,
    delta: tool ? { type: "input_json_delta", partial_json: text } : { type: "text_delta", text },
  });
  return {
    body: {
      ...envelope,
      content: [
        tool
          ? { ...call, input: JSON.parse(argumentsOf(scenario)) }
          : { type: "text", text: textOf(scenario) },
      ],
      ...stop,
      usage: { ...input, output_tokens: completion },
    },
    error: { type: "error", error: { type: "api_error", message: "mock failure" }, request_id: "req_mock" },
    opening:
      named({
        type: "message_start",
        message: {
          ...envelope,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...input, output_tokens: 1 },
        },
      }) +
      named({ type: "content_block_start", index: 0, content_block: block }) +
      (tool ? named(piece('{"text":"')) : ""),
    delta: named(piece(pieceOf(scenario))),
    closing:
      (tool ? named(piece('"}')) : "") +
      named({ type: "content_block_stop", index: 0 }) +
      named({ type: "message_delta", delta: stop, usage: { output_tokens: completion } }) +
      named({ type: "message_stop" }),
  };
}

const TOOL = "search_documents";

function argumentsOf(scenario: Scenario): string {
  return JSON.stringify({ text: textOf(scenario) });
}

function textOf({ out }: Scenario): string {
  return WORDS.repeat(Math.ceil(out / WORDS.length)).slice(0, out);
}

/** One delta's text: the send time, then padding. */
function pieceOf(scenario: Scenario): string {
  const bytes = Math.max(STAMP_DIGITS + 2, Math.round(scenario.out / scenario.chunks));
  return `${STAMP_MARK}${"0".repeat(STAMP_DIGITS)} ${textOf({ ...scenario, out: bytes - STAMP_DIGITS - 2 })}`;
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function named(value: { type: string; [field: string]: unknown }): string {
  return `event: ${value.type}\n${data(value)}`;
}

function chunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

function whole(status: number, body: object): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `HTTP/1.1 ${status} ${status === 200 ? "OK" : "Error"}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
