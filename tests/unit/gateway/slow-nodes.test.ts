import { beforeEach, describe, expect, test } from "vitest";
import { payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { chatSse, delta, finish, usageChunk } from "@/tests/unit/protocols/pipeline";
import { GenerationRig, settled } from "./generation-rig";

const SECOND_MS = 1_000;
const USAGE = { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 };

let rig: GenerationRig;
beforeEach(() => {
  rig = new GenerationRig(["chat"]);
});

/** Source: docs/reliability.md#s2-9, #s2-10. */
describe("a node that says 200 and then nothing", () => {
  test("does not keep its client waiting for a sign beyond 15 s, and may still answer", async () => {
    const generation = await rig.begin("chat");
    generation.node.open();
    await settled();
    await rig.skip(14 * SECOND_MS);
    expect(generation.wire).toBe("");
    await rig.skip(2 * SECOND_MS);
    expect(generation.wire).toBe(": ping\n\n");
    generation.node.send(
      chatSse([delta({ role: "assistant", content: "Hi" }), finish("stop"), usageChunk(USAGE)]),
    );
    generation.node.end();
    await generation.over;
    expect(generation.wire).toMatch(/"Hi".*\[DONE\]\n\n$/s);
    expect(rig.settlements).toMatchObject([{ status: "success", costMicroCents: 4_600n }]);
  });

  test("is given up after 300 s without an event; nothing is billed, and nothing is held", async () => {
    const generation = await rig.begin("chat");
    generation.node.open();
    await settled();
    await rig.skip(290 * SECOND_MS);
    expect(generation.node.gone).toBe(false);
    await rig.skip(11 * SECOND_MS);
    await generation.over;
    expect(generation.node.gone).toBe(true);
    expect(generation.wire).toContain('"UPSTREAM_ERROR"');
    expect(rig.settlements).toMatchObject([{ status: "error", costMicroCents: 0n }]);
  });
});

test("R-18: a Responses client that only saw signs of life gets a failed response from its beginning", async () => {
  const generation = await rig.begin("responses", { input: "Hi" });
  generation.node.open();
  await settled();
  await rig.skip(301 * SECOND_MS);
  await generation.over;
  expect(generation.wire).toMatch(/^: ping\n\n/);
  expect(streamProblems("responses", generation.wire)).toEqual([]);
  expect(payloadsOf(generation.wire).map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.failed",
  ]);
  expect(generation.wire).toContain('"error":{"code":"server_error"');
  expect(rig.settlements).toMatchObject([{ status: "error", costMicroCents: 0n }]);
});

test("an answer that goes on beyond its total time breaks, and costs nothing", async () => {
  const generation = await rig.begin("chat");
  generation.node.open();
  generation.node.send(chatSse([delta({ role: "assistant", content: "Hi" })], false));
  for (let elapsed = 0; elapsed < 4; elapsed += 1) {
    await rig.skip(200 * SECOND_MS);
    generation.node.send(chatSse([delta({ content: " again" })], false));
    await settled();
  }
  expect(generation.node.gone).toBe(false);
  await rig.skip(101 * SECOND_MS);
  await generation.over;
  expect(generation.node.gone).toBe(true);
  expect(generation.wire).not.toContain("[DONE]");
  expect(rig.settlements).toMatchObject([{ status: "interrupted", costMicroCents: 0n }]);
});

test("a connection that lingers after the finish is closed, and the answer is complete", async () => {
  const generation = await rig.begin("chat");
  generation.node.open();
  generation.node.send(
    chatSse([delta({ role: "assistant", content: "Hi" }), finish("stop"), usageChunk(USAGE)], false),
  );
  await settled();
  expect(rig.settlements).toEqual([]);
  await rig.skip(3 * SECOND_MS);
  await generation.over;
  expect(generation.node.gone).toBe(true);
  expect(generation.wire).toMatch(/\[DONE\]\n\n$/);
  expect(rig.settlements).toMatchObject([{ status: "success", costMicroCents: 4_600n }]);
});

test("a node whose client is slow is not closed before it has told its usage", async () => {
  const generation = await rig.begin("chat");
  generation.node.open();
  generation.node.send(chatSse([delta({ role: "assistant", content: "Hi" })], false));
  await settled();
  let read = () => {};
  generation.waits = new Promise((resolve) => {
    read = resolve;
  });
  generation.node.send(chatSse([delta({ content: " you" }), finish("stop")], false));
  await rig.skip(3 * SECOND_MS);
  await rig.skip(3 * SECOND_MS);
  expect(generation.node.gone).toBe(false);
  generation.waits = null;
  read();
  generation.node.send(chatSse([usageChunk(USAGE)]));
  generation.node.end();
  await generation.over;
  expect(rig.settlements).toMatchObject([
    { status: "success", usageSource: "upstream", costMicroCents: 4_600n },
  ]);
});

/** Source: docs/reliability.md#s2-10. */
describe("a client that takes a little from time to time, until the answer's time is over", () => {
  /** Lets the client take something so often, with so long a wait before each. */
  async function takeSlowly(times: number, waitMs: number) {
    await rig.skip(100 * SECOND_MS); // the process has run for a while
    const generation = await rig.begin("chat");
    generation.node.open();
    generation.node.send(chatSse([delta({ role: "assistant", content: "Hi" })], false));
    await settled();
    let take = () => {};
    for (let taken = 0; taken < times && !generation.node.gone; taken += 1) {
      generation.waits = new Promise((resolve) => {
        take = resolve;
      });
      generation.node.send(chatSse([delta({ content: " again and again" })], false));
      await rig.skip(waitMs);
      take();
      await settled();
    }
    return { generation, take };
  }

  test("pays for what came, and its node is not blamed", async () => {
    const { generation, take } = await takeSlowly(20, 50 * SECOND_MS);
    expect(generation.node.gone).toBe(true);
    take();
    await generation.over;
    expect(rig.settlements).toMatchObject([{ status: "cancelled", httpStatus: 499 }]);
    expect(rig.settlements[0]?.costMicroCents).toBeGreaterThan(0n);
  });

  test("pays nothing when the node breaks after a short wait", async () => {
    const { generation, take } = await takeSlowly(2, 5 * SECOND_MS);
    generation.node.reset();
    take();
    await generation.over;
    expect(rig.settlements).toMatchObject([{ status: "interrupted", costMicroCents: 0n }]);
  });

  test("is settled at the end of a shutdown although it takes nothing more", async () => {
    const generation = await rig.begin("chat");
    generation.node.open();
    generation.node.send(chatSse([delta({ role: "assistant", content: "Hi" })], false));
    await settled();
    generation.waits = new Promise(() => {});
    generation.node.send(chatSse([delta({ content: " you" })], false));
    await settled();
    rig.drain.abort();
    await settled();
    expect(rig.settlements).toMatchObject([{ status: "interrupted", costMicroCents: 0n }]);
  });
});
