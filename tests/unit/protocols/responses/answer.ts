import { expect } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesEncoder } from "@/lib/protocols/responses/client/encode";
import { foldResponses } from "@/lib/protocols/responses/client/fold";
import { framesOf, payloadsOf } from "@/tests/support/fold";
import { type ReadResponse, readResponse } from "@/tests/support/responses-stream";

/** Options of an answer for a Responses client. */
export function answerOptions(
  request: JsonObject = {},
  wanted: Partial<EncoderOptions> = {},
): EncoderOptions {
  return {
    id: "resp_0190a1b2c3d4e5f60718293a4b5c6d7e",
    alias: "the-alias",
    created: 1_700_000_000,
    request: { model: "the-alias", input: "Hi", ...request },
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map(),
    inputEstimate: 7,
    seal: {
      sign: (text) => `sign.${text}`,
      tag: (opaque) => `tag.${opaque}`,
      envelope: ({ text, signature, opaque }) => `sealed.${JSON.stringify([text, signature, opaque])}`,
    },
    ...wanted,
  };
}

/** An answer in both forms. */
export interface Answer extends ReadResponse {
  wire: string;
  whole: JsonObject;
  losses: readonly string[];
}

/** The same events streamed and whole. */
export function answerOf(
  events: readonly GenerationEvent[],
  request: JsonObject = {},
  wanted: Partial<EncoderOptions> = {},
): Answer {
  const options = answerOptions(request, wanted);
  const encoder = new ResponsesEncoder(options);
  const wire = events.map((event) => encoder.push(event)).join("") + encoder.end();
  return {
    wire,
    ...readResponse(framesOf(wire)),
    whole: foldResponses(events, options).body,
    losses: encoder.losses,
  };
}

/** What happens first in every answer. */
export const start: GenerationEvent = { type: "start", id: "up_1", model: "up" };

/** The end of an answer. */
export function finish(reason: "end" | "length" | "tool_use" | "refusal" = "end"): GenerationEvent[] {
  const usage = { inputUncached: 10, cacheRead: 4, cacheWrite: 2, output: 9, reasoning: 3 };
  return [{ type: "usage", usage }, { type: "finish", reason, native: reason }, { type: "end" }];
}

/** Text in pieces. */
export function said(...pieces: string[]): GenerationEvent[] {
  return pieces.map((text) => ({ type: "text", text }));
}

/** Reasoning in pieces. */
export function thought(...pieces: string[]): GenerationEvent[] {
  return pieces.map((text) => ({ type: "reasoning", text }));
}

/** A call whose input comes in pieces. */
export function called(
  slot: number,
  name: string,
  pieces: string[],
  kind: "function" | "custom" = "function",
) {
  const opened: GenerationEvent = { type: "tool_open", slot, id: `up_call_${slot}`, name, kind };
  const args = pieces.map((text): GenerationEvent => ({ type: "tool_args", slot, text }));
  return [opened, ...args, { type: "tool_close", slot } satisfies GenerationEvent];
}

/** Expects a stream without a fault, and the same answer whole. */
export function expectSound(answer: Answer): void {
  expect(answer.problems).toEqual([]);
  expect(answer.body).toEqual(answer.whole);
}

/** The items of the whole answer. */
export function outputOf({ whole }: Answer): JsonObject[] {
  return Array.isArray(whole.output) ? whole.output.filter(isObject) : [];
}

/** The types of the events of the stream. */
export function typesOf(answer: Answer): unknown[] {
  return payloadsOf(answer.wire).map(({ type }) => type);
}
