import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesEncoder } from "@/lib/protocols/responses/client/encode";
import { payloadsOf } from "@/tests/support/fold";
import { answerOf, answerOptions, called, expectSound, finish, outputOf, said, start } from "./answer";

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
          type: "exec",
          command: ["ls", "-l"],
          env: {},
          timeout_ms: 5,
          working_directory: "/tmp",
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
      start,
      ...said("One. "),
      ...called(0, "f", ["{}"]),
      ...said("\nTwo.."),
      cite,
      ...finish(),
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
      created_at: 1_700_000_000,
      completed_at: 1_700_000_009,
    });
    expect(answerOf([start, ...finish("length")], {}, { clock }).whole.completed_at).toBeNull();
  });

  test("with what the client asked, and without its instructions", () => {
    const request = {
      instructions: "Be brief.",
      temperature: 0.5,
      store: false,
      metadata: { a: "b" },
      previous_response_id: "resp_x",
      service_tier: "auto",
      text: { verbosity: "low" },
      tools: [{ type: "function", name: "f" }, { type: "web_search" }],
    };
    expect(answerOf([start, ...said("Hi"), ...finish()], request).whole).toMatchObject({
      instructions: null,
      temperature: 0.5,
      store: false,
      metadata: { a: "b" },
      previous_response_id: "resp_x",
      service_tier: "default",
      text: { format: { type: "text" }, verbosity: "low" },
      tools: [
        { type: "function", name: "f", description: null, parameters: null, strict: null },
        { type: "web_search" },
      ],
    });
  });
});
