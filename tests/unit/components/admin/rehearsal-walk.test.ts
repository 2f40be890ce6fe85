import { expect, test } from "vitest";
import { assumptionsOf, type Supposition, walk } from "@/components/admin/rehearsal/walk";

const order = ["a", "b", "c"].map((node, index) => ({
  n: index + 1,
  node,
  nodeId: node,
  protocol: "chat" as const,
  upstreamModel: "m",
  priority: index,
  weight: 100,
  mode: "normal" as const,
  reason: "",
}));

function run(supposed: Record<string, Supposition>, retryAfterSeconds: number | null = null) {
  return walk(order, supposed, () => 30_000, retryAfterSeconds);
}

test("the first node answers at once when nothing is wrong, the others are not needed", () => {
  const { steps, answer } = run({});
  expect(steps.map((step) => step.outcome)).toEqual(["answers", "unused", "unused"]);
  expect(answer).toEqual({ status: 200, node: "a", afterMs: 0 });
});

test("a slow node costs its time limit before the next one is called", () => {
  const { steps, answer } = run({ a: "slow" });
  expect(steps.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 30_000],
    [30_000, 30_000],
    [30_000, 30_000],
  ]);
  expect(answer).toEqual({ status: 200, node: "b", afterMs: 30_000 });
});

test("when every call fails to connect it is a 503, when one was too late a 502", () => {
  expect(run({ a: "failing", b: "failing", c: "failing" }).answer).toEqual({
    status: 503,
    afterMs: 0,
    retryAfterSeconds: null,
  });
  expect(run({ a: "failing", b: "slow", c: "failing" }).answer).toEqual({ status: 502, afterMs: 30_000 });
});

test("with no node in the order it is a 503 with the router's Retry-After", () => {
  expect(walk([], {}, () => 1, 30).answer).toEqual({ status: 503, afterMs: 0, retryAfterSeconds: 30 });
});

test("the router is asked about states it knows; failures it cannot know yet look healthy", () => {
  expect(assumptionsOf({ a: "now", b: "slow", c: "failing", d: "cooling" })).toEqual({
    b: "healthy",
    c: "healthy",
    d: "cooling",
  });
});
