import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RecordedProtocol } from "@/tests/corpus/corpus";
import {
  block,
  chatSse,
  delta,
  finish,
  messageEnd,
  messageStart,
  messagesSse,
  textBlock,
  usageChunk,
} from "@/tests/unit/protocols/pipeline";
import { type Generation, GenerationRig, PROMPT_TOKENS, settled } from "./generation-rig";

/** What the node tells at its end: most of it is reasoning that nobody was shown. */
const INPUT = 1_000;
const OUTPUT = 500;
const READ_ON_MS = 300;

/** The frames of an answer with reasoning, some of it shown, in the words of each protocol. */
const answers: Readonly<Record<RecordedProtocol, readonly string[]>> = {
  chat: [
    delta({ role: "assistant", content: "" }),
    delta({ reasoning_content: "Let me think about it." }),
    delta({ content: "Hello" }),
    delta({ content: " world" }),
    finish("stop"),
    usageChunk({ prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT }),
  ]
    .map((chunk) => chatSse([chunk], false))
    .concat("data: [DONE]\n\n"),
  messages: [
    messageStart({ input_tokens: INPUT, output_tokens: 1 }),
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Let me think about it." },
      { type: "signature_delta", signature: "c2lnbmVk" },
    ),
    ...textBlock(1, "Hello", " world"),
    ...messageEnd("end_turn", { output_tokens: OUTPUT }),
  ].map((payload) => messagesSse([payload])),
};

const protocols = ["chat", "messages"] as const;
const ways = protocols.flatMap((client) => protocols.map((node) => ({ client, node })));
const boundaries = ways.flatMap((way) =>
  answers[way.node].map((_, at) => ({ ...way, after: at + 1, of: answers[way.node].length })),
);

/** Units: micro-cents, at 100 and 300 cents a million tokens. */
const cost = (input: number, output: number) => BigInt(input * 100 + output * 300);

let rig: GenerationRig;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A generation whose node has sent so many frames. */
async function sent(client: RecordedProtocol, node: RecordedProtocol, frames: number): Promise<Generation> {
  rig = new GenerationRig([node]);
  const generation = await rig.begin(client);
  generation.node.open();
  for (const frame of answers[node].slice(0, frames)) {
    generation.node.send(frame);
    await settled();
  }
  return generation;
}

const nodeLoad = () => rig.availability("chat");

const begins = (generation: Generation) => /think|Hello/.test(generation.wire);

/** Source: docs/contract.md#b6. */
describe("a client that leaves a stream", () => {
  test.each(boundaries)(
    "($client client, $node node) after frame $after of $of pays what the node's usage says when it comes in time",
    async ({ client, node, after }) => {
      const generation = await sent(client, node, after);
      const shown = begins(generation);
      generation.leave();
      await settled();
      expect(generation.node.gone).toBe(!shown || rig.settlements.length > 0);
      for (const frame of answers[node].slice(after)) generation.node.send(frame);
      generation.node.end();
      await generation.over;
      expect(rig.settlements).toHaveLength(1);
      const [settlement] = rig.settlements;
      expect(settlement).toMatchObject({ status: "cancelled", httpStatus: 499 });
      if (!shown) return;
      expect(settlement).toMatchObject({ costMicroCents: cost(INPUT, OUTPUT), usageSource: "upstream" });
    },
  );

  test.each(boundaries)(
    "($client client, $node node) after frame $after of $of pays no less than the estimate of all seen when the node stays silent",
    async ({ client, node, after }) => {
      const generation = await sent(client, node, after);
      const shown = begins(generation);
      const told = answers[node].slice(0, after).some((frame) => frame.includes(String(OUTPUT)));
      const held = generation.wire;
      generation.leave();
      await settled();
      if (shown && rig.settlements.length === 0) {
        vi.advanceTimersByTime(READ_ON_MS - 1);
        await settled();
        expect([rig.settlements.length, generation.node.gone]).toEqual([0, false]);
        vi.advanceTimersByTime(1);
      }
      await generation.over;
      expect(generation.node.gone).toBe(true);
      expect(generation.wire).toBe(held);
      expect(rig.settlements).toHaveLength(1);
      const paid = rig.settlements[0]?.costMicroCents ?? 0n;
      const texts = ["Let me think about it.", "Hello", " world"].filter((text) =>
        answers[node].slice(0, after).some((frame) => frame.includes(text)),
      );
      const input = node === "messages" || told ? INPUT : 1;
      const least = told ? cost(INPUT, OUTPUT) : cost(input, Math.ceil(texts.join("").length / 4));
      if (shown) expect(paid).toBeGreaterThanOrEqual(least);
      if (told) expect(paid).toBe(least);
    },
  );

  test.each(ways)(
    "($client client, $node node) is not told that the answer is whole before its usage is known",
    async ({ client, node }) => {
      const untilUsage = answers[node].findIndex((frame) => frame.includes(`:${OUTPUT}`));
      const generation = await sent(client, node, untilUsage);
      expect(generation.wire).toContain("world");
      const afterText = generation.wire.slice(generation.wire.indexOf("world"));
      expect(afterText).not.toMatch(/content_block_stop|"finish_reason":"|message_delta|\[DONE\]/);
      for (const frame of answers[node].slice(untilUsage)) generation.node.send(frame);
      generation.node.end();
      await generation.over;
      expect(generation.wire).toMatch(client === "chat" ? /\[DONE\]\n\n$/ : /message_stop"}\n\n$/);
      if (client === "messages") expect(generation.wire.match(/event: content_block_stop/g)).toHaveLength(2);
      expect(rig.settlements).toMatchObject([{ costMicroCents: cost(INPUT, OUTPUT), status: "success" }]);
    },
  );

  test("has its places and its unused tokens back at once; the node's place only when its connection is closed", async () => {
    const generation = await sent("chat", "chat", 4);
    const places = vi.spyOn(generation.call.permit, "release");
    expect(await rig.countedTokens()).toBeGreaterThan(1_000);
    generation.leave();
    await settled();
    expect([places.mock.calls.length, rig.settlements.length, nodeLoad().state]).toEqual([1, 0, "busy"]);
    expect(await rig.countedTokens()).toBeLessThan(200);
    for (const frame of answers.chat.slice(4)) generation.node.send(frame);
    await generation.over;
    expect([rig.settlements.length, nodeLoad().state]).toEqual([1, "ok"]);
    expect(await rig.countedTokens()).toBe(INPUT + OUTPUT);
  });

  test("pays for what it has seen where the node had told less so far", async () => {
    const long = "word ".repeat(400);
    const usage = { prompt_tokens: INPUT, completion_tokens: 1, total_tokens: INPUT + 1 };
    const frames = [
      { ...delta({ content: "Hello" }), usage },
      { ...delta({ content: long }), usage },
    ];
    rig = new GenerationRig(["chat"]);
    const generation = await rig.begin("chat");
    generation.node.open();
    for (const frame of frames) generation.node.send(chatSse([frame], false));
    await settled();
    generation.leave();
    vi.advanceTimersByTime(READ_ON_MS);
    await generation.over;
    const seen = Math.ceil(`Hello${long}`.length / 4);
    expect(rig.settlements).toMatchObject([
      { usage: { output: seen }, costMicroCents: cost(INPUT, seen), usageSource: "estimated" },
    ]);
  });

  test("is read on for with 63 others at most; beyond that nodes are let go at once", async () => {
    rig = new GenerationRig(["chat"]);
    const generations: Generation[] = [];
    for (let index = 0; index < 65; index += 1) {
      const generation = await rig.begin("chat");
      generation.node.open();
      for (const frame of answers.chat.slice(0, 4)) generation.node.send(frame);
      generations.push(generation);
    }
    await settled();
    for (const generation of generations) generation.leave();
    await settled();
    expect(generations.filter(({ node }) => node.gone)).toEqual([generations[64]]);
    vi.advanceTimersByTime(READ_ON_MS);
    await Promise.all(generations.map(({ over }) => over));
    expect(rig.settlements).toHaveLength(65);
    const again = await rig.begin("chat");
    again.node.open();
    for (const frame of answers.chat.slice(0, 4)) again.node.send(frame);
    await settled();
    again.leave();
    await settled();
    expect(again.node.gone).toBe(false);
    again.node.end();
    await again.over;
  });

  test("is read on for until the drain's deadline at most", async () => {
    const generation = await sent("messages", "chat", 4);
    generation.leave();
    await settled();
    expect(generation.node.gone).toBe(false);
    rig.drain.abort();
    await generation.over;
    expect(generation.node.gone).toBe(true);
    expect(rig.settlements).toMatchObject([{ status: "cancelled", billingSource: "partial" }]);
    expect(rig.settlements[0]?.costMicroCents).toBeGreaterThan(cost(PROMPT_TOKENS / 10, 0));
  });

  test("pays for the content, and not more than the usage, when the node breaks off after telling it", async () => {
    const generation = await sent("messages", "messages", answers.messages.length - 1);
    generation.leave();
    generation.node.answer.abort();
    await generation.over;
    expect(rig.settlements).toMatchObject([
      { costMicroCents: cost(INPUT, OUTPUT), usageSource: "upstream", billingSource: "upstream" },
    ]);
  });
});
