import { describe, expect, test } from "vitest";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { protocols } from "@/lib/protocols/registry";
import { foldStream } from "@/tests/support/fold";
import { optionsFor } from "./pipeline";

const answer: readonly GenerationEvent[] = [
  { type: "start", id: "resp_1", model: "m" },
  { type: "reasoning", text: "Plan" },
  { type: "reasoning_opaque", data: "gAAAA", id: "rs_1" },
  { type: "message", phase: "commentary" },
  { type: "text", text: "I look it up." },
  { type: "other_item", kind: "web_search_call" },
  { type: "message", phase: "final_answer" },
  { type: "text", text: "It is " },
  { type: "text", text: "red." },
  { type: "message", phase: null },
  { type: "text", text: "Or blue." },
  { type: "citation", url: "https://a.test", title: "A", start: 20, end: 25 },
  { type: "finish", reason: "end", native: "completed" },
  { type: "end" },
];

function streamed(client: "chat" | "messages", events = answer): unknown {
  const encoder = protocols[client].encoder(optionsFor({ upstream: other(client), client }));
  const wire = events.map((event) => encoder.push(event)).join("");
  return foldStream(client, wire + encoder.end());
}

function folded(client: "chat" | "messages", events = answer): unknown {
  return protocols[client].fold(events, optionsFor({ upstream: other(client), client })).body;
}

const other = (client: "chat" | "messages") => (client === "chat" ? "messages" : "chat");

describe("an answer of several messages", () => {
  test("R-20: is one choice for a chat client: commentary counts as reasoning, the others are joined", () => {
    expect(folded("chat")).toMatchObject({
      choices: [
        {
          message: {
            content: "It is red.\n\nOr blue.",
            reasoning_content: "PlanI look it up.",
            annotations: [{ url_citation: { start_index: 9, end_index: 14 } }],
          },
        },
      ],
    });
    expect(streamed("chat")).toEqual(folded("chat"));
  });

  test("of which only commentary has come says it beside the calls", () => {
    const events: GenerationEvent[] = [
      { type: "message", phase: "commentary" },
      { type: "text", text: "I look." },
      { type: "tool_open", slot: 0, id: "call_1", name: "f", kind: "function" },
      { type: "tool_args", slot: 0, text: "{}" },
      { type: "finish", reason: "tool_use", native: "completed" },
    ];
    const { body } = protocols.chat.fold(events, optionsFor({ upstream: "messages", client: "chat" }));
    expect(body).toMatchObject({
      choices: [{ message: { content: "I look.", tool_calls: [{ id: "call_1" }] } }],
    });
  });

  test("is one block of text for each message for a messages client", () => {
    expect(folded("messages")).toMatchObject({
      content: [
        { type: "thinking", thinking: "Plan", signature: 'gw1.envelope.["Plan",null,"gAAAA"]' },
        { type: "text", text: "I look it up." },
        { type: "text", text: "It is red." },
        { type: "text", text: "Or blue." },
      ],
    });
    expect(streamed("messages")).toEqual(folded("messages"));
  });
});

test("opaque reasoning that completes an item reaches a chat client sealed, with the item's id", () => {
  const { reasoning_details: details } = Object(folded("chat")).choices[0].message;
  expect(details).toContainEqual({
    type: "reasoning.encrypted",
    data: 'gw1.envelope.["",null,"gAAAA"]',
    id: "rs_1",
    format: "openai-responses-v1",
    index: 1,
  });
});

test("a call of a custom tool that a chat client does not have is a call of a function with its text", () => {
  const input = 'say "é"\n\u{1f600}\\';
  const events: readonly GenerationEvent[] = [
    { type: "start", id: "resp_1", model: "m" },
    { type: "tool_open", slot: 0, id: "call_1", name: "exec", kind: "custom" },
    ...input.split("").map((text): GenerationEvent => ({ type: "tool_args", slot: 0, text })),
    { type: "tool_close", slot: 0 },
    { type: "finish", reason: "tool_use", native: "completed" },
    { type: "end" },
  ];
  const call = { type: "function", function: { name: "exec", arguments: expect.any(String) } };
  const body = Object(folded("chat", events));
  expect(body).toMatchObject({ choices: [{ message: { tool_calls: [call] } }] });
  expect(JSON.parse(body.choices[0].message.tool_calls[0].function.arguments)).toEqual({ input });
  expect(streamed("chat", events)).toEqual(body);
});
