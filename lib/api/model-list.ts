import { centsPerMillion } from "@/lib/billing/price";
import { callPriceRecord } from "@/lib/kernel/usage";
import { type CatalogModel, type CatalogSnapshot, routesOf } from "@/lib/router/catalog";

/**
 * The models that can be called, with prices in cents per 1M tokens and micro-cents per call, and the protocols that are served without
 * conversion. Hosts, nodes and upstream names are not shown. Source: docs/contract.md#s5.
 */
export function listModels(snapshot: CatalogSnapshot) {
  return [...snapshot.models.values()].map((model) => modelRecordOf(snapshot, model));
}

function modelRecordOf(snapshot: CatalogSnapshot, model: CatalogModel) {
  const nodes = routesOf(snapshot, model).map(({ node }) => node);
  const { inputNanoCents, outputNanoCents, cacheReadNanoCents, cacheWriteNanoCents, perCall } = model.price;
  return {
    id: model.alias,
    kind: model.kind,
    alsoKnownAs: [...model.alsoKnownAs],
    displayName: model.displayName || model.alias,
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    defaultMaxTokens: model.defaultMaxTokens,
    protocols: [...new Set(nodes.map((node) => node.protocol))].sort(),
    simulated: nodes.every((node) => node.simulated),
    prices: {
      input: centsPerMillion(inputNanoCents),
      output: centsPerMillion(outputNanoCents),
      cacheRead: centsPerMillion(cacheReadNanoCents ?? inputNanoCents),
      cacheWrite: centsPerMillion(cacheWriteNanoCents ?? inputNanoCents),
      perCall: callPriceRecord(perCall),
    },
  };
}
