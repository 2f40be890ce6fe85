import fc from "fast-check";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesEncoder } from "@/lib/protocols/responses/client/encode";
import { framesOf } from "@/tests/support/fold";
import { readResponse } from "@/tests/support/responses-stream";
import { answerOf, answerOptions, start } from "./answer";

const tools = [
  { type: "function", name: "f", parameters: {} },
  { type: "custom", name: "patch" },
  { type: "namespace", name: "mcp__x", tools: [{ type: "function", name: "read", parameters: {} }] },
  { type: "tool_search", execution: "client" },
  { type: "local_shell" },
];
const names = ["f", "patch", "mcp__x__read", "tool_search", "local_shell", "unknown"];

const words = fc.constantFrom("a", " ", "\n", "é漢😀", '"\\', "", "longer words ");
const slot = fc.nat({ max: 3 });

const anyEvent: fc.Arbitrary<GenerationEvent> = fc.oneof(
  ...(["text", "reasoning", "refusal"] as const).map((type) =>
    fc.record({ type: fc.constant(type), text: words }),
  ),
  fc.record({ type: fc.constant("reasoning_signature" as const), signature: words }),
  fc.record({ type: fc.constant("reasoning_opaque" as const), data: words }),
  fc.record({
    type: fc.constant("tool_open" as const),
    slot,
    id: fc.constantFrom("", "call_0", "call_1", "odd id!"),
    name: fc.constantFrom(...names),
    kind: fc.constantFrom("function" as const, "custom" as const),
  }),
  fc.record({
    type: fc.constant("tool_args" as const),
    slot,
    text: fc.constantFrom("{}", '{"a":', "1}", '{"input":"x"}', "{", "", "words"),
  }),
  fc.record({ type: fc.constant("tool_close" as const), slot }),
  fc.record({
    type: fc.constant("citation" as const),
    url: fc.constant("https://a.test"),
    title: words,
    start: fc.nat({ max: 20 }),
    end: fc.nat({ max: 20 }),
  }),
  fc.record({
    type: fc.constant("usage" as const),
    usage: fc.record(
      { inputUncached: fc.nat(), output: fc.nat(), reasoning: fc.nat() },
      { requiredKeys: [] },
    ),
  }),
  fc.constant<GenerationEvent>({ type: "ping" }),
  fc.record({ type: fc.constant("message" as const), phase: fc.constantFrom(null, "commentary") }),
  fc.constant<GenerationEvent>({ type: "other_item", kind: "web_search_call" }),
  fc.constant<GenerationEvent>({ type: "warning", code: "odd" }),
);

const ending = fc.option(
  fc.record({
    type: fc.constant("finish" as const),
    reason: fc.constantFrom(
      "end" as const,
      "length" as const,
      "tool_use" as const,
      "refusal" as const,
      "pause" as const,
    ),
    native: fc.constant("stop"),
    explanation: fc.constantFrom("", "No."),
  }),
);

/** A decoder opens each slot once. */
function plausible(events: GenerationEvent[]): GenerationEvent[] {
  const opened = new Set<number>();
  return events.filter((event) => {
    if (event.type !== "tool_open") return true;
    const isNew = !opened.has(event.slot);
    opened.add(event.slot);
    return isNew;
  });
}

const anyAnswer = fc
  .tuple(fc.array(anyEvent, { maxLength: 25 }), ending)
  .map(([events, end]) => [start, ...plausible(events), ...(end === null ? [] : [end])]);

const wanted = fc.record({
  hideReasoning: fc.boolean(),
  singleToolCall: fc.boolean(),
  reasoningIsSummary: fc.boolean(),
});

test("R-11, R-12, R-16: any events in any order make a sound stream that folds to the whole body", () => {
  fc.assert(
    fc.property(anyAnswer, wanted, (events, options) => {
      const { problems, body, whole } = answerOf(events, { tools }, options);
      expect(problems).toEqual([]);
      expect(body).toEqual(whole);
    }),
    { numRuns: 800 },
  );
});

test("R-14: all text, reasoning and arguments of any events are in the answer", () => {
  fc.assert(
    fc.property(anyAnswer, (events) => {
      const { whole } = answerOf(events, { tools });
      const items = Array.isArray(whole.output) ? whole.output.filter(isObject) : [];
      const parts = items.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(isObject);
      const shown = (type: string) =>
        parts
          .filter((part) => part.type === type)
          .map((part) => String(part.text))
          .join("");
      const told = (type: "text" | "reasoning") =>
        events.map((event) => (event.type === type ? event.text : "")).join("");
      // Space between calls may be left out.
      expect(shown("output_text").replace(/\s/g, "")).toBe(told("text").replace(/\s/g, ""));
      expect(shown("reasoning_text")).toBe(told("reasoning"));
    }),
    { numRuns: 400 },
  );
});

test("R-18: a stream that breaks anywhere is sound, and nothing after it looks like success", () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), (events, seed) => {
      const encoder = new ResponsesEncoder(answerOptions({ tools }));
      const begun = events.slice(0, seed % events.length).map((event) => encoder.push(event));
      const failure = { code: "UPSTREAM_ERROR" as const, message: "It broke.", requestId: "r" };
      const wire = begun.join("") + encoder.fail(failure);
      const { problems, body } = readResponse(framesOf(wire));
      expect(problems).toEqual([]);
      expect(body?.status).toBe("failed");
      expect(wire).not.toContain("response.completed");
    }),
    { numRuns: 500 },
  );
});

test("the official SDK's accumulator takes any stream, and has the output of the whole body", async () => {
  await fc.assert(
    fc.asyncProperty(anyAnswer, async (events) => {
      const { wire, whole } = answerOf(events, { tools });
      const headers = { "content-type": "text/event-stream" };
      const api = new OpenAI({
        apiKey: "k",
        maxRetries: 0,
        fetch: async () => new Response(wire, { headers }),
      });
      const read = await api.responses.stream({ model: "m", input: "x" }).finalResponse();
      const output: JsonObject[] = JSON.parse(JSON.stringify(read.output));
      expect(output).toMatchObject(Array.isArray(whole.output) ? whole.output : []);
      expect(read.status).toBe(whole.status);
    }),
    { numRuns: 60 },
  );
});
