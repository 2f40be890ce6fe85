import { describe, expect, test } from "vitest";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesDecoder } from "@/lib/protocols/responses/node/decode";
import { responseEvents } from "@/lib/protocols/responses/node/whole";
import {
  call,
  callsOf,
  completed,
  created,
  decoded,
  finishOf,
  joined,
  message,
  options,
  streamed,
} from "./decoding";

describe("streams of servers that keep the protocol loosely", () => {
  test("R-23: items whose beginning was left out are read from their deltas", () => {
    const events = streamed(
      created,
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "a", delta: "Hel" },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "a", delta: "lo" },
      { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"a":' },
      { type: "response.function_call_arguments.delta", output_index: 1, delta: "1}" },
      { type: "response.output_item.done", output_index: 1, item: { ...call, arguments: '{"a":1}' } },
      completed,
    );
    expect(joined(events, "text")).toBe("Hello");
    expect(callsOf(events)).toMatchObject([{ id: "call_1", name: "f", input: '{"a":1}' }]);
    expect(finishOf(events)).toBe("tool_use");
  });

  test("ids that change from event to event are one item by its place", () => {
    const events = streamed(
      created,
      { type: "response.output_item.added", output_index: 0, item: { ...message, id: "x1" } },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "x2", delta: "Hi" },
      { type: "response.output_text.done", output_index: 0, content_index: 0, item_id: "x3", text: "Hi" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { ...message, id: "x4", content: [{ type: "output_text", text: "Hi" }] },
      },
      completed,
    );
    expect(joined(events, "text")).toBe("Hi");
  });

  test("texts that come without deltas come once, from whatever has them", () => {
    const content = [{ type: "output_text", text: "Hi" }];
    const done = { type: "response.output_item.done", output_index: 0, item: { ...message, content } };
    const text = { type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hi" };
    const ended = { ...completed, response: { ...completed.response, output: [{ ...message, content }] } };
    for (const payloads of [[text, done, ended], [done, ended], [ended]])
      expect(joined(streamed(created, ...payloads), "text")).toBe("Hi");
    const args = { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"a":1}' };
    const item = {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...call, arguments: '{"a":1}' },
    };
    for (const payloads of [
      [args, item, completed],
      [item, completed],
    ])
      expect(callsOf(streamed(created, ...payloads))).toMatchObject([{ input: '{"a":1}' }]);
  });

  test("a call without arguments has an empty object", () => {
    const item = { type: "response.output_item.done", output_index: 0, item: call };
    expect(callsOf(streamed(created, item, completed))).toMatchObject([{ input: "{}" }]);
  });

  test("R-22: events are known by the name of their frame where the data has no type", () => {
    const { type: event, ...data } = { ...completed };
    const decoder = new ResponsesDecoder(options);
    const events = decoder.push({ event, data: JSON.stringify(data) });
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("R-03: a call of a namespace has its flat name; that of the implicit one its bare name", () => {
    const item = (namespace: string, output_index: number) => ({
      type: "response.output_item.done",
      output_index,
      item: { ...call, namespace },
    });
    const calls = callsOf(streamed(created, item("mcp__x", 0), item("functions", 1), completed));
    expect(calls.map(({ name }) => name)).toEqual(["mcp__x__f", "f"]);
  });

  test("R-05: the input of a custom tool comes as plain text, with deltas or without", () => {
    const input = 'a "b"\n\\c';
    const item = { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "exec", input: "" };
    const added = { type: "response.output_item.added", output_index: 0, item };
    const delta = { type: "response.custom_tool_call_input.delta", output_index: 0, delta: input };
    const done = { type: "response.output_item.done", output_index: 0, item: { ...item, input } };
    for (const payloads of [[added, delta, done], [added, done], [done]])
      expect(callsOf(streamed(created, ...payloads, completed))).toMatchObject([{ kind: "custom", input }]);
  });

  test("R-21: an answer that reasoning has used up ends for its length, without text", () => {
    const events = streamed(created, {
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ type: "reasoning", id: "rs_1", summary: [] }],
        usage: { input_tokens: 3, output_tokens: 16, total_tokens: 19 },
      },
    });
    expect(finishOf(events)).toBe("length");
    expect(joined(events, "text")).toBe("");
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("phases and further messages are told before their texts", () => {
    const item = (output_index: number, text: string, phase?: string) => ({
      type: "response.output_item.done",
      output_index,
      item: { ...message, phase, content: [{ type: "output_text", text }] },
    });
    const events = streamed(
      created,
      item(0, "a", "commentary"),
      item(1, "b", "final_answer"),
      item(2, "c"),
      completed,
    );
    expect(events.filter(({ type }) => type === "message" || type === "text")).toEqual([
      { type: "message", phase: "commentary" },
      { type: "text", text: "a" },
      { type: "message", phase: "final_answer" },
      { type: "text", text: "b" },
      { type: "message", phase: null },
      { type: "text", text: "c" },
    ]);
  });
});

describe("failures of Responses nodes", () => {
  const failureOf = (events: readonly GenerationEvent[]) => {
    const last = events.at(-1);
    return last?.type === "error" ? last.failure : null;
  };

  test("an error event is the failure, and what follows it is not read", () => {
    const flat = { type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null };
    const nested = {
      type: "error",
      error: { type: "tokens", code: "rate_limit_exceeded", message: "Slow down" },
    };
    const failed = {
      type: "response.failed",
      response: { status: "failed", error: { code: "x", message: "y" } },
    };
    for (const error of [flat, nested])
      expect(failureOf(streamed(created, error, failed))).toMatchObject({
        status: 429,
        message: "Slow down",
      });
  });

  test("a failed response is a failure with its code and message", () => {
    const error = { code: "context_length_exceeded", message: "Too long" };
    const failed = { type: "response.failed", response: { status: "failed", error } };
    expect(failureOf(streamed(created, failed))).toMatchObject(error);
    const frame = { event: "response.failed", data: JSON.stringify(failed) };
    expect(failureOf(decoded([frame]))).toMatchObject(error);
    expect(
      failureOf(responseEvents({ object: "response", status: "failed", error, output: [] }, options)),
    ).toMatchObject(error);
  });

  test("a failed call of a tool of the node's does not end the answer", () => {
    const failed = { type: "response.mcp_call.failed", output_index: 0, item_id: "mcp_1" };
    const events = decoded(
      [created, failed, completed].map((payload) => ({ event: payload.type, data: JSON.stringify(payload) })),
    );
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("R-18: a stream without its terminal event is broken, even after [DONE]", () => {
    const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hi" };
    expect(failureOf(streamed(created, delta))).not.toBeNull();
    const frames = [created, delta].map((payload) => ({ event: null, data: JSON.stringify(payload) }));
    expect(failureOf(decoded([...frames, { event: null, data: "[DONE]" }]))).not.toBeNull();
  });

  test("arguments that are no object are a failure where the client needs them", () => {
    const item = {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...call, arguments: "{oops" },
    };
    const frames = [created, item, completed].map((payload) => ({
      event: null,
      data: JSON.stringify(payload),
    }));
    expect(failureOf(decoded(frames, true))).not.toBeNull();
    expect(decoded(frames).at(-1)).toEqual({ type: "end" });
  });

  test("a body that is no answer, or no finished one, is a failure", () => {
    for (const body of [
      null,
      [],
      {},
      { output: 7 },
      { error: { message: "x" } },
      { output: [], status: "queued" },
    ])
      expect(failureOf(responseEvents(body, options))).not.toBeNull();
  });
});

describe("items that mean something else than their parts say", () => {
  const reasoning = {
    id: "rs_1",
    type: "reasoning",
    summary: [],
    content: [{ type: "output_text", text: "I think", annotations: [] }],
  };

  test("a reasoning item with an output_text part is reasoning and no answer, streamed and whole", () => {
    const place = { output_index: 0, item_id: "rs_1", content_index: 0 };
    const answer = { ...message, content: [{ type: "output_text", text: "Yes" }] };
    const output = [reasoning, answer];
    const frames = streamed(
      created,
      { type: "response.output_item.added", output_index: 0, item: { ...reasoning, content: [] } },
      { type: "response.output_text.delta", ...place, delta: "I " },
      { type: "response.output_text.delta", ...place, delta: "think" },
      { type: "response.output_item.done", output_index: 0, item: reasoning },
      { type: "response.output_item.done", output_index: 1, item: answer },
      { ...completed, response: { ...completed.response, output } },
    );
    for (const events of [frames, responseEvents({ ...completed.response, output }, options)]) {
      expect(joined(events, "reasoning")).toBe("I think");
      expect(joined(events, "text")).toBe("Yes");
    }
  });

  test("the sealed form that comes with the end of the response only is that of its item, once", () => {
    const thought = { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }] };
    const sealed = { ...thought, encrypted_content: "ENC" };
    const done = (item: object) => ({ type: "response.output_item.done", output_index: 0, item });
    const end = { ...completed, response: { ...completed.response, output: [sealed, message] } };
    for (const item of [thought, sealed, { ...thought, encrypted_content: null }]) {
      const events = streamed(created, done(item), { ...done(message), output_index: 1 }, end);
      expect(events.filter(({ type }) => type === "reasoning_opaque")).toEqual([
        { type: "reasoning_opaque", data: "ENC", id: "rs_1" },
      ]);
    }
  });

  test("a call that a program of the node has made is no output of the model", () => {
    const caller = { type: "program", caller_id: "prog_1" };
    const of = (item: object) =>
      streamed(
        created,
        { type: "response.output_item.done", output_index: 0, item: { ...call, ...item } },
        completed,
      );
    const opened = (item: object) => of(item).find(({ type }) => type === "tool_open");
    expect(opened({ caller })).toHaveProperty("byProgram", true);
    for (const other of [{ type: "direct" }, null, undefined])
      expect(opened({ caller: other })).not.toHaveProperty("byProgram");
  });
});
