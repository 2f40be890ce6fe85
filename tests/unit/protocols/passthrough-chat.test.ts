import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";
import { foldStream, payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { chatFixtures } from "./chat-fixtures";
import {
  bytesOf,
  chatSse,
  delta,
  finish,
  framesFrom,
  optionsFor,
  streamThrough,
  tool,
  usageChunk,
} from "./pipeline";

const chat = { upstream: "chat", client: "chat" } as const;
const _messages = { upstream: "messages", client: "messages" } as const;

describe("chat chunks for a chat client", () => {
  test("that are in order go through byte for byte, but for the model", () => {
    const start = delta({ role: "assistant", content: "" }, { logprobs: null });
    const odd = {
      ...delta({ content: "a", new_field: { deep: [1, null] } }),
      system_fingerprint: "fp",
      service_tier: "default",
    };
    const sse = chatSse([start, odd, delta({ content: "b" }), delta({ content: 'c"\n' })], false);
    const { wire } = streamThrough(chat, sse + chatSse([finish("stop")]));
    expect(wire.startsWith(sse.replaceAll('"up-model"', '"the-alias"'))).toBe(true);
  });

  test("without a request for usage never show any, and the meter still sees it", () => {
    for (const sse of [
      chatFixtures.text,
      chatFixtures.usageOnFinish,
      chatFixtures.usageEverywhere,
      chatFixtures.vendorUsage,
    ]) {
      const { wire, events } = streamThrough(chat, sse, { includeUsage: false });
      expect(wire).not.toContain('"usage"');
      expect(events.filter((event) => event.type === "usage").at(-1)).toBeDefined();
    }
  });

  test("finish, usage and [DONE] wait for the end", () => {
    const passthrough = protocols.chat.direct.passthrough(optionsFor(chat));
    const before = framesFrom(bytesOf(chatFixtures.text))
      .map((frame) => passthrough.push(frame).wire)
      .join("");
    expect(before).not.toMatch(/\[DONE\]|"usage":\{|"finish_reason":"/);
    passthrough.finish();
    const wire = passthrough.end();
    expect(wire).toMatch(/"finish_reason":"stop".*\n\ndata: .*"usage":\{.*\n\ndata: \[DONE\]\n\n$/);
  });

  test("usage that the upstream never told is shown as it was estimated", () => {
    const passthrough = protocols.chat.direct.passthrough(optionsFor(chat));
    for (const frame of framesFrom(bytesOf(chatFixtures.noUsage))) passthrough.push(frame);
    passthrough.finish();
    const wire = passthrough.end({ inputUncached: 5, output: 2 });
    expect(payloadsOf(wire).at(-1)).toMatchObject({
      id: "chatcmpl-up",
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
  });

  test.each(Object.entries(chatFixtures))("%s is what the fold of its events says", (name, sse) => {
    const folded = foldStream("chat", streamThrough(chat, sse).wire);
    const { wire } = streamThrough({ upstream: "chat", client: "messages" }, sse);
    const other = foldStream("messages", wire);
    const choice = (folded.choices as { message: JsonObject }[])[0];
    const texts = (other.content as JsonObject[]).filter((one) => one.type === "text").map((one) => one.text);
    const said = choice?.message.refusal ?? choice?.message.content ?? "";
    // Whitespace between calls is kept here and dropped there.
    expect(String(said).trim(), name).toBe(texts.join("").trim());
    const calls = Array.isArray(choice?.message.tool_calls) ? choice.message.tool_calls : [];
    const names = (other.content as JsonObject[])
      .filter((one) => one.type === "tool_use")
      .map((one) => one.name);
    if (name !== "legacyCall") expect(calls.map((call) => call.function.name)).toEqual(names);
  });

  test("vendor noise is removed and unknown fields of calls survive", () => {
    const entry = {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "f", arguments: '{"a":1}' },
      extra_content: { signature: "s" },
    };
    const sse = chatSse([
      { ...delta({ role: "assistant", content: "Hi" }), provider: "P", x_request: "1", obfuscation: "abc" },
      tool(entry),
      finish("tool_calls"),
    ]);
    const { wire } = streamThrough(chat, sse);
    expect(wire).not.toMatch(/provider|x_request|obfuscation/);
    expect(wire).toContain('"extra_content":{"signature":"s"}');
  });

  test("array content becomes a string and its thinking reasoning", () => {
    const folded = foldStream("chat", streamThrough(chat, chatFixtures.arrayContent).wire);
    expect(folded).toMatchObject({ choices: [{ message: { content: "Hi", reasoning_content: "Hm" } }] });
  });

  test("a legacy function_call goes through, an empty stub does not", () => {
    expect(streamThrough(chat, chatFixtures.legacyCall).wire).toContain('"finish_reason":"function_call"');
    const stub = chatSse([
      delta({ role: "assistant", content: "Hi", function_call: { name: "", arguments: "" } }),
      finish("stop"),
    ]);
    expect(streamThrough(chat, stub).wire).not.toContain("function_call");
  });

  test("what this client must not get is taken out, and tool names are turned back", () => {
    const toolNames = new Map([["f", "server.tool/f"]]);
    const single = streamThrough(chat, chatFixtures.interleaved, { singleToolCall: true, toolNames }).wire;
    expect(streamProblems("chat", single, { includeUsage: true })).toEqual([]);
    expect(foldStream("chat", single)).toMatchObject({
      choices: [
        {
          message: { tool_calls: [{ function: { name: "server.tool/f", arguments: '{"a":1}' } }] },
          finish_reason: "tool_calls",
        },
      ],
    });
    expect(single).not.toContain("call_2");
    const silent = streamThrough(chat, chatFixtures.reasoning, { hideReasoning: true });
    expect(silent.wire).not.toContain("reasoning");
    expect(silent.events).toContainEqual({ type: "reasoning", text: "Hm" });
  });

  test("an empty reasoning_content does not hide reasoning under its other name", () => {
    const sse = chatSse([
      delta({ role: "assistant", content: "", reasoning_content: "" }),
      delta({ reasoning_content: "", reasoning: "Hm" }),
      delta({ content: "Hi" }),
      finish("stop"),
    ]);
    expect(streamThrough(chat, sse).events).toContainEqual({ type: "reasoning", text: "Hm" });
  });

  test("it is told when only usage and the terminal signal are still due", () => {
    const passthrough = protocols.chat.direct.passthrough(optionsFor(chat));
    const seen = framesFrom(bytesOf(chatFixtures.text)).map((frame) => {
      passthrough.push(frame);
      return passthrough.finishSeen;
    });
    expect(seen).toEqual([false, false, false, true, true, true]);
  });

  test("a chunk after the end says nothing", () => {
    const passthrough = protocols.chat.direct.passthrough(optionsFor(chat));
    for (const frame of framesFrom(bytesOf(chatFixtures.text))) passthrough.push(frame);
    expect(passthrough.push({ event: null, data: JSON.stringify(usageChunk({ prompt_tokens: 9 })) })).toEqual(
      {
        wire: "",
        events: [],
      },
    );
  });
});
