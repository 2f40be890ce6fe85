import { expect, test } from "vitest";
import { hasParts } from "@/components/api/persisted-draft";
import { priceDraftOf } from "@/lib/shared/prices/price-units";
import { emptyRoute, routesBody } from "@/lib/shared/prices/route-draft";

const route = emptyRoute([]);

test("a kept draft of today is taken back, also with more or fewer entries of a list", () => {
  expect(hasParts([route, route], [route])).toBe(true);
  expect(hasParts([], [route])).toBe(true);
  expect(hasParts(["a"], [])).toBe(true);
  expect(hasParts("typed", "")).toBe(true);
  expect(hasParts(null, ["a"])).toBe(true);
  expect(routesBody([route], "generation")[0]?.cost).toBeNull();
});

test("a draft that an older release kept with fewer parts is not taken back", () => {
  const { cost: _later, ...older } = route;
  expect(hasParts([route, older], [route])).toBe(false);
  expect(hasParts([{ ...older, cost: { ...priceDraftOf(null), perCall: undefined } }], [route])).toBe(false);
  expect(hasParts("text", [route])).toBe(false);
  expect(hasParts(null, { input: "" })).toBe(false);
});
