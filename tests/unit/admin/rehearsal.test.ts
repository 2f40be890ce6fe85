import { describe, expect, test } from "vitest";
import { rehearse, rehearseModels } from "@/lib/admin/rehearsal";
import type { AssumedState } from "@/lib/admin/simulated-nodes";
import { buildSnapshot, type CatalogNode, DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import { AVAILABLE } from "@/lib/router/node-health";
import { priceOf } from "@/tests/support/prices";

const node = (name: string): CatalogNode => ({
  id: `id-${name}`,
  name,
  protocol: "chat",
  baseUrl: "https://x.example",
  credential: null,
  credentialKeyId: null,
  credentialKind: "key",
  headers: {},
  enabled: true,
  proxy: null,
  ca: null,
  maxConcurrency: null,
  timeouts: DEFAULT_TIMEOUTS,
  provider: null,
  simulated: false,
  managedByFile: false,
});
const route = (name: string, priority: number, weight: number) => ({
  id: `route-${name}`,
  nodeId: `id-${name}`,
  upstreamModel: "up",
  priority,
  weight,
  cost: null,
});
const model = (alias: string, routes: ReturnType<typeof route>[]) => ({
  id: alias,
  alias,
  kind: "generation" as const,
  alsoKnownAs: [],
  displayName: "",
  contextWindow: null,
  maxOutputTokens: null,
  defaultMaxTokens: 4096,
  profile: {},
  enabled: true,
  price: priceOf({ input: 0, output: 0 }),
  routes,
  createdAt: new Date(0),
});
const snapshotOf = (models: ReturnType<typeof model>[]) =>
  buildSnapshot({
    version: "1",
    nodes: [node("a"), node("b"), node("c")],
    plans: [],
    nextPriceAt: null,
    models,
  });
const snapshot = snapshotOf([model("main", [route("a", 0, 75), route("b", 0, 25), route("c", 1, 100)])]);
let state = 1;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const stage = { snapshot, availability: () => AVAILABLE, random };
const run = (assume: Record<string, AssumedState>, model = "main") => rehearse(stage, { model, assume });

describe("a rehearsal", () => {
  test("shares first calls by weight and keeps the next priority for failover", () => {
    const { shares, order } = run({});
    const share = (name: string) => shares.find((entry) => entry.node === name)?.share ?? 0;
    expect(share("a")).toBeGreaterThan(0.65);
    expect(share("b")).toBeGreaterThan(0.15);
    expect(share("c")).toBe(0);
    expect(order.at(-1)?.node).toBe("c");
  });

  test("moves on when nodes are assumed to be out", () => {
    const { order, skipped, shares } = run({ a: "cooling", b: "ejected" });
    expect(order[0]?.node).toBe("c");
    expect(skipped.map((entry) => entry.node).sort()).toEqual(["a", "b"]);
    expect(shares).toEqual([{ node: "c", share: 1 }]);
  });

  test("says what callers get when nothing is left", () => {
    const outcome = run({ a: "cooling", b: "cooling", c: "busy" });
    const answer = { status: 503, code: "NO_AVAILABLE_NODE", node: null, afterMs: 0 };
    expect(outcome).toMatchObject({ answer, order: [], shares: [], learnt: [] });
    expect(outcome.answer.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  test("answers at once from the first node when nothing is wrong", () => {
    const { order, answer } = run({});
    expect(order.map((step) => step.result)).toEqual(["answers", "unused", "unused"]);
    expect(answer).toMatchObject({ status: 200, node: order[0]?.node, afterMs: 0, retryAfterSeconds: null });
  });

  test("a refused connection costs the pause before the next call, a silent node its time limit too", () => {
    const { order, answer } = run({ a: "down", b: "slow" });
    const [first, second, third] = [...order].sort((one, other) => one.startMs - other.startMs);
    expect(third).toMatchObject({ node: "c", result: "answers" });
    expect(answer).toMatchObject({ status: 200, node: "c", afterMs: third?.startMs });
    for (const step of [first, second]) {
      const costMs = step?.failure === "timeout" ? 30_000 : 0;
      expect(step?.endMs).toBe((step?.startMs ?? 0) + costMs);
    }
    expect(answer.afterMs).toBeGreaterThan(30_000);
    expect(answer.afterMs).toBeLessThan(31_000);
  });

  test("no call waits beyond the minute that all attempts have for response headers", () => {
    const { order, answer } = run({ a: "slow", b: "slow", c: "slow" });
    const waits = order.map((step) => step.endMs - step.startMs);
    expect(waits[0]).toBe(30_000);
    expect(waits[1]).toBeLessThan(30_000);
    expect(waits[2]).toBe(1_000);
    expect(answer).toMatchObject({ status: 502, code: "UPSTREAM_ERROR", retryAfterSeconds: null });
  });

  test("the final answer is the gateway's own: unreachable and limited nodes are a 503, wrong answers a 502", () => {
    const codes = (state: AssumedState) => run({ a: state, b: state, c: state }).answer.status;
    expect(codes("down")).toBe(503);
    expect(codes("limited")).toBe(503);
    expect(codes("failing")).toBe(502);
    expect(codes("refused")).toBe(502);
    expect(run({ a: "down", b: "failing", c: "down" }).answer.status).toBe(502);
  });

  test("says after how many requests the router avoids a faulty node, and for how long", () => {
    expect(run({ c: "down" }).learnt).toEqual([]);
    const { learnt } = run({ a: "down", b: "limited" });
    const of = (node: string) => learnt.find((entry) => entry.node === node);
    expect(of("a")).toMatchObject({ state: "ejected", cause: "consecutive", forMs: 30_000 });
    expect(of("a")?.afterRequests).toBeGreaterThanOrEqual(5);
    expect(of("b")).toMatchObject({ state: "cooling", cause: "limited", forMs: 5_000 });
    expect(run({ a: "refused", b: "busy" }).learnt).toMatchObject([
      { node: "a", state: "cooling", cause: "credential", forMs: 30_000 },
    ]);
    expect(run({ a: "refused", b: "busy" }).learnt[0]?.afterRequests).toBeGreaterThanOrEqual(3);
  });

  test("refuses unknown models and nodes", () => {
    expect(() => run({}, "nope")).toThrow();
    expect(() => run({ nobody: "ejected" })).toThrow();
  });
});

describe("a rehearsal of every model", () => {
  const all = snapshotOf([
    model("alone", [route("a", 0, 1)]),
    model("backed", [route("a", 0, 1), route("c", 1, 1)]),
    model("last", [route("b", 0, 1), route("c", 0, 1), route("a", 1, 1)]),
    model("other", [route("b", 0, 1)]),
  ]);
  const runAll = async (assume: Record<string, AssumedState>) => {
    const { data } = await rehearseModels({ ...stage, snapshot: all }, assume);
    return Object.fromEntries(data.map(({ model: alias, ...fate }) => [alias, fate]));
  };

  test("says where each goes when a node fails: at first, and once the router knows", async () => {
    const fates = await runAll({ a: "down" });
    expect(Object.keys(fates)).toEqual(["alone", "backed", "last", "other"]);
    expect(fates.alone).toMatchObject({
      affected: true,
      now: [{ node: "a", share: 1 }],
      first: { status: 503, node: null },
      later: { answer: { status: 503 }, nodes: 0, shares: [] },
    });
    expect(fates.backed).toMatchObject({
      affected: true,
      now: [{ node: "a", share: 1 }],
      first: { status: 200, node: "c" },
      later: { answer: { status: 200, node: "c", afterMs: 0 }, nodes: 1, shares: [{ node: "c", share: 1 }] },
    });
    expect(fates.backed?.first.afterMs).toBeGreaterThan(0);
    expect(fates.last?.now.map(({ node: name }) => name).sort()).toEqual(["b", "c"]);
    expect(fates.last).toMatchObject({ affected: true, later: { answer: { status: 200 }, nodes: 2 } });
    expect(fates.other).toMatchObject({
      affected: false,
      first: { status: 200, node: "b", afterMs: 0 },
      later: { nodes: 1, shares: [{ node: "b", share: 1 }] },
    });
  });

  test.each([
    { state: "half-open", cause: "consecutive", returnsInMs: 0, probeDue: false },
    { state: "ejected", cause: "consecutive", returnsInMs: 10_000, probeDue: true },
  ] as const)("a node that is $state and only tried again is no spare node", async (broken) => {
    const availability = ({ nodeId }: { nodeId: string }) => (nodeId === "id-a" ? broken : AVAILABLE);
    const { data } = await rehearseModels({ ...stage, snapshot: all, availability }, { b: "down" });
    const [alone, backed, last, other] = data;
    expect(alone).toMatchObject({ now: [], later: { answer: { status: 503 }, nodes: 0, shares: [] } });
    const onlyC = { answer: { status: 200, node: "c" }, nodes: 1, shares: [{ node: "c", share: 1 }] };
    expect(backed).toMatchObject({ affected: false, now: onlyC.shares, first: onlyC.answer, later: onlyC });
    expect(last).toMatchObject({ affected: true, later: onlyC });
    expect(other).toMatchObject({ first: { status: 503 }, later: { answer: { status: 503 }, nodes: 0 } });
    const { data: both } = await rehearseModels({ ...stage, snapshot: all, availability }, { c: "down" });
    expect(both[1]).toMatchObject({
      affected: true,
      first: { status: 503, code: "NO_AVAILABLE_NODE" },
      later: { answer: { status: 503 }, nodes: 0, shares: [] },
    });
  });

  test("refuses a node that is not there", async () => {
    await expect(runAll({ nobody: "down" })).rejects.toThrow("is no enabled node");
  });
});
