import { createParser } from "eventsource-parser";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { objectPrefix } from "@/lib/protocols/messages/client/fold";
import type { Protocol } from "@/lib/protocols/protocol";
import { readResponse } from "./responses-stream";

/** One frame of a produced stream; comments are left out. */
export interface WireFrame {
  event: string | null;
  data: string;
}

/** Cuts produced wire text into frames; everything must end in a blank line. */
export function framesOf(wire: string): WireFrame[] {
  if (wire !== "" && !/\r?\n\r?\n$/.test(wire)) throw new Error("the last frame has no blank line");
  const frames: WireFrame[] = [];
  const parser = createParser({
    onEvent: ({ event = null, data }) => frames.push({ event, data }),
    onError: (error) => {
      throw error;
    },
  });
  parser.feed(wire);
  return frames;
}

/** The payloads of a produced stream, `[DONE]` left out. */
export function payloadsOf(wire: string): JsonObject[] {
  return framesOf(wire)
    .filter((frame) => frame.data !== "[DONE]")
    .map((frame) => object(JSON.parse(frame.data)));
}

/** The accumulated answer of a stream; it must equal the unstreamed body of the same answer. */
export function foldStream(protocol: Protocol, wire: string): JsonObject {
  if (protocol === "responses") return readResponse(framesOf(wire)).body ?? {};
  return foldings[protocol](payloadsOf(wire));
}

const foldings: Readonly<Record<Exclude<Protocol, "responses">, (payloads: JsonObject[]) => JsonObject>> = {
  chat: foldChatStream,
  messages: foldMessagesStream,
  gemini: foldGeminiStream,
};

function foldGeminiStream(chunks: JsonObject[]): JsonObject {
  const candidates: JsonObject[] = [];
  let body: JsonObject = {};
  for (const { candidates: pieces, ...rest } of chunks) {
    body = { ...body, ...rest };
    for (const piece of list(pieces)) {
      const at = Number(piece.index);
      const { content: before, ...known } = object(candidates[at]);
      const { content, ...more } = piece;
      const parts = list(object(before).parts);
      for (const part of list(object(content).parts)) addPart(parts, part);
      candidates[at] = { content: { parts, role: "model" }, ...known, ...more };
    }
  }
  return { candidates: candidates.map(withoutEmptyEnd), ...body };
}

/** Pieces of one text are one part; a part with a signature is one of its own. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const isText = typeof last?.text === "string" && typeof part.text === "string";
  if (isText && last.thought === part.thought && part.thoughtSignature === undefined)
    last.text = `${last.text}${part.text}`;
  else parts.push({ ...part });
}

/** The last chunk has an empty text where nothing else is left to say. */
function withoutEmptyEnd(candidate: JsonObject): JsonObject {
  const content = object(candidate.content);
  const parts = list(content.parts);
  const last = parts.at(-1);
  const isEmpty = last?.text === "" && Object.keys(last).length === 1 && parts.length > 1;
  return isEmpty ? { ...candidate, content: { ...content, parts: parts.slice(0, -1) } } : candidate;
}

function foldChatStream(chunks: JsonObject[]): JsonObject {
  const message: JsonObject = { role: "assistant", content: "", refusal: null };
  let body: JsonObject = {};
  let finish: unknown = null;
  let usage: unknown = null;
  for (const chunk of chunks) {
    const { choices, usage: told, ...head } = chunk;
    if (Object.keys(body).length === 0) body = { ...head, object: "chat.completion" };
    usage = told ?? usage;
    for (const choice of list(choices)) {
      addDelta(message, object(choice.delta));
      finish = choice.finish_reason ?? finish;
    }
  }
  const called = message.tool_calls !== undefined || message.function_call !== undefined;
  if (message.content === "" && called) message.content = null;
  return { ...body, choices: [{ index: 0, message, logprobs: null, finish_reason: finish }], usage };
}

function addDelta(message: JsonObject, delta: JsonObject): void {
  for (const key of ["content", "refusal", "reasoning_content"]) {
    if (typeof delta[key] === "string") message[key] = `${message[key] ?? ""}${delta[key]}`;
  }
  if (delta.annotations) message.annotations = [...list(message.annotations), ...list(delta.annotations)];
  if (delta.function_call)
    message.function_call = addCall(object(message.function_call), object(delta.function_call));
  for (const detail of list(delta.reasoning_details)) {
    const details = list(message.reasoning_details);
    const last = details.at(-1);
    if (last?.index === detail.index && typeof last?.text === "string") {
      Object.assign(last, detail, { text: `${last.text}${detail.text}` });
    } else details.push({ ...detail });
    message.reasoning_details = details;
  }
  for (const entry of list(delta.tool_calls)) {
    const calls = list(message.tool_calls);
    const at = Number(entry.index);
    const { index: _index, function: part, ...rest } = entry;
    calls[at] = { ...calls[at], ...rest, function: addCall(object(calls[at]?.function), object(part)) };
    message.tool_calls = calls;
  }
}

function addCall(call: JsonObject, part: JsonObject): JsonObject {
  return { ...call, ...part, arguments: `${call.arguments ?? ""}${part.arguments ?? ""}` };
}

function foldMessagesStream(payloads: JsonObject[]): JsonObject {
  let message: JsonObject = {};
  const blocks: JsonObject[] = [];
  const json: string[] = [];
  for (const payload of payloads) {
    const index = Number(payload.index);
    const block = blocks[index];
    if (payload.type === "message_start") message = { ...object(payload.message) };
    else if (payload.type === "content_block_start") blocks[index] = { ...object(payload.content_block) };
    else if (payload.type === "content_block_delta" && block) {
      const delta = object(payload.delta);
      if (delta.type === "input_json_delta") json[index] = `${json[index] ?? ""}${delta.partial_json}`;
      if (delta.type === "citations_delta")
        block.citations = [...list(block.citations), object(delta.citation)];
      for (const key of ["text", "thinking", "signature"]) {
        if (typeof delta[key] === "string") block[key] = `${block[key] ?? ""}${delta[key]}`;
      }
    } else if (payload.type === "message_delta") {
      Object.assign(message, payload.delta, {
        usage: { ...object(message.usage), ...object(payload.usage) },
      });
    }
  }
  for (const [index, text] of json.entries()) {
    const block = blocks[index];
    if (block && text !== undefined) block.input = parseJson(text) ?? objectPrefix(text);
  }
  return { ...message, content: blocks };
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}
