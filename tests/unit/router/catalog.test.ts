import { describe, expect, it } from "vitest";
import { buildSnapshot, type CatalogParts, isServed, resolveAlias, routesOf } from "@/lib/router/catalog";
import { makeModel, makeNode, makeRoute } from "./factories";

function snapshot(parts: Partial<CatalogParts>) {
  return buildSnapshot({
    version: "1",
    models: [],
    nodes: [makeNode("a"), makeNode("off", { enabled: false })],
    plans: [],
    nextPriceAt: null,
    ...parts,
  });
}

const aliasOf = (parts: Partial<CatalogParts>, name: string) =>
  resolveAlias(snapshot(parts), name)?.alias ?? null;

describe("catalog", () => {
  const models = [
    makeModel("sonnet", { alsoKnownAs: ["claude-sonnet-*", "claude-sonnet-4-5"] }),
    makeModel("any-claude", { alsoKnownAs: ["claude-*"] }),
    makeModel("claude-sonnet-special"),
  ];

  it.each([
    ["sonnet", "sonnet"],
    ["claude-sonnet-4-5", "sonnet"],
    ["claude-sonnet-special", "claude-sonnet-special"],
    ["claude-sonnet-9", "sonnet"],
    ["claude-opus", "any-claude"],
    ["claude-", "any-claude"],
    ["gpt", null],
    ["SONNET", null],
    ["sonnet ", null],
    ["claude-*", "any-claude"],
    ["__proto__", null],
  ])("resolves %s to %s: exact names first, then the longest pattern", (name, alias) => {
    expect(aliasOf({ models }, name)).toBe(alias);
  });

  /** Source: docs/embeddings.md#nodes. */
  it("routes embeddings to one upstream model only, that of the first node that is enabled and has them", () => {
    const routes = [
      makeRoute("off", { upstreamModel: "other" }),
      makeRoute("messages", { upstreamModel: "other" }),
      makeRoute("a", { upstreamModel: "first" }),
      makeRoute("b", { upstreamModel: "second" }),
      makeRoute("c", { upstreamModel: "first" }),
    ];
    const nodes = [
      makeNode("off", { enabled: false }),
      makeNode("messages", { protocol: "messages" }),
      ...["a", "b", "c"].map((id) => makeNode(id)),
    ];
    const nodesOf = (changes: Parameters<typeof makeModel>[1]) => {
      const made = snapshot({ nodes, models: [makeModel("m", { routes, ...changes })] });
      const model = resolveAlias(made, "m");
      return model === null ? [] : routesOf(made, model).map(({ node }) => node.id);
    };
    expect(nodesOf({ kind: "embedding" })).toEqual(["a", "c"]);
    expect(nodesOf({ kind: "embedding", routes: routes.slice(0, 2) })).toEqual(["off", "messages"]);
    expect(nodesOf({})).toEqual(["off", "messages", "a", "b", "c"]);
  });

  it("prefers an alias over another model's further name", () => {
    const both = [makeModel("b", { alsoKnownAs: ["c"] }), makeModel("c")];
    expect(aliasOf({ models: both }, "c")).toBe("c");
  });

  it.each([
    ["no price", { price: null }],
    ["been switched off", { enabled: false }],
  ])("does not know a model that has %s, not even through a pattern of another", (_, changes) => {
    const list = [makeModel("x", changes), makeModel("rest", { alsoKnownAs: ["*"] })];
    expect(aliasOf({ models: list }, "x")).toBeNull();
    expect([...snapshot({ models: list }).models.keys()]).toEqual(["rest"]);
  });

  it.each([
    ["no route", { routes: [] }],
    ["only a disabled node", { routes: [makeRoute("off")] }],
    ["only a node that does not exist", { routes: [makeRoute("gone")] }],
  ])("knows a model that has %s by all its names, but does not list it as live", (_, changes) => {
    const off = makeModel("x", { alsoKnownAs: ["x-old", "x-*"], ...changes });
    const built = snapshot({ models: [off, makeModel("rest")] });
    for (const name of ["x", "x-old", "x-2026"]) {
      const model = resolveAlias(built, name);
      expect(model?.alias).toBe("x");
      expect(model && isServed(built, model)).toBe(false);
    }
    expect([...built.models.keys()]).toEqual(["rest"]);
  });

  it("gives a further name to a live model before one without an enabled node, patterns of any length too", () => {
    const off = makeModel("a-off", { alsoKnownAs: ["gpt-5", "claude-sonnet-*"], routes: [makeRoute("off")] });
    const on = makeModel("z-on", { alsoKnownAs: ["gpt-5", "claude-*"] });
    expect(aliasOf({ models: [off, on] }, "gpt-5")).toBe("z-on");
    expect(aliasOf({ models: [off, on] }, "claude-sonnet-4")).toBe("z-on");
  });

  it("lists live models in order of alias and routes with their nodes", () => {
    const built = snapshot({
      models: [makeModel("b"), makeModel("a", { routes: [makeRoute("a"), makeRoute("off")] })],
    });
    expect([...built.models.keys()]).toEqual(["a", "b"]);
    const model = built.models.get("a");
    expect(model && routesOf(built, model).map(({ node }) => node.id)).toEqual(["a", "off"]);
  });
});
