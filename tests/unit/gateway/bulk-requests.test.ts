import { describe, expect, test } from "vitest";
import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { TokenCounter } from "@/lib/billing/prompt-tokens";
import { mayUse, usableModels } from "@/lib/gateway/resolve-model";
import type { Gateway } from "@/lib/gateway/runtime";
import { knownCapabilities, listModels } from "@/lib/gateway/show-models";
import { GatewayError } from "@/lib/kernel/errors";
import { buildSnapshot, type CatalogSnapshot } from "@/lib/router/catalog";
import { makeModel, makeNode, makeRoute } from "../router/factories";
import { callOf, GenerationRig } from "./generation-rig";

function catalogOf(count: number): CatalogSnapshot {
  return buildSnapshot({
    version: "1",
    nodes: [makeNode("n", {})],
    models: Array.from({ length: count }, (_, at) => makeModel(`m-${at}`, { routes: [makeRoute("n")] })),
    plans: [],
    nextPriceAt: null,
  });
}

describe("a list of many models", () => {
  const refused = new GatewayError("NO_AVAILABLE_NODE", "not now", { retryAfterSeconds: 1 });
  const gatewayOf = (count: number): Gateway => {
    const bulkWork = { acquire: () => Promise.reject(refused) } as unknown as Gateway["bulkWork"]; // what a turn uses
    return { ...new GenerationRig(["chat"]).gateway, catalog: { current: catalogOf(count) }, bulkWork };
  };

  test("takes a turn of its account, and a short one takes none", async () => {
    await expect(listModels(gatewayOf(501), callOf("chat"))).rejects.toBe(refused);
    expect((await listModels(gatewayOf(500), callOf("chat"))).status).toBe(200);
  });

  test("has those that the key may use, one by one or looked up together", () => {
    const catalog = catalogOf(30);
    for (const models of [null, [], ["m-3", "m-7", "gone"]]) {
      const key = { models } as unknown as GatewayKey; // the one member that is read
      const single = [...catalog.models.values()].filter((model) => mayUse(catalog, key, model));
      expect(usableModels(catalog, key)).toEqual(single);
    }
  });

  test("has the capabilities of each model from one look-up for each snapshot", () => {
    const catalog = catalogOf(1);
    const [model] = catalog.models.values();
    if (model === undefined) throw new Error("there is no model");
    expect(knownCapabilities(catalog, model)).toBe(knownCapabilities(catalog, model));
    expect(knownCapabilities({ ...catalog }, model)).toEqual(knownCapabilities(catalog, model));
  });
});

test("a text of megabytes is counted by the formula and holds up no other", async () => {
  const counter = new TokenCounter();
  const EXACT = 4;
  while ((await counter.count("the quick brown fox")) !== EXACT);
  const long = counter.count("the quick brown fox ".repeat(500_000));
  expect(await counter.count("the quick brown fox")).toBe(EXACT);
  expect(await long).toBeGreaterThan(2_000_000);
  await counter.close();
});
