import { describe, expect, test } from "vitest";
import { maxOutputTokens } from "@/lib/gateway/plan";
import { withoutDrops } from "@/lib/gateway/strict";
import type { JsonObject } from "@/lib/kernel/json-object";
import { chatSse, usageChunk } from "@/tests/unit/protocols/pipeline";
import { makeRoute } from "../router/factories";
import { callOf, GenerationRig } from "./generation-rig";

const BODY: JsonObject = {
  model: "alias",
  max_tokens: 50,
  n: 3,
  messages: [{ role: "user", content: "Three names." }],
};
const MESSAGES_FIRST = { routes: [makeRoute("messages"), makeRoute("chat", { priority: 1 })] };

const plan = (rig: GenerationRig, body = BODY) => rig.plan(callOf("chat"), body);
const nodesOf = ({ planned }: ReturnType<typeof plan>) => planned.map(({ candidate }) => candidate.node.id);

/** Takes a node out for a while. */
function takeOut(rig: GenerationRig, nodeId: string): void {
  const attempt = rig.health.begin(
    { nodeId, upstreamModel: "upstream", maxConcurrency: null },
    "normal",
    false,
  );
  if (typeof attempt === "string") throw new Error(`the node is out: ${attempt}`);
  attempt.end({ kind: "limited", status: 429, retryAfterMs: 30_000 });
}

/** Source: docs/contract.md#b4. */
describe("several choices", () => {
  test.each(["standard", "strict"] as const)(
    "are asked of nodes that give them, and of no others (%s)",
    (mode) => {
      const rig = new GenerationRig(["messages", "chat"], MESSAGES_FIRST, mode);
      expect(nodesOf(plan(rig))).toEqual(["chat"]);
      expect(nodesOf(plan(rig, { ...BODY, n: 1 }))).toEqual(["messages", "chat"]);
      expect(() => plan(new GenerationRig(["messages"], {}, mode))).toThrow("n must be 1");
    },
  );

  test("are asked first of nodes that give them when lenient; the others come after them and give one", () => {
    const rig = new GenerationRig(["messages", "chat"], MESSAGES_FIRST, "lenient");
    const all = plan(rig);
    expect(nodesOf(all)).toEqual(["chat", "messages"]);
    expect(all.planned.map(({ prepared }) => [prepared.choices, prepared.losses])).toEqual([
      [3, []],
      [1, ["dropped:n"]],
    ]);
    expect(maxOutputTokens(all)).toBe(150);
    expect(nodesOf(withoutDrops(all))).toEqual(["chat"]);
    const only = plan(new GenerationRig(["messages"], {}, "lenient"));
    expect(maxOutputTokens(only)).toBe(50);
    expect(() => withoutDrops(only)).toThrow("no equivalent for: n");
  });

  test("wait for the node that gives them: while it is out nobody is told that the request is wrong", () => {
    const rig = new GenerationRig(["messages", "chat"], MESSAGES_FIRST);
    takeOut(rig, "chat");
    expect(plan(rig)).toMatchObject({ planned: [], skipped: [{ node: { id: "chat" } }] });
    takeOut(rig, "messages");
    expect(plan(rig).planned).toEqual([]);
    const alone = new GenerationRig(["messages"]);
    takeOut(alone, "messages");
    expect(() => plan(alone)).toThrow("n must be 1");
  });

  test("are all paid for, by their texts, when the client leaves and the node tells nothing", async () => {
    const rig = new GenerationRig(["chat"]);
    const generation = await rig.begin("chat", { n: 3 });
    generation.node.open();
    for (let index = 0; index < 3; index += 1) {
      const choices = [
        { index, delta: { role: "assistant", content: "word ".repeat(80) }, finish_reason: null },
      ];
      generation.node.send(chatSse([{ ...usageChunk({}), usage: null, choices }], false));
    }
    generation.leave();
    generation.node.end();
    await generation.over;
    expect(rig.settlements).toMatchObject([{ status: "cancelled", usage: { output: 300 } }]);
  });
});
