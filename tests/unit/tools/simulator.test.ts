import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "@/tools/simulator/server";

let provider: Simulator;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  provider = await startSimulator({ port: 0 });
  openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "any", maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: provider.url, apiKey: "any", maxRetries: 0 });
});
afterAll(() => provider.close());

const weather = {
  type: "object" as const,
  properties: { city: { type: "string" }, unit: { type: "string", enum: ["c", "f"] } },
  required: ["city", "unit"],
};
const chatTools = [{ type: "function" as const, function: { name: "get_weather", parameters: weather } }];
const messageTools = [{ name: "get_weather", input_schema: weather }];
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function ask(text: string, model = "sim-chat") {
  return { model, max_tokens: 500, messages: [{ role: "user" as const, content: text }] };
}

describe("the simulated provider speaks chat:", () => {
  test("an answer says that it is simulated and what it was told", async () => {
    const answer = await openai.chat.completions.create({
      ...ask("x"),
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "First." },
        { role: "assistant", content: "ok" },
        { role: "user", content: "Second." },
      ],
    });
    const text = answer.choices[0]?.message.content;
    for (const part of ["simulated", "“Second.”", "“First.”", "“Be brief.”"]) expect(text).toContain(part);
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    );
  });

  test.each([
    ["text", ask("Tell me something")],
    ["one tool call", { ...ask("What is the weather in Oslo?"), tools: chatTools }],
    ["parallel tool calls", { ...ask("Weather in Oslo and Rome, please"), tools: chatTools }],
    ["reasoning", { ...ask("Think"), reasoning_effort: "high" as const }],
  ])("streamed and whole are the same: %s", async (_, request) => {
    const whole = await openai.chat.completions.create(request);
    const stream = openai.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    const folded = await stream.finalChatCompletion();
    const { message, finish_reason } = whole.choices[0] ?? {};
    const streamed = folded.choices[0];
    expect(streamed?.finish_reason).toBe(finish_reason);
    expect(streamed?.message.content || null).toBe(message?.content || null);
    expect(streamed?.message.tool_calls?.map(named)).toEqual(message?.tool_calls?.map(named));
    expect(folded.usage).toEqual({ ...whole.usage });
  });

  test("tools are called with plausible arguments, in parallel when asked, and answered after their results", async () => {
    const request = { ...ask("What is the weather in Oslo and Rome?"), tools: chatTools };
    const calls = (await openai.chat.completions.create(request)).choices[0]?.message.tool_calls ?? [];
    expect(calls.map(named)).toEqual([
      { name: "get_weather", arguments: { city: "Oslo", unit: "c" } },
      { name: "get_weather", arguments: { city: "Rome", unit: "f" } },
    ]);
    const one = await openai.chat.completions.create({ ...request, parallel_tool_calls: false });
    expect(one.choices[0]?.message.tool_calls).toHaveLength(1);
    const none = await openai.chat.completions.create({ ...request, tool_choice: "none" });
    expect(none.choices[0]?.message.tool_calls).toBeUndefined();
    const results = calls.map((call) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: "12 degrees",
    }));
    const next = await openai.chat.completions.create({
      ...request,
      messages: [...request.messages, { role: "assistant", tool_calls: calls }, ...results],
    });
    expect(next.choices[0]?.message.content).toContain("get_weather answered: “12 degrees”");
  });

  test("images are described", async () => {
    const content = [
      { type: "text" as const, text: "Look" },
      { type: "image_url" as const, image_url: { url: `data:image/png;base64,${pixel}` } },
    ];
    const answer = await openai.chat.completions.create({
      ...ask(""),
      messages: [{ role: "user", content }],
    });
    expect(answer.choices[0]?.message.content).toContain("Attached: 1 (image, image/png, 70 bytes)");
  });

  test("stop sequences and max_tokens end the text", async () => {
    const stopped = await openai.chat.completions.create({ ...ask("Hello"), stop: ["You said"] });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: "stop" });
    expect(stopped.choices[0]?.message.content).not.toContain("You said");
    const cut = await openai.chat.completions.create({ ...ask("Hello"), max_tokens: 5 });
    expect(cut.choices[0]?.finish_reason).toBe("length");
    expect(cut.usage?.completion_tokens).toBe(5);
  });
});

describe("the simulated provider speaks messages:", () => {
  test.each([
    ["text", ask("Tell me something", "sim-messages")],
    ["tool calls", { ...ask("Weather in Oslo and Rome, please"), tools: messageTools }],
    [
      "thinking",
      { ...ask("Think"), max_tokens: 2000, thinking: { type: "enabled" as const, budget_tokens: 1024 } },
    ],
  ])("streamed and whole are the same: %s", async (_, request) => {
    const whole = await anthropic.messages.create(request);
    const folded = await anthropic.messages.stream(request).finalMessage();
    expect(folded.content.map(plain)).toEqual(whole.content.map(plain));
    expect([folded.stop_reason, folded.stop_sequence]).toEqual([whole.stop_reason, whole.stop_sequence]);
    expect(folded.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(folded.usage.input_tokens).toBe(whole.usage.input_tokens);
  });

  test("a stop sequence is named", async () => {
    const stopped = await anthropic.messages.create({ ...ask("Hello"), stop_sequences: ["You said"] });
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "You said" });
  });

  test("tool results must answer the calls before them", async () => {
    const messages = [
      { role: "user" as const, content: "Hello" },
      {
        role: "assistant" as const,
        content: [{ type: "tool_use" as const, id: "t1", name: "get_weather", input: {} }],
      },
      { role: "user" as const, content: "and?" },
    ];
    await expect(anthropic.messages.create({ ...ask(""), messages })).rejects.toBeInstanceOf(
      Anthropic.BadRequestError,
    );
  });

  test("tokens are counted as they are billed", async () => {
    const counted = await anthropic.messages.countTokens({
      model: "sim-chat",
      messages: ask("Hello").messages,
    });
    const billed = await anthropic.messages.create(ask("Hello"));
    expect(counted.input_tokens).toBe(billed.usage.input_tokens);
  });
});

describe("a model name makes the simulated provider misbehave:", () => {
  test.each([
    ["sim-401", OpenAI.AuthenticationError],
    ["sim-429", OpenAI.RateLimitError],
    ["sim-500", OpenAI.InternalServerError],
    ["sim-529", OpenAI.InternalServerError],
    ["sim-reset", OpenAI.APIConnectionError],
  ])("%s", async (model, expected) => {
    await expect(openai.chat.completions.create(ask("x", model))).rejects.toBeInstanceOf(expected);
  });

  test("sim-503-first-2 fails twice, then answers", async () => {
    const outcomes = [];
    for (let call = 0; call < 3; call += 1) outcomes.push((await post(ask("x", "sim-503-first-2"))).status);
    expect(outcomes).toEqual([503, 503, 200]);
  });

  test("sim-cut-after-3 and sim-eof-after-3 end without a terminal frame, sim-error-mid-stream with an error", async () => {
    const cut = await post({ ...ask("x", "sim-cut-after-3"), stream: true });
    await expect(cut.text()).rejects.toThrow();
    const ended = await (await post({ ...ask("x", "sim-eof-after-3"), stream: true })).text();
    expect(ended.match(/^data: /gm)).toHaveLength(3);
    expect(ended).not.toContain("[DONE]");
    const failed = await (await post({ ...ask("x", "sim-error-mid-stream"), stream: true })).text();
    expect(failed).toMatch(/data: \{"error":.*\n\n$/);
  });

  test("sim-html and sim-empty answer 200 with something else", async () => {
    expect(await (await post(ask("x", "sim-html"))).text()).toContain("<html>");
    expect(await (await post(ask("x", "sim-empty"))).text()).toBe("");
  });

  test("several choices are given as often as they are asked for, and counted", async () => {
    const one = await openai.chat.completions.create(ask("x", "sim-a"));
    const three = await openai.chat.completions.create({ ...ask("x", "sim-a"), n: 3 });
    const text = one.choices[0]?.message.content;
    expect(three.choices.map(({ index, message }) => [index, message.content])).toEqual(
      [0, 1, 2].map((index) => [index, text]),
    );
    expect(three.usage?.completion_tokens).toBe(3 * (one.usage?.completion_tokens ?? 0));
    const streamed = openai.chat.completions.stream({ ...ask("x", "sim-a"), n: 3, stream: true });
    const { choices } = await streamed.finalChatCompletion();
    expect(choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual(
      Array(3).fill([text, "stop"]),
    );
  });

  test("sim-usage-12-34 and sim-no-usage tell those tokens, or none", async () => {
    const told = await openai.chat.completions.create(ask("x", "sim-usage-12-34"));
    expect(told.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 });
    expect((await openai.chat.completions.create(ask("x", "sim-no-usage"))).usage).toBeUndefined();
  });

  test("sim-chunks-20+every-5ms sends twenty pieces over a tenth of a second", async () => {
    const started = performance.now();
    const text = await (await post({ ...ask("x", "sim-chunks-20+every-5ms"), stream: true })).text();
    expect(text.match(/"content":"simulated/g)).toHaveLength(20);
    expect(performance.now() - started).toBeGreaterThan(90);
  });

  test("sim-hang answers nothing, and the client that leaves is counted", async () => {
    const before = provider.counters().aborted;
    const waiting = post(ask("x", "sim-hang"), AbortSignal.timeout(100));
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => provider.counters().aborted).toBe(before + 1);
    expect(provider.counters().inFlight).toBe(0);
  });
});

describe("the simulated provider keeps account:", () => {
  test("of requests and of the tokens it told", async () => {
    await fetch(`${provider.url}/__reset`, { method: "POST" });
    for (let call = 0; call < 5; call += 1) await (await post(ask("x", "sim-usage-10-20"))).text();
    const stats: Record<string, unknown> = await (await fetch(`${provider.url}/__stats`)).json();
    expect(stats).toMatchObject({ requests: 5, completed: 5, promptTokens: 50, completionTokens: 100 });
    const kept: { path: string; body: string }[] = await (await fetch(`${provider.url}/__requests`)).json();
    expect(kept.map((request) => JSON.parse(request.body).model)).toEqual(
      Array.from({ length: 5 }, () => "sim-usage-10-20"),
    );
  });
});

function post(body: object, signal?: AbortSignal): Promise<Response> {
  const request = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  };
  return fetch(`${provider.url}/v1/chat/completions`, signal ? { ...request, signal } : request);
}

function named(call: OpenAI.Chat.Completions.ChatCompletionMessageToolCall) {
  if (call.type !== "function") throw new Error(`unexpected call type ${call.type}`);
  return { name: call.function.name, arguments: JSON.parse(call.function.arguments) };
}

/** Ids differ between two requests; everything else may not. */
function plain(block: Anthropic.ContentBlock) {
  if (block.type === "text") return { text: block.text };
  if (block.type === "thinking") return { thinking: block.thinking, signed: block.signature !== "" };
  return block.type === "tool_use" ? { name: block.name, input: block.input } : block;
}
