import { expect, test } from "vitest";
import { emptyRoute, moved, type RouteDraft, shareOf } from "@/components/admin/models/route-draft";

const route = (key: string, priority: string, weight: string): RouteDraft => ({
  key,
  node: key,
  model: "m",
  priority,
  weight,
});

test("a route that moves takes over the priority of its new place", () => {
  const routes = [route("a", "0", "100"), route("b", "1", "100")];
  expect(moved(routes, 0, 1).map(({ node, priority }) => [node, priority])).toEqual([
    ["b", "0"],
    ["a", "1"],
  ]);
  expect(moved(routes, 0, -1)).toEqual(routes);
});

test("the share is the weight among routes of the same priority", () => {
  const routes = [route("a", "0", "100"), route("b", "0", "300"), route("c", "1", "5")];
  expect(routes.map((one) => shareOf(one, routes))).toEqual([0.25, 0.75, 1]);
  expect(shareOf(route("x", "0", "many"), routes)).toBeNull();
});

test("added routes have keys of their own", () => {
  const first = emptyRoute([]);
  expect(emptyRoute([first]).key).not.toBe(first.key);
});
