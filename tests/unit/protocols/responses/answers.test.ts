import { describe, expect, test } from "vitest";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesEncoder } from "@/lib/protocols/responses/client/encode";
import { foldResponses } from "@/lib/protocols/responses/client/fold";
import { framesOf } from "@/tests/support/fold";
import { readResponse } from "@/tests/support/responses-stream";
import {
  type Answer,
  answerOf,
  answerOptions,
  called,
  expectSound,
  finish,
  outputOf,
  said,
  start,
  thought,
  typesOf,
} from "./answer";

describe("R-11: a converted stream is complete", () => {
  test("text: created, in_progress, item, part, deltas, their ends, completed, [DONE]", () => {
    const answer = answerOf([start, ...said("Hel", "lo"), ...finish()]);
    expectSound(answer);
    expect(typesOf(answer)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(answer.wire.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  test("the item is done before the money is settled, the response after it", () => {
    const encoder = new ResponsesEncoder(answerOptions());
    const wire = [start, ...said("Hi"), ...finish()].map((event) => encoder.push(event)).join("");
    expect(wire).toContain("response.output_item.done");
    expect(wire).not.toContain("response.completed");
    expect(encoder.end()).toContain("response.completed");
  });

  test("an answer with nothing in it is an empty message", () => {
    const answer = answerOf([start, ...finish()]);
    expectSound(answer);
    expect(outputOf(answer)).toMatchObject([
      { type: "message", content: [{ type: "output_text", text: "" }] },
    ]);
  });

  test("reasoning without an answer is followed by an empty message, unless it was cut", () => {
    const ended = answerOf([start, ...thought("Hm"), ...finish()]);
    const cut = answerOf([start, ...thought("Hm"), ...finish("length")]);
    for (const answer of [ended, cut]) expectSound(answer);
    expect(outputOf(ended).map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(outputOf(cut).map(({ type }) => type)).toEqual(["reasoning"]);
    expect(cut.whole).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      completed_at: null,
    });
  });

  test("text after a call is a second message", () => {
    const answer = answerOf([
      start,
      ...said("First."),
      ...called(0, "f", ['{"a":1}']),
      ...said("Then."),
      ...finish("tool_use"),
    ]);
    expectSound(answer);
    expect(outputOf(answer).map(({ type }) => type)).toEqual(["message", "function_call", "message"]);
  });
});

describe("R-12: interleaved parallel calls", () => {
  const interleaved: GenerationEvent[] = [
    start,
    { type: "tool_open", slot: 0, id: "a", name: "f", kind: "function" },
    { type: "tool_args", slot: 0, text: '{"x":' },
    { type: "tool_open", slot: 1, id: "b", name: "g", kind: "function" },
    { type: "tool_args", slot: 1, text: '{"y"' },
    { type: "tool_open", slot: 2, id: "c", name: "h", kind: "function" },
    { type: "tool_args", slot: 0, text: "1}" },
    { type: "tool_args", slot: 1, text: ":2}" },
    { type: "text", text: "\n" },
    { type: "tool_close", slot: 2 },
    { type: "tool_close", slot: 0 },
    { type: "tool_close", slot: 1 },
    ...finish("tool_use"),
  ];

  test("become items one after the other, in the order in which they began", () => {
    const answer = answerOf(interleaved);
    expectSound(answer);
    expect(outputOf(answer)).toMatchObject([
      { type: "function_call", name: "f", call_id: "a", arguments: '{"x":1}', status: "completed" },
      { type: "function_call", name: "g", call_id: "b", arguments: '{"y":2}', status: "completed" },
      { type: "function_call", name: "h", call_id: "c", arguments: "{}", status: "completed" },
    ]);
  });

  test("the first call streams while the others wait", () => {
    const encoder = new ResponsesEncoder(answerOptions());
    const wires = interleaved.map((event) => encoder.push(event));
    expect(wires[2]).toContain("function_call_arguments.delta");
    expect(wires[3]).toBe("");
    expect(wires[6]).toContain('"name":"g"');
  });

  test("text that comes inside a call waits for its end", () => {
    const answer = answerOf([
      start,
      { type: "tool_open", slot: 0, id: "a", name: "f", kind: "function" },
      { type: "tool_args", slot: 0, text: '{"x":' },
      ...said("Now"),
      { type: "tool_args", slot: 0, text: "1}" },
      ...said(" then"),
      ...finish("tool_use"),
    ]);
    expectSound(answer);
    expect(outputOf(answer)).toMatchObject([
      { arguments: '{"x":1}' },
      { content: [{ type: "output_text", text: "Now then" }] },
    ]);
  });

  test("a node that gives two calls one id gets them told apart", () => {
    const twice = [called(0, "f", ["{}"]), called(1, "f", ["{}"])].flat();
    const events = twice.map((event) => (event.type === "tool_open" ? { ...event, id: "call_0" } : event));
    const answer = answerOf([start, ...events, ...finish("tool_use")]);
    expectSound(answer);
    expect(new Set(outputOf(answer).map(({ call_id }) => call_id)).size).toBe(2);
  });

  test("only the first call is shown to a client that takes one", () => {
    const events = [start, ...called(0, "f", ["{}"]), ...called(1, "g", ["{}"]), ...finish("tool_use")];
    const answer = answerOf(events, {}, { singleToolCall: true });
    expectSound(answer);
    expect(outputOf(answer)).toHaveLength(1);
    expect(answer.losses).toEqual(["dropped:tool_calls"]);
  });
});

test("R-14: not one character of a text is lost, wherever it was cut", () => {
  const text = 'The first words, "quoted",\n漢字 😀 and the last.';
  for (let at = 0; at <= text.length; at += 1) {
    const answer = answerOf([start, ...said(text.slice(0, at), text.slice(at)), ...finish()]);
    expect(outputOf(answer)).toMatchObject([{ content: [{ text }] }]);
    if (at !== text.indexOf("😀") + 1) expectSound(answer);
  }
});

describe("R-15: reasoning", () => {
  const signed: GenerationEvent[] = [
    start,
    ...thought("Let me", " see."),
    { type: "reasoning_signature", signature: "c2ln" } as const,
    ...said("Done."),
    ...finish(),
  ];

  test("goes out with its signature sealed, the same in the item and in the terminal event", () => {
    const answer = answerOf(signed, { reasoning: { summary: "auto" } });
    expectSound(answer);
    expect(outputOf(answer)[0]).toMatchObject({
      type: "reasoning",
      summary: [{ type: "summary_text", text: "Let me see." }],
      encrypted_content: 'sealed.["Let me see.","c2ln",null]',
    });
  });

  test("is a summary where the client asked for one or the node gives one, else the raw text", () => {
    const field = (answer: Answer) => Object.keys(outputOf(answer)[0] ?? {}).includes("content");
    expect(field(answerOf(signed))).toBe(true);
    expect(field(answerOf(signed, { reasoning: { effort: "low", summary: null } }))).toBe(true);
    expect(field(answerOf(signed, { reasoning: { generate_summary: "concise" } }))).toBe(false);
    expect(field(answerOf(signed, {}, { reasoningIsSummary: true }))).toBe(false);
    expectSound(answerOf(signed));
  });

  test("that is opaque joins the text before it, and stands alone without one", () => {
    const opaque: GenerationEvent = { type: "reasoning_opaque", data: "b3BhcXVl" };
    const joined = answerOf([start, ...thought("Hm"), opaque, opaque, ...said("Hi"), ...finish()]);
    expectSound(joined);
    expect(outputOf(joined)).toMatchObject([
      { encrypted_content: 'sealed.["Hm",null,"b3BhcXVl"]' },
      { summary: [], encrypted_content: 'sealed.["",null,"b3BhcXVl"]' },
      { type: "message" },
    ]);
  });

  test("of a node of the same protocol keeps its own encrypted form", () => {
    const answer = answerOf(signed, {}, { seal: null });
    expect(outputOf(answer)[0]).toMatchObject({ encrypted_content: "c2ln" });
  });

  test("stays away from a client that does not want it", () => {
    const answer = answerOf(signed, {}, { hideReasoning: true });
    expectSound(answer);
    expect(outputOf(answer).map(({ type }) => type)).toEqual(["message"]);
  });
});

test("R-16: ids are prefixed, and equal in every event of an item", () => {
  const answer = answerOf([
    start,
    ...thought("Hm"),
    ...said("Hi"),
    ...called(0, "f", ["{}"]),
    ...called(1, "patch", ["a"], "custom"),
    ...finish("tool_use"),
  ]);
  expectSound(answer);
  expect(outputOf(answer).map(({ id }) => String(id).replace(/[0-9a-f]{36}$/, ""))).toEqual([
    "rs_",
    "msg_",
    "fc_",
    "ctc_",
  ]);
  const other = answerOf([start, ...said("Hi"), ...finish()], {}, { id: "resp_other" });
  expect(outputOf(other)[0]?.id).not.toBe(outputOf(answer)[1]?.id);
});

test("further messages of a node of the same protocol are items of their own, with their phases", () => {
  const begin = (phase: string | null): GenerationEvent => ({ type: "message", phase });
  const answer = answerOf([
    start,
    begin("commentary"),
    ...said("I look."),
    begin("final_answer"),
    ...said("It is 4."),
    begin(null),
    ...said("Bye."),
    ...finish(),
  ]);
  expectSound(answer);
  expect(outputOf(answer)).toEqual([
    expect.objectContaining({ phase: "commentary", content: [expect.objectContaining({ text: "I look." })] }),
    expect.objectContaining({ phase: "final_answer" }),
    expect.not.objectContaining({ phase: expect.anything() }),
  ]);
});

test("R-17: an answer of calls alone is completed, without a message", () => {
  const answer = answerOf([start, ...called(0, "f", ['{"a":1}']), ...finish("tool_use")]);
  expectSound(answer);
  expect(answer.whole).toMatchObject({ status: "completed", incomplete_details: null });
  expect(outputOf(answer)).toHaveLength(1);
});

describe("R-18: a stream that breaks ends with response.failed", () => {
  const events = [start, ...thought("Hm"), ...said("Hel", "lo"), ...called(0, "f", ['{"a"', ":1}"])];
  const failure = { code: "UPSTREAM_ERROR" as const, message: "It broke.", requestId: "r" };

  test.each(Array.from({ length: events.length + 1 }, (_, at) => at))("after %d events", (at) => {
    const encoder = new ResponsesEncoder(answerOptions());
    const begun = events.slice(0, at).map((event) => encoder.push(event));
    const { problems, body } = readResponse(framesOf(begun.join("") + encoder.fail(failure)));
    expect(problems).toEqual([]);
    expect(body).toMatchObject({
      status: "failed",
      error: { code: "server_error", message: "It broke." },
      usage: null,
    });
  });
});

test("a stream cut at every event still folds to what the same events make whole", () => {
  const events: GenerationEvent[] = [
    start,
    ...thought("Hm"),
    { type: "reasoning_signature", signature: "s" } as const,
    ...said("A", "B"),
    ...called(0, "f", ['{"a"', ":1}"]),
    ...called(1, "g", ["x"], "custom"),
    ...said("C"),
    ...finish(),
  ];
  for (let at = 0; at <= events.length; at += 1) {
    const answer = answerOf(events.slice(0, at));
    expect(answer.body).toEqual(answer.whole);
    expect(foldResponses(events.slice(0, at), answerOptions()).body).toEqual(answer.whole);
    expect(answer.problems).toEqual([]);
  }
});
