import { expect, test } from "vitest";
import { failingModels, isFailing, statesByGravity } from "@/components/admin/nodes/node-health";
import type { NodeHealth } from "@/components/api/admin/types";

test("of a degraded node the upstream models that fail are named, of others none", () => {
  const models = [
    { upstreamModel: "good", state: "healthy" },
    { upstreamModel: "bad", state: "ejected" },
  ] as NodeHealth["models"];
  expect(failingModels({ state: "degraded", models })).toEqual(["bad"]);
  expect(failingModels({ state: "ejected", models })).toEqual([]);
});

test("a node needs attention until its circuit is closed again; one that is switched off, or not called, does not", () => {
  const failing = statesByGravity.filter((state) => state !== "idle" && isFailing({ state }));
  expect(failing).toEqual(["ejected", "cooling", "half-open", "degraded"]);
});
