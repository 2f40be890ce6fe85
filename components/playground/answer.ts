import type { ClientProtocol } from "@/lib/protocols/protocol";

/** A call of a tool that a model asks for. */
export interface ToolCall {
  /** By what its result is matched with it. */
  id: string;
  name: string;
  /** JSON text, which grows while it streams. */
  input: string;
}

/** The received part of an answer. */
export interface Answer {
  text: string;
  /** What the model shows of its reasoning. */
  reasoning: string;
  toolCalls: readonly ToolCall[];
  reason: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** The message of an error that came inside the stream. */
  failure: string | null;
}

export const noAnswer: Answer = {
  text: "",
  reasoning: "",
  toolCalls: [],
  reason: null,
  inputTokens: null,
  outputTokens: null,
  failure: null,
};

/** Adds one streamed JSON event to an answer. */
export function addEvent(answer: Answer, protocol: ClientProtocol, event: unknown): Answer {
  const failure = textAt(event, "error", "message");
  if (failure !== null) return { ...answer, failure };
  return readers[protocol].add(answer, event);
}

/** An unstreamed body as an answer. */
export function wholeAnswer(protocol: ClientProtocol, body: unknown): Answer {
  return readers[protocol].whole(body);
}

/** Reads the answers of a protocol. */
interface AnswerReader {
  add(answer: Answer, event: unknown): Answer;
  whole(body: unknown): Answer;
}

const readers: Readonly<Record<ClientProtocol, AnswerReader>> = {
  chat: { add: addChunk, whole: wholeCompletion },
  messages: { add: addMessagesEvent, whole: wholeMessage },
  responses: { add: addResponsesEvent, whole: wholeResponse },
};

function wholeCompletion(body: unknown): Answer {
  return {
    ...noAnswer,
    text: textAt(body, "choices", 0, "message", "content") ?? "",
    reasoning: textAt(body, "choices", 0, "message", "reasoning_content") ?? "",
    toolCalls: listAt(body, "choices", 0, "message", "tool_calls").map((call, place) => ({
      id: textAt(call, "id") ?? idAt(place),
      name: textAt(call, "function", "name") ?? "",
      input: textAt(call, "function", "arguments") ?? "",
    })),
    reason: textAt(body, "choices", 0, "finish_reason"),
    inputTokens: numberAt(body, "usage", "prompt_tokens"),
    outputTokens: numberAt(body, "usage", "completion_tokens"),
  };
}

function wholeMessage(body: unknown): Answer {
  const content = listAt(body, "content");
  return {
    ...noAnswer,
    text: joined(content, "text"),
    reasoning: joined(content, "thinking"),
    toolCalls: content
      .filter((block) => textAt(block, "type") === "tool_use")
      .map((block, place) => ({
        id: textAt(block, "id") ?? idAt(place),
        name: textAt(block, "name") ?? "",
        input: JSON.stringify(valueAt(block, "input") ?? {}),
      })),
    reason: textAt(body, "stop_reason"),
    inputTokens: numberAt(body, "usage", "input_tokens"),
    outputTokens: numberAt(body, "usage", "output_tokens"),
  };
}

function wholeResponse(body: unknown): Answer {
  const items = listAt(body, "output");
  const ofType = (type: string) => items.filter((item) => textAt(item, "type") === type);
  return {
    ...noAnswer,
    text: ofType("message")
      .map((item) => joined(listAt(item, "content"), "text"))
      .join(""),
    reasoning: ofType("reasoning")
      .map((item) => joined(listAt(item, "summary"), "text"))
      .join("\n\n"),
    toolCalls: ofType("function_call").map((item, place) => ({
      id: textAt(item, "call_id") ?? idAt(place),
      name: textAt(item, "name") ?? "",
      input: textAt(item, "arguments") ?? "",
    })),
    reason: textAt(body, "incomplete_details", "reason") ?? textAt(body, "status"),
    inputTokens: numberAt(body, "usage", "input_tokens"),
    outputTokens: numberAt(body, "usage", "output_tokens"),
  };
}

function addResponsesEvent(answer: Answer, event: unknown): Answer {
  const failure = textAt(event, "response", "error", "message");
  if (failure !== null) return { ...answer, failure };
  const type = textAt(event, "type");
  const delta = textAt(event, "delta") ?? "";
  if (type === "response.output_text.delta") return { ...answer, text: answer.text + delta };
  if (type === "response.reasoning_summary_text.delta")
    return { ...answer, reasoning: answer.reasoning + delta };
  if (type === "response.output_item.added" && textAt(event, "item", "type") === "function_call")
    return withCall(answer, textAt(event, "item", "name") ?? "", textAt(event, "item", "call_id"));
  if (type === "response.function_call_arguments.delta") return withInput(answer, delta);
  const usage = valueAt(event, "response", "usage");
  if (usage === undefined || usage === null) return answer;
  const { reason, inputTokens, outputTokens } = wholeResponse(valueAt(event, "response"));
  return { ...answer, reason, inputTokens, outputTokens };
}

function addChunk(answer: Answer, chunk: unknown): Answer {
  return {
    ...answer,
    ...withChunkCalls(answer, listAt(chunk, "choices", 0, "delta", "tool_calls")),
    text: answer.text + (textAt(chunk, "choices", 0, "delta", "content") ?? ""),
    reasoning: answer.reasoning + (textAt(chunk, "choices", 0, "delta", "reasoning_content") ?? ""),
    reason: textAt(chunk, "choices", 0, "finish_reason") ?? answer.reason,
    inputTokens: numberAt(chunk, "usage", "prompt_tokens") ?? answer.inputTokens,
    outputTokens: numberAt(chunk, "usage", "completion_tokens") ?? answer.outputTokens,
  };
}

function withChunkCalls(answer: Answer, calls: readonly unknown[]): Answer {
  return calls.reduce<Answer>((before, call) => {
    const name = textAt(call, "function", "name");
    const opened = name === null ? before : withCall(before, name, textAt(call, "id"));
    return withInput(opened, textAt(call, "function", "arguments") ?? "");
  }, answer);
}

function withCall(answer: Answer, name: string, id: string | null): Answer {
  const begun = { id: id ?? idAt(answer.toolCalls.length), name, input: "" };
  return { ...answer, toolCalls: [...answer.toolCalls, begun] };
}

/** The id of a call that came without one. */
function idAt(place: number): string {
  return `call_${place + 1}`;
}

/** Adds to the input of the call that was begun last. */
function withInput(answer: Answer, delta: string): Answer {
  const last = answer.toolCalls.at(-1);
  if (last === undefined || delta === "") return answer;
  const toolCalls = [...answer.toolCalls.slice(0, -1), { ...last, input: last.input + delta }];
  return { ...answer, toolCalls };
}

function addMessagesEvent(answer: Answer, event: unknown): Answer {
  const tool =
    textAt(event, "content_block", "type") === "tool_use" ? textAt(event, "content_block", "name") : null;
  return {
    ...withInput(
      tool === null ? answer : withCall(answer, tool, textAt(event, "content_block", "id")),
      textAt(event, "delta", "partial_json") ?? "",
    ),
    text: answer.text + (textAt(event, "delta", "text") ?? ""),
    reasoning: answer.reasoning + (textAt(event, "delta", "thinking") ?? ""),
    reason: textAt(event, "delta", "stop_reason") ?? answer.reason,
    inputTokens:
      numberAt(event, "usage", "input_tokens") ??
      numberAt(event, "message", "usage", "input_tokens") ??
      answer.inputTokens,
    outputTokens: numberAt(event, "usage", "output_tokens") ?? answer.outputTokens,
  };
}

/** The value at a path of names and indexes; undefined where the path ends early. */
export function valueAt(value: unknown, ...path: Array<string | number>): unknown {
  let found: unknown = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}

function textAt(value: unknown, ...path: Array<string | number>): string | null {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : null;
}

function numberAt(value: unknown, ...path: Array<string | number>): number | null {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : null;
}

function listAt(value: unknown, ...path: Array<string | number>): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

function joined(parts: readonly unknown[], member: string): string {
  return parts.map((part) => textAt(part, member) ?? "").join("");
}
