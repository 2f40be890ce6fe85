import { expect, test } from "vitest";
import { priceDraftOf } from "@/lib/shared/prices/price-units";
import {
  emptyRoute,
  prioritiesAfterMove,
  type RouteDraft,
  routesBody,
  shareOf,
} from "@/lib/shared/prices/route-draft";

const route = (node: string, priority: string, weight: string): RouteDraft => ({
  node,
  model: "m",
  priority,
  weight,
  cost: priceDraftOf(null),
});

test("the share is the weight among routes of the same priority", () => {
  const routes = [route("a", "0", "100"), route("b", "0", "300"), route("c", "1", "5")];
  expect(routes.map((one) => shareOf(one, routes))).toEqual([0.25, 0.75, 1]);
  expect(shareOf(route("x", "0", "many"), routes)).toBeNull();
});

test("a route that moves comes before the other, also where both had the same priority", () => {
  const after = (priorities: string[], index: number, other: number) =>
    prioritiesAfterMove(
      priorities.map((priority) => route("n", priority, "100")),
      index,
      other,
    );
  expect(after(["0", "1"], 1, 0)).toEqual(["0", "1"]);
  expect(after(["0", "0"], 1, 0)).toEqual(["0", "1"]);
  expect(after(["0", "0"], 0, 1)).toEqual(["0", "1"]);
  expect(after(["0", "0", "0"], 2, 1)).toEqual(["0", "0", "1"]);
  expect(after(["0", "0", "1", "5"], 1, 0)).toEqual(["0", "1", "2", "6"]);
  expect(after(["x", "x"], 1, 0)).toEqual(["x", "x"]);
});

test("a new route goes on where the last one stands", () => {
  expect(emptyRoute([route("a", "3", "7")])).toEqual({
    ...route("", "3", "100"),
    model: "m",
  });
});

test("numbers are sent as numbers; an empty one is not the default of the API", () => {
  expect(routesBody([route("a", "2", "")], "generation")).toEqual([
    { node: "a", model: "m", priority: 2, weight: "", cost: null },
  ]);
});

test("the cost of a route is sent in cents, stays when it is not touched, and is none when it is emptied", () => {
  const perCall = { webSearch: 1_000_000, fileSearch: null, codeInterpreter: null, imageGeneration: null };
  const stored = { input: 31.415, output: 92, perCall };
  const cost = priceDraftOf(stored);
  expect(cost).toMatchObject({ input: "0.31415", output: "0.92", cacheRead: "" });
  expect(routesBody([{ ...route("a", "0", "1"), cost }], "generation")).toMatchObject([{ cost: stored }]);
  const emptied = { ...cost, input: " ", output: "", perCall: priceDraftOf(null).perCall };
  expect(routesBody([{ ...route("a", "0", "1"), cost: emptied }], "generation")).toMatchObject([
    { cost: null },
  ]);
});
