import { expect, test } from "vitest";
import { failingModels } from "@/components/admin/nodes/node-health";
import type { NodeHealth } from "@/components/admin/types";

test("of a degraded node the upstream models that fail are named, of others none", () => {
  const models = [
    { upstreamModel: "good", state: "healthy" },
    { upstreamModel: "bad", state: "ejected" },
  ] as NodeHealth["models"];
  expect(failingModels({ state: "degraded", models })).toEqual(["bad"]);
  expect(failingModels({ state: "ejected", models })).toEqual([]);
});
