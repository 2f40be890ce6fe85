import { expect, test } from "vitest";
import { MemoryLimiter } from "@/lib/admission/memory";
import { attemptOf, timelineOf } from "@/lib/reports/logs";
import { Health } from "@/lib/router/health";
import { nodeReport } from "@/lib/router/health-report";
import { orderNodes, targetOf } from "@/lib/router/order";
import { makeRouted } from "../router/factories";

/** Every duration inside a JSON value, by its path. */
function durations(value: unknown, path = ""): [path: string, ms: unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]): [string, unknown][] =>
    name.endsWith("Ms") && part !== null ? [[`${path}.${name}`, part]] : durations(part, `${path}.${name}`),
  );
}

function expectWhole(value: unknown, least: number): void {
  const found = durations(value);
  expect(found.length).toBeGreaterThanOrEqual(least);
  expect(found.filter(([, ms]) => !Number.isInteger(ms))).toEqual([]);
}

/** Source: docs/contract.md#s10. */
test("the resets of a key's limits are whole milliseconds, rounded up, by log and by buckets", async () => {
  for (const rpm of [20, 10_000]) {
    let nowMs = 1_000.4;
    const limiter = new MemoryLimiter(() => nowMs);
    const limits = { qps: 2, rpm, tpm: 40_000 };
    await limiter.admit({ keyId: "k", limits, tokens: 700 });
    nowMs += 100.3;
    const state = await limiter.peek("k", limits);
    expectWhole(state, 3);
    expect(state.qps.resetMs).toBe(900); // 899.7
  }
});

/** Source: docs/contract.md#s10. */
test("what is told of a node's health and of nodes that are skipped is whole milliseconds, waits rounded up", () => {
  let nowMs = 1_000.25;
  const health = new Health({ now: () => nowMs, random: () => 0.123, onEvent: () => {} });
  const routed = ["limited", "ejected", "refused"].map((id) => makeRouted(id));
  const kinds = { limited: "limited", ejected: "server", refused: "credential" } as const;
  for (const { route, node } of routed)
    for (let times = 0; times < 5; times += 1) {
      const attempt = health.begin(targetOf(route, node), "normal", false);
      if (typeof attempt === "string") continue;
      nowMs += 0.1;
      attempt.end({ kind: kinds[node.id as keyof typeof kinds], status: 500 });
    }
  nowMs += 0.3;
  for (const { node } of routed) {
    const report = nodeReport(health, node);
    expectWhole(report, 3);
    expect(report.returnsInMs).toBeGreaterThan(0);
  }
  const { skipped } = orderNodes({
    routes: routed,
    availability: (target) => health.availability(target),
    random: () => 0.5,
    preferredNodeId: null,
  });
  expect(skipped.length).toBeGreaterThan(0);
  expectWhole(
    skipped.map(({ returnsInMs }) => ({ returnsInMs })),
    1,
  );
});

/** Source: docs/contract.md#s10. */
test("the attempts and stages of a log entry are whole milliseconds, and each stage begins where the last one ended", () => {
  const attempt = {
    n: 1,
    nodeId: "n",
    nodeName: "node",
    protocol: "chat" as const,
    upstreamModel: "m",
    result: "ok",
    upstreamStatus: 200,
    startedMs: 3.21,
    headersMs: 10.49,
    firstEventMs: null,
    totalMs: 20.5,
    reason: "",
  };
  expect(attemptOf(attempt)).toMatchObject({ startedMs: 3, headersMs: 10, totalMs: 21 });
  expect(attemptOf(attempt)).toMatchObject({ firstEventMs: null });
  expect(timelineOf({ answer: 20.71, auth: 0.42, plan: 0.61, hold: 3.2 })).toEqual([
    { stage: "auth", startMs: 0, endMs: 0 },
    { stage: "plan", startMs: 0, endMs: 1 },
    { stage: "hold", startMs: 1, endMs: 3 },
    { stage: "answer", startMs: 3, endMs: 21 },
  ]);
});
