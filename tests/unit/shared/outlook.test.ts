import { expect, test } from "vitest";
import type { AdminModel, NodeView } from "@/components/api/admin/types";
import { outlooks, type Rehearsed } from "@/lib/shared/outlook";

const good = { status: 200, code: null, node: "b", afterMs: 0, retryAfterSeconds: null };
const bad = { ...good, status: 503, code: "NO_AVAILABLE_NODE", node: null };
const rehearsed = (
  model: string,
  now: string[],
  later: string[],
  fields: Partial<Rehearsed> = {},
): Rehearsed => {
  const shares = (nodes: string[]) => nodes.map((node) => ({ node, share: 1 / nodes.length }));
  const answer = later.length === 0 ? bad : good;
  const end = { answer, nodes: later.length, shares: shares(later) };
  return { model, affected: true, now: shares(now), first: answer, later: end, ...fields };
};
const route = (node: string, cost: number | null) => ({
  node,
  cost: cost === null ? null : { input: cost, output: cost * 3 },
});
const known = (
  routes: Record<string, ReturnType<typeof route>[]>,
  limits: Record<string, number | null>,
) => ({
  models: Object.entries(routes).map(([alias, of]) => ({ alias, routes: of }) as unknown as AdminModel),
  nodes: Object.entries(limits).map(
    ([name, maxConcurrency]) => ({ name, enabled: true, maxConcurrency }) as unknown as NodeView,
  ),
});

test("what becomes of a model is told from the gravest on, and one without service before is not blamed on the node", () => {
  const all = [
    rehearsed("stays", ["b"], ["b"], { affected: false }),
    rehearsed("spare", ["b"], ["b", "c"]),
    rehearsed("moves", ["a"], ["b", "c"]),
    rehearsed("alone", ["a"], ["b"]),
    rehearsed("already", [], [], { affected: false }),
    rehearsed("stops", ["a"], []),
  ];
  const told = outlooks(all, ["a"], known({}, {}));
  expect(told.map(({ model, fate }) => [model.model, fate])).toEqual(
    ["stops", "already", "alone", "moves", "spare", "stays"].map((fate) => [fate, fate]),
  );
});

test("the cost and the requests at once of the nodes that are left are compared with those before", () => {
  const routes = { m: [route("a", 100), route("b", 150)], n: [route("a", 100), route("c", null)] };
  const all = [rehearsed("m", ["a"], ["b"]), rehearsed("n", ["a"], ["c"])];
  expect(outlooks(all, ["a"], known(routes, { a: 30, b: 10, c: null }))).toMatchObject([
    { extraCost: 0.5, lostCapacity: 0.75 },
    { extraCost: null, lostCapacity: null },
  ]);
});

test("nodes that fail together lose their requests at once together, and of one fate the most used model comes first", () => {
  const routes = { m: [route("a", null), route("b", null), route("c", null)] };
  const all = [rehearsed("l", ["a"], ["c"]), rehearsed("m", ["a", "b"], ["c"])];
  const traffic = [{ model: "m", requestCount: 7, cost: "12.5" }];
  const told = outlooks(all, ["a", "b"], { ...known(routes, { a: 30, b: 10, c: 40 }), traffic });
  expect(told).toMatchObject([
    { model: { model: "m" }, lostCapacity: 0.5, traffic: traffic[0] },
    { model: { model: "l" }, traffic: { requestCount: 0, cost: "0" } },
  ]);
  expect(outlooks(all, ["a"], known(routes, {}))).toMatchObject([{ traffic: null }, { traffic: null }]);
});
