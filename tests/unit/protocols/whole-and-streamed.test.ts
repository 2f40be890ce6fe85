import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";

/** What a node answers, in the order in which it says it. */
type Piece = { text: string } | { reasoning: string } | { name: string; args: string; id: unknown };

const words = fc.stringMatching(/^[a-z "{}\\]{1,12}$/);
const oddId = fc.constantFrom<unknown>("call_1", "call_1", "call_2", "", null, undefined, 7, {});
const oddIndex = fc.constantFrom<unknown>(0, 0, 1, 2, -1, 1.5, "0", "x", null, undefined);
const args = fc.dictionary(words, fc.oneof(words, fc.integer(), fc.constant(null)), { maxKeys: 3 });
const call = fc.record({
  name: fc.constantFrom("go", "look"),
  args: args.map((value) => JSON.stringify(value)),
  id: oddId,
});
const pieces = fc.array(
  fc.oneof(
    words.map((text) => ({ text })),
    words.map((reasoning) => ({ reasoning })),
    call,
  ),
  {
    maxLength: 5,
  },
);
/** Where texts are cut: by shares of their length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });

function cut(text: string, shares: readonly number[]): string[] {
  const places = [
    0,
    ...shares.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b),
    text.length,
  ];
  return places.slice(1).map((end, at) => text.slice(places[at], end));
}

const isCall = (piece: Piece) => "name" in piece;
const textOf = (all: Piece[], field: "text" | "reasoning") =>
  all.map((piece) => (field in piece ? String((piece as Record<string, unknown>)[field]) : "")).join("");

/** What every reader must find: the texts, the calls with their arguments, the end. */
function summary(events: readonly GenerationEvent[]) {
  const told = {
    text: "",
    reasoning: "",
    calls: [] as JsonObject[],
    closed: [] as number[],
    finish: "",
    failed: false,
  };
  for (const event of events) {
    if (event.type === "text") told.text += event.text;
    if (event.type === "reasoning") told.reasoning += event.text;
    if (event.type === "tool_open") told.calls[event.slot] = { name: event.name, id: event.id, args: "" };
    if (event.type === "tool_args") {
      const open = told.calls[event.slot];
      if (open) open.args = `${open.args}${event.text}`;
    }
    if (event.type === "tool_close") told.closed.push(event.slot);
    if (event.type === "finish") told.finish = event.reason;
    if (event.type === "error") told.failed = true;
  }
  return { ...told, closed: told.closed.sort((a, b) => a - b) };
}

interface Forms {
  whole: (all: Piece[], index: readonly unknown[]) => JsonObject;
  frames: (all: Piece[], index: readonly unknown[], shares: readonly number[]) => JsonObject[];
  /** Members that nodes send though they hold nothing. */
  nothing: JsonObject;
}

const chatHead = { id: "c", object: "chat.completion.chunk", created: 1, model: "up" };
const chatUsage = { prompt_tokens: 1, completion_tokens: 9, total_tokens: 10 };
const messagesUsage = { input_tokens: 1, output_tokens: 9 };
const responsesUsage = { ...messagesUsage, total_tokens: 10 };

const chat: Forms = {
  nothing: {
    refusal: null,
    tool_calls: null,
    function_call: null,
    audio: null,
    images: null,
    annotations: null,
    reasoning_details: null,
    reasoning: null,
    extra_content: null,
    logprobs: null,
    citations: null,
  },
  whole: (all, index) => {
    const calls = all.filter(isCall) as Extract<Piece, { name: string }>[];
    const message: JsonObject = { role: "assistant", content: textOf(all, "text") || null };
    if (textOf(all, "reasoning") !== "") message.reasoning_content = textOf(all, "reasoning");
    if (calls.length > 0)
      message.tool_calls = calls.map(({ name, args: json, id }, at) => ({
        id,
        index: index[at],
        type: "function",
        function: { name, arguments: json },
      }));
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    return {
      ...chatHead,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason }],
      usage: chatUsage,
    };
  },
  frames: (all, index, shares) => {
    const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
      ...chatHead,
      choices: [{ index: 0, delta, finish_reason }],
    });
    let calls = -1;
    const deltas = all.flatMap((piece): JsonObject[] => {
      if ("text" in piece) return cut(piece.text, shares).map((content) => ({ content }));
      if ("reasoning" in piece)
        return cut(piece.reasoning, shares).map((text) => ({ reasoning_content: text }));
      calls += 1;
      const place = { id: piece.id, index: index[calls] };
      const open = { ...place, type: "function", function: { name: piece.name, arguments: "" } };
      const rest = cut(piece.args, shares).map((text) => ({ ...place, function: { arguments: text } }));
      return [open, ...rest].map((entry) => ({ tool_calls: [entry] }));
    });
    const end = chunk({}, calls === -1 ? "stop" : "tool_calls");
    return [...deltas.map((delta) => chunk(delta)), { ...end, usage: chatUsage }];
  },
};

const messages: Forms = {
  nothing: { citations: null, caller: null, signature: null, stop_details: null, container: null },
  whole: (all) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "up",
    content: all.map((piece) => blockOf(piece, false)),
    stop_reason: all.some(isCall) ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: messagesUsage,
  }),
  frames: (all, index, shares) => {
    const { content: _content, ...head } = messages.whole(all, index);
    const blocks = all.flatMap((piece, at): JsonObject[] => {
      const place = index[at] === undefined ? {} : { index: index[at] };
      const [type, field, text] =
        "text" in piece
          ? ["text_delta", "text", piece.text]
          : "reasoning" in piece
            ? ["thinking_delta", "thinking", piece.reasoning]
            : ["input_json_delta", "partial_json", piece.args];
      return [
        { type: "content_block_start", ...place, content_block: blockOf(piece, true) },
        ...cut(text, shares).map((part) => ({
          type: "content_block_delta",
          ...place,
          delta: { type, [field]: part },
        })),
        { type: "content_block_stop", ...place },
      ];
    });
    return [
      { type: "message_start", message: { ...head, content: [], stop_reason: null } },
      ...blocks,
      {
        type: "message_delta",
        delta: { stop_reason: head.stop_reason, stop_sequence: null },
        usage: messagesUsage,
      },
      { type: "message_stop" },
    ];
  },
};

function blockOf(piece: Piece, isStart: boolean): JsonObject {
  if ("text" in piece) return { type: "text", text: isStart ? "" : piece.text };
  if ("reasoning" in piece)
    return { type: "thinking", thinking: isStart ? "" : piece.reasoning, signature: "" };
  return { type: "tool_use", id: piece.id, name: piece.name, input: isStart ? {} : JSON.parse(piece.args) };
}

const responses: Forms = {
  nothing: {
    logprobs: null,
    annotations: null,
    encrypted_content: null,
    phase: null,
    namespace: null,
    caller: null,
    status: null,
    content: null,
    error: null,
    incomplete_details: null,
    output_text: null,
  },
  whole: (all) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "up",
    status: "completed",
    output: all.map((piece) => itemOf(piece, false)),
    usage: responsesUsage,
  }),
  frames: (all, index, shares) => {
    const response = responses.whole(all, index);
    const items = all.flatMap((piece, at): JsonObject[] => {
      const place = index[at] === undefined ? {} : { output_index: index[at] };
      const item = itemOf(piece, false);
      const within = { ...place, item_id: item.id };
      const [type, text] =
        "text" in piece
          ? ["response.output_text.delta", piece.text]
          : "reasoning" in piece
            ? ["response.reasoning_summary_text.delta", piece.reasoning]
            : ["response.function_call_arguments.delta", piece.args];
      return [
        { type: "response.output_item.added", ...place, item: itemOf(piece, true) },
        ...cut(text, shares).map((delta) => ({ type, ...within, content_index: 0, summary_index: 0, delta })),
        { type: "response.output_item.done", ...place, item },
      ];
    });
    return [
      { type: "response.created", response: { ...response, output: [] } },
      ...items,
      { type: "response.completed", response },
    ];
  },
};

function itemOf(piece: Piece, isStart: boolean): JsonObject {
  if ("text" in piece) {
    const content = [{ type: "output_text", text: piece.text, annotations: [] }];
    return { id: "item", type: "message", role: "assistant", content: isStart ? [] : content };
  }
  if ("reasoning" in piece)
    return {
      id: "item",
      type: "reasoning",
      summary: isStart ? [] : [{ type: "summary_text", text: piece.reasoning }],
    };
  const { name, args: json, id } = piece;
  return { id, type: "function_call", call_id: id, name, arguments: isStart ? "" : json };
}

/** Parts come whole: only texts are cut. */
const gemini: Forms = {
  nothing: { citationMetadata: null, groundingMetadata: null, logprobsResult: null, promptFeedback: null },
  whole: (all) =>
    geminiChunk(
      all.flatMap((piece) => geminiParts(piece, [])),
      "STOP",
    ),
  frames: (all, _index, shares) => [
    ...all.flatMap((piece) => geminiParts(piece, shares)).map((part) => geminiChunk([part])),
    geminiChunk([{ text: "" }], "STOP"),
  ],
};

function geminiParts(piece: Piece, shares: readonly number[]): JsonObject[] {
  if ("text" in piece) return cut(piece.text, shares).map((text) => ({ text }));
  if ("reasoning" in piece) return cut(piece.reasoning, shares).map((text) => ({ text, thought: true }));
  const { name, args: json, id } = piece;
  return [{ functionCall: { id, name, args: JSON.parse(json) } }];
}

function geminiChunk(parts: JsonObject[], finishReason?: string): JsonObject {
  const end = finishReason === undefined ? {} : { finishReason };
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...end }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 9, totalTokenCount: 10 },
    modelVersion: "up",
    responseId: "r",
  };
}

const forms: Record<Protocol, Forms> = { chat, messages, responses, gemini };

/** Source: docs/protocols.md#s12-2. */
describe.each(["chat", "messages", "responses", "gemini"] as const)(
  "any of 3,000 answers of a %s node",
  (node) => {
    test("is read alike, whole or streamed, whatever its ids and indexes are", () => {
      const indexes = fc.array(oddIndex, { minLength: 6, maxLength: 6 });
      fc.assert(
        fc.property(pieces, indexes, cuts, fc.boolean(), (all, index, shares, padded) => {
          fc.pre(node !== "chat" || areDistinguishable(all, index));
          const { whole, frames, nothing } = forms[node];
          const pad = (value: JsonObject) => (padded ? withMembers(value, nothing) : value);
          const body = pad(whole(all, index));
          const read = summary(protocols[node].decodeWhole(structuredClone(body), { id: "a" }));
          const streamed = summary(decoded(node, frames(all, index, shares).map(pad)));
          expect(streamed).toEqual(read);
          const converted = protocols[node].framesOfWhole(structuredClone(body), 1);
          const decoder = protocols[node].decoder({ id: "a" });
          const again = [...converted.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
          expect(summary(again)).toEqual(read);
        }),
        { numRuns: 3_000 },
      );
    });
  },
);

/** The value with members in every object of it that has none of their names. */
function withMembers(value: JsonObject, members: JsonObject): JsonObject {
  const padded = Object.entries(value).map(([name, member]) => [
    name,
    name === "input" ? member : padAny(member),
  ]);
  return { ...members, ...Object.fromEntries(padded) };

  function padAny(member: unknown): unknown {
    if (Array.isArray(member)) return member.map(padAny);
    return typeof member === "object" && member !== null
      ? withMembers(member as JsonObject, members)
      : member;
  }
}

/**
 * Deltas of a chat stream say by id and index which call they belong to: calls that share both, or the one that they have,
 * are one call to every reader.
 */
function areDistinguishable(all: readonly Piece[], index: readonly unknown[]): boolean {
  const calls = all.filter(isCall) as Extract<Piece, { name: string }>[];
  const isId = (id: unknown) => typeof id === "string" && id !== "";
  const isPlace = (at: number) => typeof index[at] === "number";
  return calls.every((one, at) =>
    calls.slice(0, at).every((other, before) => {
      const isOtherId = isId(one.id) && isId(other.id) && one.id !== other.id;
      const isOtherPlace = isPlace(at) && isPlace(before) && index[at] !== index[before];
      if (isId(one.id) && one.id === other.id) return isOtherPlace;
      return isOtherId || !isPlace(at) || index[at] !== index[before];
    }),
  );
}

function decoded(node: Protocol, payloads: readonly JsonObject[]): GenerationEvent[] {
  const decoder = protocols[node].decoder({ id: "a" });
  const frames = payloads.map((payload) => ({ event: null, data: JSON.stringify(payload) }));
  if (node === "chat") frames.push({ event: null, data: "[DONE]" });
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}
