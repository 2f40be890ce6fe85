import { expect, test } from "vitest";
import { emptyRoute, type RouteDraft, routesBody, shareOf } from "@/components/admin/models/route-draft";

const route = (node: string, priority: string, weight: string): RouteDraft => ({
  node,
  model: "m",
  priority,
  weight,
});

test("the share is the weight among routes of the same priority", () => {
  const routes = [route("a", "0", "100"), route("b", "0", "300"), route("c", "1", "5")];
  expect(routes.map((one) => shareOf(one, routes))).toEqual([0.25, 0.75, 1]);
  expect(shareOf(route("x", "0", "many"), routes)).toBeNull();
});

test("a new route goes on where the last one stands", () => {
  expect(emptyRoute([route("a", "3", "7")])).toEqual({ node: "", model: "m", priority: "3", weight: "100" });
});

test("numbers are sent as numbers; an empty one is not the default of the API", () => {
  expect(routesBody([route("a", "2", "")])).toEqual([{ node: "a", model: "m", priority: 2, weight: "" }]);
});
