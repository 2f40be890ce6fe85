import type { Protocol } from "@/lib/protocols/protocol";

/** The received part of an answer. */
export interface Answer {
  text: string;
  reason: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** The message of an error that came inside the stream. */
  failure: string | null;
}

export const noAnswer: Answer = {
  text: "",
  reason: null,
  inputTokens: null,
  outputTokens: null,
  failure: null,
};

/** Adds one streamed JSON event to an answer. */
export function addEvent(answer: Answer, protocol: Protocol, event: unknown): Answer {
  const failure = textAt(event, "error", "message");
  if (failure !== null) return { ...answer, failure };
  return readers[protocol].add(answer, event);
}

/** An unstreamed body as an answer. */
export function wholeAnswer(protocol: Protocol, body: unknown): Answer {
  return readers[protocol].whole(body);
}

/** Reads the answers of a protocol. */
interface AnswerReader {
  add(answer: Answer, event: unknown): Answer;
  whole(body: unknown): Answer;
}

const readers: Readonly<Record<Protocol, AnswerReader>> = {
  chat: { add: addChunk, whole: wholeCompletion },
  messages: { add: addMessagesEvent, whole: wholeMessage },
  responses: { add: addResponsesEvent, whole: wholeResponse },
};

function wholeCompletion(body: unknown): Answer {
  return {
    ...noAnswer,
    text: textAt(body, "choices", 0, "message", "content") ?? "",
    reason: textAt(body, "choices", 0, "finish_reason"),
    inputTokens: numberAt(body, "usage", "prompt_tokens"),
    outputTokens: numberAt(body, "usage", "completion_tokens"),
  };
}

function wholeMessage(body: unknown): Answer {
  const content = valueAt(body, "content");
  const texts = Array.isArray(content) ? content.map((block) => textAt(block, "text") ?? "") : [];
  return {
    ...noAnswer,
    text: texts.join(""),
    reason: textAt(body, "stop_reason"),
    inputTokens: numberAt(body, "usage", "input_tokens"),
    outputTokens: numberAt(body, "usage", "output_tokens"),
  };
}

function wholeResponse(body: unknown): Answer {
  const output = valueAt(body, "output");
  const items: unknown[] = Array.isArray(output) ? output : [];
  const texts = items.flatMap((item) => {
    const content = valueAt(item, "type") === "message" ? valueAt(item, "content") : [];
    return Array.isArray(content) ? content.map((part) => textAt(part, "text") ?? "") : [];
  });
  return {
    ...noAnswer,
    text: texts.join(""),
    reason: textAt(body, "incomplete_details", "reason") ?? textAt(body, "status"),
    inputTokens: numberAt(body, "usage", "input_tokens"),
    outputTokens: numberAt(body, "usage", "output_tokens"),
  };
}

function addResponsesEvent(answer: Answer, event: unknown): Answer {
  const failure = textAt(event, "response", "error", "message");
  if (failure !== null) return { ...answer, failure };
  if (textAt(event, "type") === "response.output_text.delta")
    return { ...answer, text: answer.text + (textAt(event, "delta") ?? "") };
  const usage = valueAt(event, "response", "usage");
  if (usage === undefined || usage === null) return answer;
  const { reason, inputTokens, outputTokens } = wholeResponse(valueAt(event, "response"));
  return { ...answer, reason, inputTokens, outputTokens };
}

function addChunk(answer: Answer, chunk: unknown): Answer {
  return {
    ...answer,
    text: answer.text + (textAt(chunk, "choices", 0, "delta", "content") ?? ""),
    reason: textAt(chunk, "choices", 0, "finish_reason") ?? answer.reason,
    inputTokens: numberAt(chunk, "usage", "prompt_tokens") ?? answer.inputTokens,
    outputTokens: numberAt(chunk, "usage", "completion_tokens") ?? answer.outputTokens,
  };
}

function addMessagesEvent(answer: Answer, event: unknown): Answer {
  return {
    ...answer,
    text: answer.text + (textAt(event, "delta", "text") ?? ""),
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
