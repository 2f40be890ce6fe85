import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { StoppingDecoder } from "@/lib/protocols/passes/stop-sequences";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { optionsFor } from "./pipeline";
import { prepareFor, validated } from "./requests/support";
import { prepare } from "./responses/support";

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const frame = (payload: JsonObject) => ({ event: null, data: JSON.stringify(payload) });
const chunk = (delta: JsonObject, more: JsonObject = {}, finish_reason: string | null = null) =>
  frame({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    usage: null,
    choices: [{ index: 0, delta, finish_reason, ...more }],
  });
const last = (reason = "stop") => frame({ ...JSON.parse(chunk({}, {}, reason).data), usage });

function read(node: Protocol, frames: { event: null; data: string }[]): GenerationEvent[] {
  const decoder = protocols[node].decoder({ id: "a" });
  return [...frames.flatMap((one) => decoder.push(one)), ...decoder.end()];
}

const fold = (client: Protocol, node: Protocol, events: readonly GenerationEvent[]) =>
  protocols[client].fold(events, optionsFor({ client, upstream: node })).body;
const told = (token: string) => ({ token, logprob: -1, bytes: [...Buffer.from(token)], top_logprobs: [] });
const probabilities = (...tokens: string[]) => ({ logprobs: { content: tokens.map(told), refusal: null } });

describe("answers of chat nodes", () => {
  const image = { image_url: { url: "data:image/png;base64,AAAA" } };
  const call = (json: string) => ({ tool_calls: [{ index: 0, function: { arguments: json } }] });
  const opened = {
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "go", arguments: '{"x":' } }],
  };

  test("a picture within a call waits for its end: the arguments are whole", () => {
    const events = read("chat", [
      chunk(opened),
      chunk({ images: [image] }),
      chunk(call("1}")),
      last("tool_calls"),
    ]);
    const { output } = fold("responses", "chat", events) as { output: JsonObject[] };
    expect(output.find(({ type }) => type === "function_call")).toMatchObject({ arguments: '{"x":1}' });
    expect(output.some(({ type }) => type === "image_generation_call")).toBe(true);
  });

  test("log probabilities of thoughts and calls are not those of the text", () => {
    const events = read("chat", [
      chunk({ reasoning_content: "secret" }, probabilities("secret")),
      chunk({ content: "Hi" }, probabilities("Hi")),
      last(),
    ]);
    const texts = events.flatMap((event) => (event.type === "text" ? (event.logProbabilities ?? []) : []));
    expect(texts).toEqual([told("Hi")]);
  });

  test("200,000 log probabilities of a whole answer are read", () => {
    const content = Array.from({ length: 200_000 }, () => told("x"));
    const choice = { index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" };
    const body = { id: "c", object: "chat.completion", created: 1, model: "m", usage };
    const whole = { ...body, choices: [{ ...choice, logprobs: { content } }] };
    const events = protocols.chat.decodeWhole(whole, { id: "a" });
    for (const client of ["chat", "responses"] as const)
      expect(JSON.stringify(fold(client, "chat", events)).length).toBeGreaterThan(200_000);
  });

  test("tokens that are parts of a character stay with it where the answer is cut at stop sequences", () => {
    const parts = [
      [240, 159],
      [153, 130],
      [32, 111, 107],
    ];
    const content = parts.map((bytes) => ({ token: "\\x", logprob: -1, bytes, top_logprobs: [] }));
    const decoder = new StoppingDecoder(protocols.chat.decoder({ id: "a" }), ["END"], 1);
    const frames = [chunk({ content: "🙂 ok" }, { logprobs: { content } }), last()];
    const events = [...frames.flatMap((one) => decoder.push(one)), ...decoder.end()];
    const kept = events.flatMap((event) => (event.type === "text" ? (event.logProbabilities ?? []) : []));
    expect(kept).toEqual(content);
  });

  const annotation = (url: string) => ({ type: "url_citation", url_citation: { url, title: "A" } });

  test("annotations that come before the text are those of the text", () => {
    const frames = [
      chunk({ role: "assistant", content: "", annotations: [annotation("https://a.test")] }),
      chunk({ reasoning_content: "Hm" }),
      chunk({ content: "Hi" }),
      last(),
    ];
    for (const client of ["messages", "responses"] as const) {
      const body = JSON.stringify(fold(client, "chat", read("chat", frames)));
      expect(body).toContain("https://a.test");
      expect(body.split('"Hi"').length).toBe(2);
      expect(body).not.toContain('"text":""');
    }
  });

  test("150,000 citations of one text are gathered", () => {
    const annotations = Array.from({ length: 150_000 }, (_, at) => annotation(`https://a.test/${at}`));
    const events = read("chat", [chunk({ content: "Hi", annotations }), last()]);
    const { content } = fold("messages", "chat", events) as { content: { citations: unknown[] }[] };
    expect(content[0]?.citations).toHaveLength(150_000);
  });

  test("calls of a whole answer that share an id get ids of their own, for chat clients too", () => {
    const one = { id: "x", type: "function", function: { name: "go", arguments: "{}" } };
    const message = { role: "assistant", content: null, tool_calls: [one, { ...one }] };
    const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
    const body = { id: "c", object: "chat.completion", created: 1, model: "m", choices, usage };
    const options = optionsFor({ client: "chat", upstream: "chat" });
    const passed = JSON.parse(
      protocols.chat.direct.passWhole(JSON.stringify(body), body, options).wire(undefined),
    );
    const ids = passed.choices[0].message.tool_calls.map(({ id }: JsonObject) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

test("of several choices each is cited by the pages that it did not name itself", () => {
  const page = (url: string) => ({ type: "url_citation", url_citation: { url, title: "" } });
  const of = (index: number, url?: string) => ({
    index,
    finish_reason: "stop",
    message: { role: "assistant", content: "x", ...(url && { annotations: [page(url)] }) },
  });
  const body = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    usage,
    choices: [of(0), of(1, "https://a.test")],
    citations: ["https://a.test", "https://b.test"],
  };
  const events = protocols.chat.decodeWhole(body, { id: "a", choices: 2 });
  const { choices } = fold("chat", "chat", events) as { choices: { message: { annotations: object[] } }[] };
  for (const { message } of choices) {
    const told = JSON.stringify(message.annotations);
    expect(told.split("https://a.test").length + told.split("https://b.test").length).toBe(4);
  }
});

describe("answers of Responses nodes", () => {
  const message = (text: string) => ({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text }],
  });
  const end = { type: "response.completed", response: { id: "r", status: "completed", output: [] } };

  test("an item is known by its place and by its id, whichever an event has", () => {
    const item = { id: "msg_1", ...message("Hello") };
    const events = read("responses", [
      frame({ type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } }),
      frame({ type: "response.output_text.delta", item_id: "msg_1", content_index: 0, delta: "Hello" }),
      frame({ type: "response.output_item.done", output_index: 0, item }),
      frame(end),
    ]);
    expect(JSON.stringify(fold("chat", "responses", events))).toContain('"content":"Hello"');
  });

  test("items that end without place and id are one each", () => {
    const call = (name: string) => ({ type: "function_call", call_id: name, name, arguments: "{}" });
    const events = read("responses", [
      frame({ type: "response.output_item.done", item: call("a") }),
      frame({ type: "response.output_item.done", item: call("b") }),
      frame(end),
    ]);
    expect(events.flatMap((event) => (event.type === "tool_open" ? [event.name] : []))).toEqual(["a", "b"]);
  });
});

test("a seal that came with the end of an answer goes back before what the model then did", () => {
  const openReasoning = () => ({ text: "", signature: null, opaque: "ENC", id: "rs_1" });
  const turn = [
    { type: "tool_use", id: "toolu_1", name: "go", input: {} },
    { type: "thinking", thinking: "", signature: "tgw-sealed" },
  ];
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: turn },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }] },
  ];
  const way = { clientProtocol: "messages", upstreamProtocol: "responses", openReasoning } as const;
  const { body } = prepareFor(validated({ model: "a", max_tokens: 99, messages }, "messages"), way);
  const types = (body.input as JsonObject[]).map(({ type }) => type);
  expect(types).toEqual(["message", "reasoning", "function_call", "function_call_output"]);
});

describe("answers of messages nodes", () => {
  test("a start that comes late tells its counts", () => {
    const events = read("messages", [
      frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } }),
      frame({ type: "message_start", message: { id: "m", usage: { input_tokens: 100, output_tokens: 1 } } }),
      frame({ type: "content_block_stop", index: 0 }),
      frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
      frame({ type: "message_stop" }),
    ]);
    const counts = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
    expect(counts.at(-1)).toMatchObject({ inputUncached: 100, output: 2 });
    expect(events.at(-1)).toEqual({ type: "end" });
  });
});

test("a wish to see thoughts takes no more than half of the room", () => {
  const narrow = { input: "x", max_output_tokens: 1_200, reasoning: { summary: "auto" } };
  const { body, losses } = prepare(narrow, "messages");
  expect(body.thinking).toBeUndefined();
  expect(losses).toContain("dropped:reasoning.summary");
});
