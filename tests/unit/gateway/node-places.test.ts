import { beforeEach, expect, test } from "vitest";
import { attemptNodes } from "@/lib/gateway/attempt";
import { callOf, GenerationRig, settled } from "./generation-rig";

let rig: GenerationRig;
beforeEach(() => {
  rig = new GenerationRig(["chat"]);
});
test.each([
  ["before the node has answered", false],
  ["when the node has said 200 and nothing else", true],
])(
  "a client that leaves %s gives the node's place back, and nothing is held against the node",
  async (_, opened) => {
    for (let times = 0; times < 10; times += 1) {
      const generation = await rig.begin("chat");
      if (opened) generation.node.open();
      await settled();
      expect(rig.availability("chat").state).toBe("busy");
      generation.leave();
      await generation.over;
      expect(rig.availability("chat").state).toBe("ok");
    }
    expect(rig.settlements.map(({ status }) => status)).toEqual(Array(10).fill("cancelled"));
  },
);

test("an answer that ends before its first event gives the place back and counts against the node", async () => {
  for (let times = 0; times < 5; times += 1) {
    expect(rig.availability("chat").state).toBe("ok");
    const generation = await rig.begin("chat");
    generation.node.open();
    generation.node.end();
    await generation.over;
  }
  expect(rig.availability("chat")).toMatchObject({ state: "ejected", cause: "consecutive" });
});

test("a malfunction of ours gives the node's place back, and nothing is held against the node", async () => {
  const call = callOf("chat");
  const body = { model: "alias", messages: [{ role: "user", content: "Hello" }] };
  const broken = () => {
    throw new TypeError("broken");
  };
  for (let times = 0; times < 10; times += 1) {
    const plan = rig.plan(call, body);
    for (const attempt of plan.planned) attempt.bytes = broken;
    await expect(attemptNodes(rig.context(call), plan, null)).rejects.toThrow("broken");
    expect(rig.availability("chat").state).toBe("ok");
  }
});
