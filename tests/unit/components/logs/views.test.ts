import { expect, test } from "vitest";
import { builtInViews, filtersOfUrl, sameFilters, urlOfFilters } from "@/components/logs/views";

const everything = {
  from: null,
  to: null,
  last: null,
  key: null,
  user: null,
  project: null,
  member: null,
  node: null,
  attempts: null,
  model: null,
  status: null,
  outcome: null,
  code: null,
  operation: null,
  protocol: null,
  mode: null,
  http: null,
  client: null,
  min: null,
  cost: null,
  find: null,
  sort: null,
  cursor: null,
  request: null,
};

test("a view's filters become an address and the same filters again", () => {
  const filters = {
    last: "7d",
    tokenId: "key",
    nodeId: "node",
    minAttempts: 2,
    model: "demo-chat",
    outcome: "failed",
    errorCode: "UPSTREAM_ERROR",
    operation: "embed",
    protocol: "messages",
    stream: false,
    httpStatus: 502,
    client: "OpenAI/Python",
    minLatencyMs: 0,
    minCost: "0.5",
    sort: "latencyMs",
  } as const;
  expect(filtersOfUrl({ ...everything, ...urlOfFilters(filters) })).toEqual(filters);
  expect(filtersOfUrl({ ...everything, ...urlOfFilters({ stream: true }) })).toEqual({ stream: true });
  const between = { from: "2026-11-20T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z" };
  expect(filtersOfUrl({ ...everything, ...urlOfFilters(between) })).toEqual(between);
  const troubled = { nodeId: "node", attempt: "failed" } as const;
  expect(filtersOfUrl({ ...everything, ...urlOfFilters(troubled) })).toEqual(troubled);
});

test("the open request is no filter", () => {
  expect(filtersOfUrl({ ...everything, request: "one" })).toEqual({});
});

test("views are compared by their filters, in any order", () => {
  expect(sameFilters({ model: "a", minLatencyMs: 5 }, { minLatencyMs: 5, model: "a" })).toBe(true);
  expect(sameFilters({ model: "a" }, {})).toBe(false);
  const all = builtInViews.map(({ filters }) => JSON.stringify(filters));
  expect(new Set(all).size).toBe(all.length);
});
