import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import {
  chatSse,
  delta,
  finish,
  messageEnd,
  messageStart,
  messagesSse,
  textBlock,
  usageChunk,
} from "@/tests/unit/protocols/pipeline";
import { payloadsOf } from "../../support/fold";
import { GenerationRig } from "./generation-rig";

const INPUT = 40;
const CEILING = 1_000;
const BILLABLE = 1_050;

const protocols = ["chat", "messages"] as const;
const ways = protocols.flatMap((client) =>
  protocols.flatMap((node) => [false, true].map((stream) => ({ client, node, stream }))),
);

/** An answer of a node that claims so much output. */
function answer(node: Protocol, stream: boolean, output: number): string {
  if (node === "messages") return messagesAnswer(stream, output);
  const usage = { prompt_tokens: INPUT, completion_tokens: output, total_tokens: INPUT + output };
  if (stream)
    return chatSse([delta({ role: "assistant", content: "Hi" }), finish("stop"), usageChunk(usage)]);
  const choice = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
  return JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [choice],
    usage,
  });
}

function messagesAnswer(stream: boolean, output: number): string {
  const start = messageStart({ input_tokens: INPUT, output_tokens: 1 });
  if (stream)
    return messagesSse([start, ...textBlock(0, "Hi"), ...messageEnd("end_turn", { output_tokens: output })]);
  const content = [{ type: "text", text: "Hi" }];
  const usage = { input_tokens: INPUT, output_tokens: output };
  return JSON.stringify({ ...(start.message as object), content, stop_reason: "end_turn", usage });
}

/** The counts that a client was shown last. */
function shown(wire: string, stream: boolean): JsonObject {
  const said = stream ? payloadsOf(wire) : [JSON.parse(wire) as JsonObject];
  const counts: JsonObject = {};
  for (const { usage } of said) Object.assign(counts, usage);
  return counts;
}

async function billedFor(way: (typeof ways)[number], claim: number, contextWindow: number | null = null) {
  const rig = new GenerationRig([way.node], { contextWindow });
  const asked = way.client === "chat" && way.stream ? { stream_options: { include_usage: true } } : {};
  const generation = await rig.begin(way.client, { max_tokens: CEILING, stream: way.stream, ...asked });
  generation.node.open(way.stream ? "text/event-stream" : "application/json");
  generation.node.send(answer(way.node, way.stream, claim));
  generation.node.end();
  await generation.over;
  expect(rig.settlements).toHaveLength(1);
  return { settlement: rig.settlements[0], shown: shown(generation.wire, way.stream) };
}

/** Source: docs/contract.md#b7. */
describe("output that a node claims", () => {
  const outputName = (client: Protocol) => (client === "chat" ? "completion_tokens" : "output_tokens");

  test.each(ways)(
    "($client client, $node node, streamed: $stream) is believed up to 1.05 times the ceiling that it was sent",
    async (way) => {
      const { settlement, shown } = await billedFor(way, BILLABLE);
      expect(settlement).toMatchObject({ usage: { inputUncached: INPUT, output: BILLABLE }, warnings: [] });
      expect(shown[outputName(way.client)]).toBe(BILLABLE);
    },
  );

  test.each(ways)(
    "($client client, $node node, streamed: $stream) beyond that is neither billed nor shown, and the claim is in the log entry",
    async (way) => {
      for (const claim of [BILLABLE + 1, 190_000]) {
        const { settlement, shown } = await billedFor(way, claim, 100_000);
        expect(settlement).toMatchObject({
          usage: { inputUncached: INPUT, output: BILLABLE },
          costMicroCents: BigInt(INPUT * 100 + BILLABLE * 300),
        });
        expect(settlement?.warnings).toContain("usage_implausible");
        expect(settlement?.warnings).toContain(`usage_implausible:output=${claim}`);
        expect(shown[outputName(way.client)]).toBe(BILLABLE);
      }
    },
  );

  test.each(ways)(
    "($client client, $node node, streamed: $stream) of more than any context is estimated, and the claim is in the log entry",
    async (way) => {
      const { settlement, shown } = await billedFor(way, 900_000_000_000, 100_000);
      expect(settlement?.usage.output).toBeLessThan(10);
      expect(settlement?.warnings).toContain("usage_implausible:output=900000000000");
      expect(shown[outputName(way.client)]).toBe(settlement?.usage.output);
    },
  );

  test("is not billed beyond the ceiling of a client who left either", async () => {
    const rig = new GenerationRig(["chat"]);
    const generation = await rig.begin("chat", { max_tokens: 10 });
    generation.node.open();
    generation.node.send(chatSse([delta({ role: "assistant", content: "x".repeat(4_000) })], false));
    generation.node.send(
      chatSse([usageChunk({ prompt_tokens: INPUT, completion_tokens: 3, total_tokens: 43 })], false),
    );
    generation.leave();
    generation.node.end();
    await generation.over;
    expect(rig.settlements[0]?.usage.output).toBe(10);
  });

  test("is believed for each of the choices that were asked for", async () => {
    const rig = new GenerationRig(["chat"], { contextWindow: 1_000 });
    const generation = await rig.begin("chat", { max_tokens: CEILING, n: 4 });
    generation.node.open();
    generation.node.send(answer("chat", true, 4_000));
    generation.node.end();
    await generation.over;
    expect(rig.settlements).toMatchObject([{ usage: { output: 4_000 }, warnings: [] }]);
  });
});
