import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Protocol } from "@/lib/protocols/protocol";
import { framesOf, type WireFrame } from "./fold";
import { readResponse } from "./responses-stream";

/** The allowed content of a produced stream. */
export interface GrammarOptions {
  /** The client asked for the usage chunk. */
  includeUsage?: boolean;
  /** The stream was passed on from the same protocol: ids, events and calls that are not known may occur. */
  forwarded?: boolean;
}

/** The problems of a produced stream; empty when it is valid. Source: docs/protocols.md#s18-5. */
export function streamProblems(protocol: Protocol, wire: string, options: GrammarOptions = {}): string[] {
  const frames = framesOf(wire);
  if (protocol === "responses") return readResponse(frames).problems;
  if (protocol === "gemini") return geminiProblems(wire, frames, options);
  return protocol === "chat" ? chatProblems(frames, options) : messagesProblems(frames, options);
}

function geminiProblems(wire: string, frames: WireFrame[], options: GrammarOptions): string[] {
  const problems: string[] = [];
  if (frames.some(({ event }) => event !== null)) problems.push("a frame has a name");
  if (/^(?!data: |\r?$)/m.test(wire)) problems.push("a line is neither data nor empty");
  const chunks = frames.map(({ data }) => object(JSON.parse(data)));
  const failed = chunks.at(-1)?.error !== undefined;
  const ends = chunks.map((chunk) => list(chunk.candidates).filter((one) => one.finishReason !== undefined));
  if (failed && !options.forwarded && ends.flat().length > 0) problems.push("success and error");
  if (!failed && !isRefusedPrompt(chunks) && (ends.at(-1) ?? []).length === 0 && !options.forwarded)
    problems.push("the last chunk does not end");
  if (!options.forwarded && ends.slice(0, -1).flat().length > 0)
    problems.push("an end before the last chunk");
  if (!failed && !options.forwarded && !isObject(chunks.at(-1)?.usageMetadata))
    problems.push("the last chunk has no usage");
  for (const chunk of options.forwarded ? [] : chunks.slice(0, failed ? -1 : undefined)) {
    if (typeof chunk.modelVersion !== "string") problems.push("a chunk without a model");
    if (typeof chunk.responseId !== "string") problems.push("a chunk without an id");
    for (const part of list(chunk.candidates).flatMap(({ content }) => list(object(content).parts)))
      problems.push(...partProblems(part));
  }
  return problems;
}

function isRefusedPrompt(chunks: JsonObject[]): boolean {
  return chunks.some(({ promptFeedback }) => promptFeedback !== undefined);
}

function partProblems(part: JsonObject): string[] {
  const kinds = Object.keys(part).filter((name) => name !== "thought" && name !== "thoughtSignature");
  if (kinds.length !== 1) return [`a part with ${kinds.join(" and ") || "nothing"}`];
  if (part.functionCall === undefined) return [];
  const { name, args } = object(part.functionCall);
  return typeof name === "string" && name !== "" && isObject(args)
    ? []
    : ["a call without name or arguments"];
}

function messagesProblems(frames: WireFrame[], options: GrammarOptions): string[] {
  const problems: string[] = [];
  const payloads = frames.map((frame) => object(JSON.parse(frame.data)));
  for (const [at, frame] of frames.entries()) {
    if (frame.event !== payloads[at]?.type)
      problems.push(`frame ${at}: event ${frame.event} is not its type`);
  }
  const names = frames.map((frame) => frame.event);
  const failed = names.at(-1) === "error";
  if (names[0] !== "message_start" && !(failed && names.length === 1))
    problems.push("does not begin with message_start");
  if (count(names, "message_start") > 1) problems.push("more than one message_start");
  if (failed) {
    if (names.includes("message_delta") || names.includes("message_stop")) problems.push("success and error");
    return problems;
  }
  if (names.at(-1) !== "message_stop") problems.push("does not end with message_stop");
  if (count(names, "message_stop") !== 1) problems.push("not exactly one message_stop");
  const stops = payloads.filter(
    (payload) => payload.type === "message_delta" && object(payload.delta).stop_reason,
  );
  if (stops.length !== 1 && !options.forwarded)
    problems.push(`${stops.length} message_delta with a stop_reason`);
  const start = object(object(payloads[0]).message);
  if (!isObject(start.usage)) problems.push("message_start without usage");
  for (const delta of payloads.filter((payload) => payload.type === "message_delta")) {
    if (typeof object(delta.usage).output_tokens !== "number")
      problems.push("message_delta without output_tokens");
  }
  const cut = object(stops.at(-1)?.delta).stop_reason === "max_tokens";
  return [...problems, ...blockProblems(payloads, cut || options.forwarded === true)];
}

const deltaOfBlock: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
  server_tool_use: ["input_json_delta"],
};

const knownDeltas = new Set(Object.values(deltaOfBlock).flat());

/** `loose`: deltas may have unknown kinds; arguments may be truncated, or absent when empty. */
function blockProblems(payloads: JsonObject[], loose: boolean): string[] {
  const problems: string[] = [];
  let next = 0;
  let open: { index: number; type: string; json: string } | null = null;
  for (const payload of payloads) {
    if (payload.type === "content_block_start") {
      if (open) problems.push(`block ${open.index} is still open`);
      if (payload.index !== next) problems.push(`block ${payload.index} where ${next} was due`);
      open = { index: next, type: String(object(payload.content_block).type), json: "" };
      if (open.type === "tool_use" && !isObject(object(payload.content_block).input))
        problems.push("tool input is no object");
      next += 1;
    } else if (payload.type === "content_block_delta") {
      const delta = object(payload.delta);
      if (open?.index !== payload.index) problems.push(`delta for block ${payload.index}, which is not open`);
      const allowed = open ? deltaOfBlock[open.type] : undefined;
      if (
        allowed &&
        !allowed.includes(String(delta.type)) &&
        !(loose && !knownDeltas.has(String(delta.type)))
      )
        problems.push(`${delta.type} in a ${open?.type} block`);
      if (open && typeof delta.partial_json === "string") open.json += delta.partial_json;
    } else if (payload.type === "content_block_stop") {
      if (open?.index !== payload.index) problems.push(`stop of block ${payload.index}, which is not open`);
      if (open?.type === "tool_use" && !loose && !isObject(parseJson(open.json)))
        problems.push(`arguments: ${open.json}`);
      open = null;
    }
  }
  if (open) problems.push("a block was never closed");
  return problems;
}

function chatProblems(frames: WireFrame[], options: GrammarOptions): string[] {
  const problems: string[] = [];
  if (frames.some((frame) => frame.event !== null)) problems.push("an event line");
  const last = frames.at(-1);
  const done = last?.data === "[DONE]";
  const bodies = frames
    .filter((frame) => frame.data !== "[DONE]")
    .map((frame) => object(JSON.parse(frame.data)));
  const failed = bodies.at(-1)?.error !== undefined;
  if (done === failed) problems.push("ends neither with [DONE] nor with an error, or with both");
  if (frames.filter((frame) => frame.data === "[DONE]").length > 1) problems.push("more than one [DONE]");
  const chunks = failed ? bodies.slice(0, -1) : bodies;
  if (chunks.some((chunk) => !Array.isArray(chunk.choices))) problems.push("a chunk without choices");
  if (new Set(chunks.map((chunk) => chunk.id)).size > 1) problems.push("more than one id");
  if (chunks.some((chunk) => chunk.id === "")) problems.push("an empty id");
  const usage = chunks.filter((chunk) => isObject(chunk.usage));
  if (!options.includeUsage && chunks.some((chunk) => "usage" in chunk))
    problems.push("usage that nobody asked for");
  if (options.includeUsage && !failed && usage.length === 0) problems.push("no usage chunk");
  const choices = chunks.flatMap((chunk) => (Array.isArray(chunk.choices) ? chunk.choices.map(object) : []));
  if (!failed && choices.filter((choice) => choice.finish_reason).length !== 1)
    problems.push("not exactly one finish_reason");
  if (!failed && choices.length > 0 && !choices.at(-1)?.finish_reason)
    problems.push("finish_reason is not last");
  return [...problems, ...deltaProblems(choices.map((choice) => object(choice.delta)))];
}

function deltaProblems(deltas: JsonObject[]): string[] {
  const problems: string[] = [];
  const roles = deltas.map((delta) => "role" in delta);
  if (deltas.length > 0 && (deltas[0]?.role !== "assistant" || count(roles, true) !== 1))
    problems.push("role is not once and first");
  if (deltas.some((delta) => Array.isArray(delta.content))) problems.push("array content");
  let calls = 0;
  for (const delta of deltas) {
    for (const entry of Array.isArray(delta.tool_calls) ? delta.tool_calls.map(object) : []) {
      const call = object(entry.function);
      if (entry.index === calls && entry.id !== undefined) {
        calls += 1;
        if (entry.type !== "function" || !call.name || !entry.id)
          problems.push("a first tool delta without id, type or name");
      } else if (Number(entry.index) >= calls)
        problems.push(`tool index ${entry.index} where at most ${calls} was due`);
      else if ("id" in entry || "type" in entry || "name" in call)
        problems.push("id, type or name on a later tool delta");
      if (typeof call.arguments !== "string") problems.push("tool arguments that are no string");
    }
  }
  return problems;
}

function count<T>(list: T[], wanted: T): number {
  return list.filter((item) => item === wanted).length;
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
