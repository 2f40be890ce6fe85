import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { foldResponses, ResponsesEncoder } from "@/lib/protocols/responses/encode";
import { framesOf, payloadsOf } from "@/tests/support/fold";
import { readResponse } from "@/tests/support/responses-stream";
import { type Answer, answerOf, answerOptions, called, finish, said, start, thought } from "./answer";

function expectSound(answer: Answer): void {
  expect(answer.problems).toEqual([]);
  expect(answer.body).toEqual(answer.whole);
}

function outputOf({ whole }: Answer): JsonObject[] {
  return Array.isArray(whole.output) ? whole.output.filter(isObject) : [];
}

function typesOf(answer: Answer): unknown[] {
  return payloadsOf(answer.wire).map(({ type }) => type);
}

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
      ...[start, ...said("First."), ...called(0, "f", ['{"a":1}'])],
      ...[...said("Then."), ...finish("tool_use")],
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
    ...[start, ...thought("Let me", " see."), { type: "reasoning_signature", signature: "c2ln" } as const],
    ...[...said("Done."), ...finish()],
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
    ...[start, ...thought("Hm"), ...said("Hi"), ...called(0, "f", ["{}"])],
    ...[...called(1, "patch", ["a"], "custom"), ...finish("tool_use")],
  ]);
  expectSound(answer);
  expect(outputOf(answer).map(({ id }) => String(id).replace(/[0-9a-f]{36}$/, ""))).toEqual([
    ...["rs_", "msg_", "fc_", "ctc_"],
  ]);
  const other = answerOf([start, ...said("Hi"), ...finish()], {}, { id: "resp_other" });
  expect(outputOf(other)[0]?.id).not.toBe(outputOf(answer)[1]?.id);
});

test("further messages of a node of the same protocol are items of their own, with their phases", () => {
  const begin = (phase: string | null): GenerationEvent => ({ type: "message", phase });
  const answer = answerOf([
    ...[start, begin("commentary"), ...said("I look."), begin("final_answer"), ...said("It is 4.")],
    ...[begin(null), ...said("Bye."), ...finish()],
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

describe("R-35: usage", () => {
  test("has both detail objects, and the total is the sum", () => {
    expect(answerOf([start, ...said("Hi"), ...finish()]).whole.usage).toEqual({
      input_tokens: 16,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 25,
    });
  });

  test("is all zeros where nothing is known", () => {
    expect(answerOf([start, ...said("Hi")]).whole.usage).toEqual({
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    });
  });

  test("that comes after the end of the answer replaces what the node said", () => {
    const encoder = new ResponsesEncoder(answerOptions());
    for (const event of [start, ...said("Hi"), ...finish()]) encoder.push(event);
    encoder.push({ type: "usage", usage: { output: 5, reasoning: 0 } });
    expect(encoder.end()).toContain('"output_tokens":5');
  });
});

describe("calls go back as the client declared their tools", () => {
  const tools = [
    { type: "function", name: "plain", parameters: {} },
    { type: "custom", name: "apply_patch", format: { type: "grammar", syntax: "lark", definition: "x" } },
    { type: "namespace", name: "mcp__files", tools: [{ type: "function", name: "read", parameters: {} }] },
    { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] },
    { type: "tool_search", execution: "client" },
    { type: "local_shell" },
  ];
  const calls: readonly [title: string, events: GenerationEvent[], item: JsonObject][] = [
    [
      "a member of a namespace with its namespace and bare name",
      called(0, "mcp__files__read", ['{"p":1}']),
      { type: "function_call", name: "read", namespace: "mcp__files", arguments: '{"p":1}' },
    ],
    [
      "a custom tool with its text",
      called(0, "apply_patch", ["*** Begin", ' "Patch"\n'], "custom"),
      { type: "custom_tool_call", name: "apply_patch", input: '*** Begin "Patch"\n' },
    ],
    [
      "a custom tool of the implicit namespace without one",
      called(0, "exec", ["ls"], "custom"),
      { type: "custom_tool_call", name: "exec", input: "ls" },
    ],
    [
      "a custom tool that the node called like a function",
      called(0, "apply_patch", ['{"inp', 'ut":"a\\nb"}']),
      { type: "custom_tool_call", name: "apply_patch", input: "a\nb" },
    ],
    [
      "a custom tool whose input is no such object, as it came",
      called(0, "apply_patch", ["*** Begin"]),
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin" },
    ],
    [
      "a search of tools",
      called(0, "tool_search", ['{"query":', '"files"}']),
      { type: "tool_search_call", execution: "client", arguments: { query: "files" } },
    ],
    [
      "a shell command",
      called(0, "local_shell", ['{"command":["ls","-l"],"workdir":"/tmp","timeout_ms":5}']),
      {
        type: "local_shell_call",
        action: {
          ...{ type: "exec", command: ["ls", "-l"], env: {} },
          ...{ timeout_ms: 5, working_directory: "/tmp" },
        },
      },
    ],
    [
      "a tool that the client never declared, as a function",
      called(0, "made_up", ["{}"]),
      { type: "function_call", name: "made_up", arguments: "{}" },
    ],
  ];

  test.each(calls)("%s", (_title, events, item) => {
    const answer = answerOf([start, ...events, ...finish("tool_use")], { tools });
    expectSound(answer);
    expect(outputOf(answer)).toEqual([
      { id: expect.any(String), call_id: "up_call_0", status: "completed", ...item },
    ]);
  });

  test("by the client's name where the node got another", () => {
    const toolNames = new Map([["short", "mcp__files__read"]]);
    const answer = answerOf(
      [start, ...called(0, "short", ["{}"]), ...finish("tool_use")],
      { tools },
      { toolNames },
    );
    expect(outputOf(answer)).toMatchObject([{ name: "read", namespace: "mcp__files" }]);
  });

  test("a call that the output limit cut is incomplete, with the arguments as they came", () => {
    const events = called(0, "plain", ['{"a":"b']).slice(0, 2);
    const answer = answerOf([start, ...events, ...finish("length")], { tools });
    expect(answer.problems).toEqual([]);
    expect(outputOf(answer)).toMatchObject([{ status: "incomplete", arguments: '{"a":"b' }]);
    expect(answer.whole.status).toBe("incomplete");
  });
});

describe("refusals and citations", () => {
  test("a refusal is a part of its own, and the answer is completed", () => {
    const refused: GenerationEvent = { type: "refusal", text: "I cannot." };
    const answer = answerOf([start, ...said("Well. "), refused, ...finish("refusal")]);
    expectSound(answer);
    expect(answer.whole.status).toBe("completed");
    expect(outputOf(answer)).toMatchObject([
      {
        content: [
          { type: "output_text", text: "Well. " },
          { type: "refusal", refusal: "I cannot." },
        ],
      },
    ]);
  });

  test("the reason that comes with the end of a refused answer is told once", () => {
    const end: GenerationEvent = { type: "finish", reason: "refusal", native: "refusal", explanation: "No." };
    const answer = answerOf([start, ...said("So"), end]);
    expectSound(answer);
    expect(outputOf(answer)).toMatchObject([{ content: [{ text: "So" }, { refusal: "No." }] }]);
  });

  test("a filtered answer without a word of refusal is incomplete", () => {
    const answer = answerOf([start, ...said("So"), ...finish("refusal")]);
    expectSound(answer);
    expect(answer.whole).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
      output: [{ status: "incomplete" }],
    });
  });

  test("R-D13: a citation always has its place, counted from its part, and a title", () => {
    const cite: GenerationEvent = { type: "citation", url: "https://a.test", title: "", start: 6, end: 11 };
    const answer = answerOf([
      ...[start, ...said("One. "), ...called(0, "f", ["{}"]), ...said("\nTwo..")],
      ...[cite, ...finish()],
    ]);
    expectSound(answer);
    expect(outputOf(answer)[2]).toMatchObject({
      content: [
        {
          annotations: [
            { type: "url_citation", url: "https://a.test", title: "", start_index: 1, end_index: 6 },
          ],
        },
      ],
    });
  });

  test("a citation of a text that is done is told as a loss", () => {
    const cite: GenerationEvent = { type: "citation", url: "https://a.test", title: "A", start: 0, end: 2 };
    const answer = answerOf([start, ...said("Hi"), ...called(0, "f", ["{}"]), cite, ...finish()]);
    expectSound(answer);
    expect(answer.losses).toEqual(["dropped:citations"]);
  });
});

describe("the response echoes the request", () => {
  /** Every member that the strictest schema requires. Source: docs/responses.md#s2-6. */
  const required = [
    ..."id object created_at completed_at status incomplete_details model previous_response_id".split(" "),
    ..."instructions output error tools tool_choice truncation parallel_tool_calls text top_p".split(" "),
    ..."presence_penalty frequency_penalty top_logprobs temperature reasoning usage".split(" "),
    ..."max_output_tokens max_tool_calls store background service_tier metadata".split(" "),
    ..."safety_identifier prompt_cache_key".split(" "),
  ];

  test("with every member, in every event that has a response", () => {
    const answer = answerOf([start, ...said("Hi"), ...finish()]);
    const responses = payloadsOf(answer.wire).flatMap(({ response }) =>
      isObject(response) ? [response] : [],
    );
    expect(responses).toHaveLength(3);
    for (const response of [...responses, answer.whole]) {
      expect(Object.keys(response)).toEqual(expect.arrayContaining(required));
      for (const name of ["temperature", "top_p", "presence_penalty", "frequency_penalty", "top_logprobs"])
        expect(response[name]).toBeTypeOf("number");
    }
  });

  test("R-D7: with its instructions where the operator wants it", () => {
    const echoed = answerOf([start, ...finish()], { instructions: "Be brief." }, { echoInstructions: true });
    expect(echoed.whole.instructions).toBe("Be brief.");
    expect(answerOf([start, ...finish()], {}, { echoInstructions: true }).whole.instructions).toBeNull();
  });

  test("with the time of the end, which only a completed answer has", () => {
    const clock = { date: () => new Date(1_700_000_009_500) };
    expect(answerOf([start, ...finish()], {}, { clock }).whole).toMatchObject({
      ...{ created_at: 1_700_000_000, completed_at: 1_700_000_009 },
    });
    expect(answerOf([start, ...finish("length")], {}, { clock }).whole.completed_at).toBeNull();
  });

  test("with what the client asked, and without its instructions", () => {
    const request = {
      ...{ instructions: "Be brief.", temperature: 0.5, store: false, metadata: { a: "b" } },
      ...{ previous_response_id: "resp_x", service_tier: "auto", text: { verbosity: "low" } },
      tools: [{ type: "function", name: "f" }, { type: "web_search" }],
    };
    expect(answerOf([start, ...said("Hi"), ...finish()], request).whole).toMatchObject({
      ...{ instructions: null, temperature: 0.5, store: false, metadata: { a: "b" } },
      ...{ previous_response_id: "resp_x", service_tier: "default" },
      text: { format: { type: "text" }, verbosity: "low" },
      tools: [
        { type: "function", name: "f", description: null, parameters: null, strict: null },
        { type: "web_search" },
      ],
    });
  });
});

test("a stream cut at every event still folds to what the same events make whole", () => {
  const events: GenerationEvent[] = [
    ...[start, ...thought("Hm"), { type: "reasoning_signature", signature: "s" } as const, ...said("A", "B")],
    ...[...called(0, "f", ['{"a"', ":1}"]), ...called(1, "g", ["x"], "custom"), ...said("C"), ...finish()],
  ];
  for (let at = 0; at <= events.length; at += 1) {
    const answer = answerOf(events.slice(0, at));
    expect(answer.body).toEqual(answer.whole);
    expect(foldResponses(events.slice(0, at), answerOptions()).body).toEqual(answer.whole);
    expect(answer.problems).toEqual([]);
  }
});
