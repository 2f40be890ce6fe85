import { describe, expect, test } from "vitest";
import { type Answer, noAnswer } from "@/components/playground/answer";
import { AnswerReading, wholeAnswer } from "@/components/playground/read-answer";
import type { FinishReason, GenerationEvent } from "@/lib/protocols/generation/events";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { answer, call, say } from "../../protocols/conformance-scenarios";
import { bytesOf, framesFrom, optionsFor } from "../../protocols/pipeline";

type Words = Readonly<Record<Protocol, string>>;

const ended: Words = { chat: "stop", messages: "end_turn", responses: "completed", gemini: "STOP" };
const called: Words = { chat: "tool_calls", messages: "tool_use", responses: "completed", gemini: "STOP" };
const cut: Words = {
  chat: "length",
  messages: "max_tokens",
  responses: "max_output_tokens",
  gemini: "MAX_TOKENS",
};

/** The input of `answer` as each protocol counts it: with what a cache had, or without. */
const inputs: Readonly<Record<Protocol, number>> = { chat: 100, messages: 90, responses: 100, gemini: 100 };

const think = (...texts: string[]) => texts.map((text): GenerationEvent => ({ type: "reasoning", text }));

const answers: readonly [string, GenerationEvent[], FinishReason, Words, Partial<Answer>][] = [
  ["a text", say("Hel", "lo"), "end", ended, { text: "Hello" }],
  ["a text that met its most tokens", say("So far"), "length", cut, { text: "So far" }],
  [
    "reasoning before a text",
    [...think("Hm, ", "yes."), ...say("Yes")],
    "end",
    ended,
    { text: "Yes", reasoning: "Hm, yes." },
  ],
  [
    "calls of tools",
    [...say("Let me see."), ...call(0, "first", '{"a":', '"1"}'), ...call(1, "second", "{}")],
    "tool_use",
    called,
    {
      text: "Let me see.",
      toolCalls: [
        { id: "id_0", name: "first", input: '{"a":"1"}' },
        { id: "id_1", name: "second", input: "{}" },
      ],
    },
  ],
];

const optionsOf = (protocol: Protocol) => ({
  ...optionsFor({ upstream: protocol, client: protocol }),
  reasoningIsSummary: true,
});

/** The frames in which a client gets an answer; without its end where it is not over. */
function framesOf(protocol: Protocol, events: readonly GenerationEvent[]): SseFrame[] {
  const encoder = protocols[protocol].encoder(optionsOf(protocol));
  const wire = events.map((event) => encoder.push(event)).join("");
  return framesFrom(bytesOf(events.at(-1)?.type === "end" ? wire + encoder.end() : wire));
}

function streamed(protocol: Protocol, frames: readonly SseFrame[]): Answer {
  const reading = new AnswerReading(protocol);
  for (const frame of frames) reading.frame(frame);
  return reading.end();
}

function whole(protocol: Protocol, events: readonly GenerationEvent[]): Answer {
  return wholeAnswer(protocol, protocols[protocol].fold(events, optionsOf(protocol)).body);
}

describe.each(protocolIds)("an answer of %s", (protocol) => {
  test.each(answers)("reads the same streamed and whole: %s", (_name, parts, reason, words, expected) => {
    const events = answer(parts, reason);
    const inputTokens = inputs[protocol];
    const read = {
      ...noAnswer,
      reason: words[protocol],
      inputTokens,
      outputTokens: 20,
      ...expected,
    };
    expect(streamed(protocol, framesOf(protocol, events))).toEqual(read);
    expect(whole(protocol, events)).toEqual(read);
  });

  test("that is a refusal shows its text", () => {
    const events = answer([{ type: "refusal", text: "I will not." }], "refusal");
    expect(streamed(protocol, framesOf(protocol, events)).text).toBe("I will not.");
    expect(whole(protocol, events).text).toBe("I will not.");
  });

  test("that is stopped shows what has come", () => {
    const parts = [...think("Hm"), ...say("Hel", "lo"), ...call(0, "look", '{"a":1}').slice(0, -1)];
    const frames = framesOf(protocol, answer(parts, "end").slice(0, -3));
    expect(streamed(protocol, frames)).toMatchObject({
      text: "Hello",
      reasoning: "Hm",
      // A call of Gemini comes whole, so one that is stopped has not come.
      toolCalls: protocol === "gemini" ? [] : [{ id: "id_0", name: "look", input: '{"a":1}' }],
      reason: null,
      failure: null,
    });
  });

  test("that breaks off with an error shows it, and what came before", () => {
    const frames = framesOf(protocol, answer(say("So far"), "end").slice(0, -3));
    const error = { code: "UPSTREAM_ERROR", message: "It broke off.", requestId: "r" } as const;
    const broken = framesFrom(bytesOf(protocols[protocol].errors.frame(error)));
    expect(streamed(protocol, [...frames, ...broken])).toMatchObject({
      text: "So far",
      failure: expect.stringContaining("It broke off."),
    });
  });
});

describe("summaries of reasoning", () => {
  test("have a blank line between them, in one item and in several", () => {
    const item = (id: string, ...texts: string[]) => ({
      type: "reasoning",
      id,
      summary: texts.map((text) => ({ type: "summary_text", text })),
    });
    const search = { type: "web_search_call", id: "ws_1", status: "completed" };
    const body = {
      status: "completed",
      output: [item("rs_1", "One", "Two"), search, item("rs_2", "Three")],
    };
    const frames = protocols.responses.framesOfWhole(body, 1);
    expect(streamed("responses", frames).reasoning).toBe("One\n\nTwo\n\nThree");
    expect(wholeAnswer("responses", body).reasoning).toBe("One\n\nTwo\n\nThree");
  });

  test("are none in chat, whose reasoning goes on as it came", () => {
    const events = answer([...think("One"), ...say("Yes"), ...think(" two")], "end");
    expect(whole("chat", events).reasoning).toBe("One two");
    expect(streamed("chat", framesOf("chat", events)).reasoning).toBe("One two");
  });
});

describe("what nodes and other gateways send", () => {
  const frames = (...payloads: object[]) =>
    payloads.map((payload) => ({ event: null, data: JSON.stringify(payload) }));

  test("an input that was estimated first is what was counted last", () => {
    const read = streamed(
      "messages",
      frames(
        { type: "message_start", message: { usage: { input_tokens: 30, output_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
        {
          type: "message_delta",
          delta: { stop_reason: "end_turn" },
          usage: { input_tokens: 12, output_tokens: 2 },
        },
        { type: "message_stop" },
      ),
    );
    expect(read).toEqual({
      ...noAnswer,
      text: "Hello",
      reason: "end_turn",
      inputTokens: 12,
      outputTokens: 2,
    });
  });

  test("a placeholder of the output is not shown", () => {
    const reading = new AnswerReading("messages");
    const [start] = frames({
      type: "message_start",
      message: { usage: { input_tokens: 3, output_tokens: 1 } },
    });
    if (start) reading.frame(start);
    expect(reading.answer).toMatchObject({ inputTokens: 3, outputTokens: null });
  });

  test.each<[Protocol, object]>([
    ["chat", { choices: [{ message: { tool_calls: [{ function: { name: "f", arguments: "{}" } }] } }] }],
    ["messages", { content: [{ type: "tool_use", name: "f", input: {} }], stop_reason: "tool_use" }],
    ["responses", { output: [{ type: "function_call", name: "f", arguments: "{}" }], status: "completed" }],
  ])("a call of %s without an id gets one by its place", (protocol, body) => {
    expect(wholeAnswer(protocol, body).toolCalls).toEqual([{ id: "call_1", name: "f", input: "{}" }]);
  });

  test("an error inside a stream is an error, not an empty answer", () => {
    expect(streamed("chat", frames({ error: { message: "broke off" } })).failure).toBe("broke off");
  });

  test("the last words of a chat whose end is missing are shown with its reason", () => {
    const [chunk] = frames({ choices: [{ delta: { content: "Hello" }, finish_reason: "stop" }] });
    expect(streamed("chat", chunk ? [chunk] : [])).toMatchObject({ text: "Hello", reason: "stop" });
  });
});
