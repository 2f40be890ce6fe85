import { describe, expect, it, test } from "vitest";
import type { CatalogModel, Uptime } from "@/components/api/types";
import { sortedRows } from "@/components/lists/row-order";
import { modelSortings } from "@/components/models/model-order";
import { comparing } from "@/lib/shared/collate";

function model(id: string, more: Partial<CatalogModel> & { input: number; output: number }): CatalogModel {
  const { input, output, ...others } = more;
  return {
    id,
    kind: "generation",
    alsoKnownAs: [],
    displayName: id,
    contextWindow: 1000,
    maxOutputTokens: null,
    protocols: ["chat"],
    simulated: false,
    prices: { input, output, cacheRead: 0, cacheWrite: 0, perCall: {} },
    ...others,
  } as unknown as CatalogModel; // the fields that sorting reads
}

const models = [
  model("wide", { input: 10, output: 0.3, contextWindow: 200_000 }),
  model("cheap", { input: 9.5, output: 4 }),
  model("vectors", { input: 0.5, output: 0, kind: "embedding", contextWindow: null }),
  model("also-cheap", { input: 9.5, output: 4 }),
];
const uptime = {
  models: [
    { id: "wide", lastDay: 0.9, firstTokenMs: 300, tokensPerSecond: 20 },
    { id: "cheap", lastDay: 1, firstTokenMs: 900, tokensPerSecond: 90 },
  ],
} as unknown as Uptime; // what sorting reads
const sortings = modelSortings(uptime);
const ids = (sort: keyof typeof sortings, direction: "asc" | "desc") =>
  sortedRows(models, sortings[sort].by, direction, ({ id }) => id, comparing("en")).map(({ id }) => id);

test("names are compared with the numbers in them, and from Z to A in the other direction", () => {
  const rows = ["node-10", "node-2", "a"];
  const sorted = (direction: "asc" | "desc") =>
    sortedRows(
      rows,
      (row) => row,
      direction,
      (row) => row,
      comparing("en"),
    );
  expect(sorted("asc")).toEqual(["a", "node-2", "node-10"]);
  expect(sorted("desc")).toEqual(["node-10", "node-2", "a"]);
});

describe("models in the order of a column", () => {
  it("compares prices as amounts, and equal ones by name", () => {
    expect(ids("input", "asc")).toEqual(["vectors", "also-cheap", "cheap", "wide"]);
    expect(ids("input", "desc")).toEqual(["wide", "also-cheap", "cheap", "vectors"]);
  });

  it("has those without the value last in either direction", () => {
    expect(ids("output", "asc")).toEqual(["wide", "also-cheap", "cheap", "vectors"]);
    expect(ids("output", "desc").at(-1)).toBe("vectors");
    expect(ids("context", "desc")).toEqual(["wide", "also-cheap", "cheap", "vectors"]);
    expect(ids("uptime", "asc").slice(0, 2)).toEqual(["wide", "cheap"]);
    expect(ids("firstToken", "asc").slice(0, 2)).toEqual(["wide", "cheap"]);
    expect(ids("speed", "desc").slice(0, 2)).toEqual(["cheap", "wide"]);
  });
});
