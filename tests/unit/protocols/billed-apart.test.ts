import { describe, expect, test } from "vitest";
import type { DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { ChatDecoder } from "@/lib/protocols/chat/node/decode";
import { readChatUsage, sumOfChoices } from "@/lib/protocols/chat/usage";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { mergeMessagesUsage } from "@/lib/protocols/messages/usage";
import { readResponsesUsage } from "@/lib/protocols/responses/usage";

/** Source: docs/prices.md#fields, #service-tiers. */
describe("what vendors bill apart", () => {
  test("tokens that vendors bill apart are read in every protocol, and absurd ones are not", () => {
    const details = { audio_tokens: 3, image_tokens: 4, cached_tokens: 1 };
    const answer = { audio_tokens: 5, image_tokens: 6, reasoning_tokens: 2 };
    const parts = { audioInput: 3, imageInput: 4, audioOutput: 5, imageOutput: 6 };
    const chat = { prompt_tokens: 20, completion_tokens: 30, prompt_tokens_details: details };
    expect(readChatUsage({ ...chat, completion_tokens_details: answer })).toMatchObject({
      usage: { parts, inputUncached: 19, output: 30 },
      warnings: [],
    });
    const responses = { input_tokens: 20, output_tokens: 30, input_tokens_details: details };
    expect(readResponsesUsage({ ...responses, output_tokens_details: answer }).usage).toMatchObject({
      parts,
    });
    const odd = { ...chat, prompt_tokens_details: { audio_tokens: -3, image_tokens: "4" } };
    expect(readChatUsage(odd)).toMatchObject({ usage: { inputUncached: 20 }, warnings: [] });
    expect(readChatUsage(odd).usage.parts).toBeUndefined();
  });

  test("cached audio is not audio of the prompt, and parts of several choices are added", () => {
    const cached = { audio_tokens: 500, text_tokens: 0 };
    const details = { audio_tokens: 600, cached_tokens: 500, cached_tokens_details: cached };
    const raw = { prompt_tokens: 1_000, completion_tokens: 1, prompt_tokens_details: details };
    expect(readChatUsage(raw).usage).toMatchObject({
      inputUncached: 500,
      cacheRead: 500,
      parts: { audioInput: 100 },
    });
    const choice = {
      prompt_tokens: 5,
      completion_tokens: 10,
      completion_tokens_details: { image_tokens: 9 },
    };
    expect(readChatUsage(sumOfChoices([choice, choice])).usage).toMatchObject({
      output: 20,
      parts: { imageOutput: 18 },
    });
  });

  test("one-hour writes of a compaction are among those of its answer", () => {
    const entry = (type: string, long: number) => ({
      type,
      input_tokens: 1,
      cache_creation_input_tokens: long,
      cache_creation: { ephemeral_1h_input_tokens: long },
      output_tokens: 1,
    });
    const known: PartialUsage = {};
    const iterations = [entry("compaction", 10_000), entry("message", 100)];
    mergeMessagesUsage(known, { cache_creation: { ephemeral_1h_input_tokens: 100 }, iterations });
    expect(known).toMatchObject({ cacheWrite: 10_100, parts: { cacheWrite1h: 10_100 } });
  });

  test("a service tier is told by the first chunk that names it, once, also without a usage", () => {
    const chunk = (more: object) => ({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      ...more,
    });
    const choices = [{ index: 0, delta: { content: "Hi" }, finish_reason: null }];
    const decoder = new ChatDecoder({ id: "c", choices: 1 } as DecoderOptions, () => "call");
    const events = [1, 2].flatMap(() => decoder.accept(chunk({ choices, service_tier: "priority" })));
    expect(events.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", usage: { served: "priority" } },
    ]);
  });

  test("the service tier of a messages answer and its one-hour writes stay known to its end", () => {
    const known: PartialUsage = {};
    mergeMessagesUsage(known, {
      service_tier: "batch",
      cache_creation_input_tokens: 9,
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 7 },
    });
    mergeMessagesUsage(known, { output_tokens: 5 });
    expect(known).toMatchObject({ served: "batch", cacheWrite: 9, parts: { cacheWrite1h: 7 }, output: 5 });
  });
});
