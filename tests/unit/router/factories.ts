import {
  type CatalogModelDraft,
  type CatalogNode,
  type CatalogRoute,
  DEFAULT_TIMEOUTS,
  type RoutedNode,
} from "@/lib/router/catalog";
import { priceOf } from "@/tests/support/prices";

/** A node that needs nothing special. */
export function makeNode(id: string, changes: Partial<CatalogNode> = {}): CatalogNode {
  return {
    id,
    name: id,
    protocol: "chat",
    baseUrl: `https://${id}.example/v1`,
    credential: null,
    credentialKeyId: null,
    credentialKind: "key",
    headers: {},
    enabled: true,
    proxy: null,
    ca: null,
    maxConcurrency: null,
    timeouts: DEFAULT_TIMEOUTS,
    provider: null,
    simulated: false,
    managedByFile: false,
    ...changes,
  };
}

/** A route to a node. */
export function makeRoute(nodeId: string, changes: Partial<CatalogRoute> = {}): CatalogRoute {
  const fields = { upstreamModel: "upstream", priority: 0, weight: 100, cost: null };
  return { id: `route-${nodeId}`, nodeId, ...fields, ...changes };
}

/** A route with its node. */
export function makeRouted(
  id: string,
  route: Partial<CatalogRoute> = {},
  node: Partial<CatalogNode> = {},
): RoutedNode {
  return { route: makeRoute(id, route), node: makeNode(id, node) };
}

/** A price of 100 and 300 cents per million tokens. */
const PRICE = priceOf({ input: 100, output: 300 });

/** A live model on node `a`. */
export function makeModel(alias: string, changes: Partial<CatalogModelDraft> = {}): CatalogModelDraft {
  return {
    id: `model-${alias}`,
    alias,
    kind: "generation",
    alsoKnownAs: [],
    displayName: alias,
    contextWindow: null,
    maxOutputTokens: null,
    defaultMaxTokens: 4_096,
    profile: {},
    enabled: true,
    price: PRICE,
    routes: [makeRoute("a")],
    createdAt: new Date(0),
    ...changes,
  };
}
