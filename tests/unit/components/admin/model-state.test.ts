import { expect, test } from "vitest";
import { failingNodes, needsAttention, servedState } from "@/components/admin/model-state";
import { modelsWithout } from "@/components/admin/nodes/node-menu";
import type { AdminModel, NodeView } from "@/components/api/admin/types";

type State = NodeView["health"]["state"];

/** The members of a node that are read here. */
const node = (id: string, state: State, failingModel?: string) =>
  ({
    id,
    name: id,
    enabled: state !== "disabled",
    health: { state, models: failingModel ? [{ upstreamModel: failingModel, state: "ejected" }] : [] },
  }) as unknown as NodeView;

/** The members of a model that are read here. */
const model = (alias: string, nodes: string[], fields: object = {}) =>
  ({
    alias,
    enabled: true,
    live: true,
    prices: {},
    routes: nodes.map((nodeId) => ({ nodeId, node: nodeId, model: "m" })),
    ...fields,
  }) as unknown as AdminModel;

const nodes = [
  node("good", "healthy"),
  node("dead", "ejected"),
  node("off", "disabled"),
  node("half", "degraded", "m"),
];

test("a model is served by all, some or none of the nodes that are switched on", () => {
  const stateOf = (names: string[], fields?: object) => servedState(model("a", names, fields), nodes);
  expect(stateOf(["good", "off"])).toBe("live");
  expect(stateOf(["dead", "good"])).toBe("partial");
  expect(stateOf(["good", "half"])).toBe("partial");
  expect(stateOf(["dead", "half"])).toBe("unhealthy");
  expect(stateOf(["off"], { live: false })).toBe("noNode");
  expect(stateOf(["good"], { prices: null, live: false })).toBe("noPrice");
  expect(stateOf(["dead"], { enabled: false })).toBe("off");
  expect(servedState(model("a", ["dead"]), undefined)).toBe("live");
});

test("a model needs attention while one of its nodes fails, which is named", () => {
  expect(needsAttention(model("a", ["dead", "good"]), nodes)).toBe(true);
  expect(failingNodes(model("a", ["dead", "good", "dead"]), nodes)).toEqual(["dead"]);
  expect(needsAttention(model("a", ["good", "off"]), nodes)).toBe(false);
});

test("without a node models on offer have no working node left, or one and nothing to fall back on", () => {
  const models = [
    model("alone", ["good"]),
    model("beside-disabled", ["good", "off"]),
    model("beside-another", ["good", "fine"]),
    model("elsewhere", ["dead"]),
    model("not-offered", ["good"], { live: false }),
    model("twice-beside-another", ["good", "good", "fine", "fine"]),
    model("beside-two", ["good", "fine", "finer"]),
    model("beside-failing", ["good", "dead", "half"]),
  ];
  const all = [...nodes, node("fine", "healthy"), node("finer", "degraded")];
  expect(modelsWithout("good", models, all)).toEqual({
    stopped: ["alone", "beside-disabled", "beside-failing"],
    alone: ["beside-another", "twice-beside-another"],
  });
});
