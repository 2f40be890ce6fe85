import { describe, expect, test } from "vitest";
import { requestErrors, requestSchemas } from "@/components/forms/request-errors";
import { operations } from "@/lib/api/routes";
import { emptyWindow, tierDraftOf } from "@/lib/shared/prices/card-draft";
import { priceBody, priceDraftOf } from "@/lib/shared/prices/price-units";
import { routesBody } from "@/lib/shared/prices/route-draft";

const model = { alias: "a", routes: [], prices: { input: 1, output: 2 } };
const plan = { name: "Team", qps: 1, rpm: null, tpm: null, keyQuotaCents: 500, selfService: false };

test.each(Object.entries(requestSchemas))(
  "%s is checked with the schema of the operation itself",
  (name, schema) => {
    const operation = operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name);
    expect(operation !== undefined && "body" in operation && operation.body.schema === schema).toBe(true);
  },
);

describe("what the server would refuse", () => {
  test("is nothing in a body that it takes", () => {
    expect(requestErrors("POST /api/admin/models", model)).toEqual({});
    expect(requestErrors("POST /api/admin/plans", plan)).toEqual({});
  });

  test("is named by the path of the field, nested ones and those of lists too", () => {
    const cost = { ...priceDraftOf(null), input: "1" };
    const typed = { node: "", model: "m", priority: "first", weight: "1000001", cost };
    const routes = routesBody([typed], "generation");
    const prices = { ...model.prices, input: "much", perCall: { webSearch: -1 } };
    const errors = requestErrors("POST /api/admin/models", { ...model, routes, prices });
    expect(Object.keys(errors).sort()).toEqual([
      "prices.input",
      "prices.perCall.webSearch",
      "routes.0.cost.output",
      "routes.0.node",
      "routes.0.priority",
      "routes.0.weight",
    ]);
  });

  test("is named by the path of the field, of tiers, service tiers and windows of a cost too", () => {
    const empty = priceDraftOf(null);
    const flex = { ...empty.services.flex, by: "factor" as const, factor: "half" };
    const cost = {
      ...empty,
      input: "1",
      output: "1",
      services: { ...empty.services, flex },
      tiers: [tierDraftOf(null)],
      windows: [{ ...emptyWindow("UTC"), from: "8:00", to: "later", factor: "0.5" }],
    };
    const routes = routesBody([{ node: "n", model: "m", priority: "0", weight: "1", cost }], "generation");
    expect(Object.keys(requestErrors("POST /api/admin/models", { ...model, routes })).sort()).toEqual([
      "routes.0.cost.services.flex.factor",
      "routes.0.cost.tiers.0.above",
      "routes.0.cost.tiers.0.input",
      "routes.0.cost.tiers.0.output",
      "routes.0.cost.windows.0.to",
    ]);
  });

  test("is a required member that is missing, and one that nobody knows", () => {
    expect(requestErrors("POST /api/user/tokens", { nmae: "x" })).toEqual({
      name: ["is required"],
      nmae: ["is not a known field"],
    });
  });

  test("is, of a change, only what the change holds", () => {
    expect(requestErrors("PATCH /api/admin/plans/{id}", { rpm: 5 })).toEqual({});
    expect(Object.keys(requestErrors("PATCH /api/admin/plans/{id}", { rpm: 0, name: null }))).toEqual([
      "name",
      "rpm",
    ]);
  });

  test("is money that is no number of cents, and no money that is exact", () => {
    const errorsOf = (input: string, output: string) => {
      const draft = { ...priceDraftOf(null), input, output };
      return requestErrors("POST /api/admin/prices", { model: "a", ...priceBody(draft, "generation") });
    };
    expect(errorsOf("0.00001", "¥1,234.5")).toEqual({});
    expect(Object.keys(errorsOf("0.000001", "10000000.00001"))).toEqual(["input", "output"]);
    expect(Object.keys(errorsOf("", "999999999.99999999"))).toEqual(["input", "output"]);
  });
});
