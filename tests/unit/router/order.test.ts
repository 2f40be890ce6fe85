import { describe, expect, it } from "vitest";
import type { RoutedNode } from "@/lib/router/catalog";
import { Health } from "@/lib/router/health";
import { AVAILABLE, type Availability } from "@/lib/router/node-health";
import { headersWithinMs, type NodeOrder, orderNodes, targetOf } from "@/lib/router/order";
import { makeRouted } from "./factories";

type Views = Record<string, Partial<Availability>>;

function order(routes: RoutedNode[], views: Views = {}, options: { random?: number; prefer?: string } = {}) {
  return orderNodes({
    routes,
    availability: ({ nodeId }) => ({ ...AVAILABLE, ...views[nodeId] }),
    random: () => options.random ?? 0,
    preferredNodeId: options.prefer ?? null,
  });
}

const names = (result: NodeOrder) => result.candidates.map(({ node }) => node.id);
const three = [makeRouted("a"), makeRouted("b"), makeRouted("c")];
const ejected = (
  returnsInMs: number,
  cause: "consecutive" | "rate" | "models" = "consecutive",
  probeDue = false,
) => ({ state: "ejected", cause, returnsInMs, probeDue }) as const;

describe("order of nodes", () => {
  it("does not lead with the conversation's node while its circuit is on trial", () => {
    const half = { b: { state: "half-open" } } as const;
    expect(names(order(three, {}, { prefer: "b" }))[0]).toBe("b");
    expect(names(order(three, half, { prefer: "b" }))[0]).toBe("a");
  });

  it("leaves every attempt a second for its headers, and all of them together a minute", () => {
    expect([0, 45_000, 59_500, 200_000].map(headersWithinMs)).toEqual([60_000, 15_000, 1_000, 1_000]);
  });

  it("tries lower priority numbers first", () => {
    const routes = [
      makeRouted("late", { priority: 2 }),
      makeRouted("first"),
      makeRouted("second", { priority: 1 }),
    ];
    expect(names(order(routes))).toEqual(["first", "second", "late"]);
  });

  it("draws by weight inside one priority", () => {
    const routes = [makeRouted("small", { weight: 10 }), makeRouted("large", { weight: 90 })];
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    let large = 0;
    for (let i = 0; i < 5_000; i++) {
      const result = orderNodes({ routes, availability: () => AVAILABLE, random, preferredNodeId: null });
      if (names(result)[0] === "large") large += 1;
    }
    expect(large / 5_000).toBeGreaterThan(0.88);
    expect(large / 5_000).toBeLessThan(0.92);
  });

  it("keeps a node of weight 0 for when the others have failed", () => {
    const routes = [makeRouted("drained", { weight: 0 }), makeRouted("a"), makeRouted("b")];
    for (const random of [0, 0.3, 0.7, 0.999])
      expect(names(order(routes, {}, { random })).at(-1)).toBe("drained");
  });

  it("puts the conversation's node first and keeps the others behind it", () => {
    const result = order(three, {}, { prefer: "c" });
    expect(names(result)).toEqual(["c", "a", "b"]);
    expect(result.candidates[0]?.reason).toContain("conversation");
  });

  it("does not let a conversation jump over a better priority, or to a node that is out", () => {
    const routes = [makeRouted("a"), makeRouted("fallback", { priority: 1 })];
    expect(names(order(routes, {}, { prefer: "fallback" }))).toEqual(["a", "fallback"]);
    expect(names(order(three, { c: ejected(9_000) }, { prefer: "c" }))).toEqual(["a", "b"]);
  });

  it("says why each node is skipped and when it returns", () => {
    const routes = [...three, makeRouted("d"), makeRouted("off", {}, { enabled: false }), makeRouted("e")];
    const { candidates, skipped } = order(routes, {
      a: ejected(12_000),
      b: { state: "cooling", cause: "credential", returnsInMs: 200_000 },
      c: { state: "busy", returnsInMs: 1_000 },
      d: { state: "trial", cause: "rate", returnsInMs: 1_000 },
    });
    expect(candidates.map(({ node }) => node.id)).toEqual(["e"]);
    expect(
      Object.fromEntries(skipped.map(({ node, why, returnsInMs }) => [node.id, [why, returnsInMs]])),
    ).toEqual({
      a: ["consecutive", 12_000],
      b: ["credential", 200_000],
      c: ["busy", 1_000],
      d: ["trial", 1_000],
      off: ["disabled", null],
    });
  });

  it("never tries one node twice", () => {
    const routes = [
      makeRouted("a"),
      makeRouted("a", { upstreamModel: "other", priority: 1 }),
      makeRouted("b"),
    ];
    const result = order(routes);
    expect(names(result)).toEqual(["a", "b"]);
    expect(result.skipped).toMatchObject([{ why: "same-node" }]);
  });

  it("lets at most half of the nodes be out by failure rate, and any number by failures in a row", () => {
    const all = { a: ejected(9_000, "rate"), b: ejected(5_000, "rate"), c: ejected(7_000, "rate") };
    const result = order(three, all);
    expect(names(result)).toEqual(["b", "c"]);
    expect(result.candidates[0]).toMatchObject({ mode: "spared" });
    expect(names(order([makeRouted("a")], all))).toEqual(["a"]);
    expect(names(order(three, { a: ejected(1), b: ejected(2), c: ejected(3) }))).toEqual([]);
  });

  it("probes only the nearest to return when every node is ejected", () => {
    const due = {
      a: ejected(9_000, "consecutive", true),
      b: ejected(5_000, "consecutive", true),
      c: ejected(7_000),
    };
    const result = order(three, due);
    expect(result.candidates).toMatchObject([{ node: { id: "b" }, mode: "probe" }]);
    expect(names(order(three, { ...due, b: ejected(5_000) }))).toEqual([]);
  });

  it("uses a node that is only suspected because of its other models when there is nothing else", () => {
    const views = { a: ejected(9_000, "models"), b: ejected(5_000), c: ejected(7_000) };
    expect(order(three, views).candidates).toMatchObject([{ node: { id: "a" }, mode: "spared" }]);
  });

  it.each([
    [200, 1],
    [1_001, 2],
    [12_000, 12],
    [200_000, 30],
  ])("tells callers to come back when the nearest node does: %d ms is %d s", (returnsInMs, seconds) => {
    const cooling = { state: "cooling", cause: "credential", returnsInMs: 300_000 } as const;
    expect(order(three, { a: ejected(returnsInMs), b: cooling, c: cooling }).retryAfterSeconds).toBe(seconds);
  });

  it("tells callers one second when nothing says when it returns", () => {
    expect(order([makeRouted("off", {}, { enabled: false })]).retryAfterSeconds).toBe(1);
  });
});

describe("order and health together", () => {
  const setUp = (routes: RoutedNode[]) => {
    const clock = { now: 0 };
    const health = new Health({ now: () => clock.now, random: () => 0.5 });
    /** One request with failover; `works` says which nodes answer. Returns who was called. */
    const request = (works: (nodeId: string) => boolean): string[] => {
      const called: string[] = [];
      const result = orderNodes({
        routes,
        availability: (target) => health.availability(target),
        random: () => 0,
        preferredNodeId: null,
      });
      for (const { route, node, mode } of result.candidates) {
        const attempt = health.begin(targetOf(route, node), mode, called.length > 0);
        if (typeof attempt === "string") continue;
        called.push(node.id);
        attempt.end({ kind: works(node.id) ? "ok" : "server" });
        if (works(node.id)) break;
      }
      return called;
    };
    return { clock, health, request };
  };

  it("fails over from a broken node, stops calling it after five failures, and comes back to it", () => {
    const { clock, request } = setUp([makeRouted("a"), makeRouted("b", { priority: 1 })]);
    const bBroken = (nodeId: string) => nodeId === "b";
    for (let i = 0; i < 5; i++) expect(request(bBroken)).toEqual(["a", "b"]);
    for (; clock.now < 30_000; clock.now += 1_000) expect(request(bBroken)).toEqual(["b"]);
    for (let i = 0; i < 3; i++) expect(request(() => true)).toEqual(["a"]);
    expect(request(() => true)).toEqual(["a"]);
  });

  it("calls a dead upstream five times per node and then once a second, and sees its recovery within two seconds", () => {
    const { clock, request } = setUp([makeRouted("a"), makeRouted("b")]);
    let calls = 0;
    const dead = () => false;
    for (; clock.now < 10_000; clock.now += 1) calls += request(dead).length;
    expect(calls).toBeLessThanOrEqual(10 + 10);
    expect(calls).toBeGreaterThanOrEqual(10 + 9);
    const healedAt = clock.now;
    while (request(() => true).length === 0 && clock.now < healedAt + 10_000) clock.now += 10;
    expect(clock.now - healedAt).toBeLessThanOrEqual(2_000);
    for (let i = 0; i < 3; i++) request(() => true);
    expect(request(() => true)).toHaveLength(1);
  });

  it("keeps serving from a single node that fails half of the time", () => {
    const { clock, request } = setUp([makeRouted("only")]);
    let served = 0;
    for (let i = 0; i < 1_000; i++) {
      clock.now += 50;
      if (request(() => i % 2 === 0).length === 1) served += 1;
    }
    expect(served).toBe(1_000);
  });
});
