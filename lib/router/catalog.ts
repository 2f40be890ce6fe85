import type { LimitValues } from "@/lib/db/schema/accounts";
import type { NodeTimeouts } from "@/lib/db/schema/catalog";
import type { JsonObject, Protocol } from "@/lib/protocol/protocol";

/** Timeouts of a node that declares none. Source: contract 3, reliability 2.10. */
export const DEFAULT_TIMEOUTS: Readonly<NodeTimeouts> = Object.freeze({
  connectMs: 5_000,
  firstByteMs: 30_000,
  responseMs: 300_000,
  idleMs: 60_000,
  totalMs: 900_000,
});

/** One callable upstream endpoint. The credential stays encrypted until a call needs it. */
export interface CatalogNode {
  id: string;
  name: string;
  protocol: Protocol;
  baseUrl: string;
  credential: Buffer | null;
  credentialKeyId: string | null;
  headers: Readonly<Record<string, string>>;
  enabled: boolean;
  proxy: string | null;
  maxConcurrency: number | null;
  timeouts: NodeTimeouts;
  simulated: boolean;
  managedByFile: boolean;
}

/** One way to serve an alias. */
export interface CatalogRoute {
  id: string;
  nodeId: string;
  upstreamModel: string;
  /** Lower first. */
  priority: number;
  /** Share inside one priority; 0 is used only when the others are not available. */
  weight: number;
}

/** The price in force. Units: nano-cents per token; a null cache price is the input price. */
export interface CatalogPrice {
  version: number;
  inputNanoCents: bigint;
  outputNanoCents: bigint;
  cacheReadNanoCents: bigint | null;
  cacheWriteNanoCents: bigint | null;
}

/** A model as configured; perhaps without price or route. */
export interface CatalogModelDraft {
  id: string;
  alias: string;
  alsoKnownAs: readonly string[];
  displayName: string;
  contextWindow: number | null;
  maxOutputTokens: number | null;
  defaultMaxTokens: number;
  profile: JsonObject;
  enabled: boolean;
  price: CatalogPrice | null;
  routes: readonly CatalogRoute[];
  createdAt: Date;
}

/** A model that can be called: enabled, priced, with at least one enabled node. */
export interface CatalogModel extends CatalogModelDraft {
  price: CatalogPrice;
}

/** A tier of limits. */
export interface CatalogPlan extends LimitValues {
  id: number;
  name: string;
  keyQuotaMicroCents: bigint;
  selfService: boolean;
}

/** What a snapshot is made from. */
export interface CatalogParts {
  /** Value of `settings.config_version`. */
  version: string;
  models: readonly CatalogModelDraft[];
  nodes: readonly CatalogNode[];
  plans: readonly CatalogPlan[];
  /** When a price that is not yet in force begins; the snapshot is stale from then on. */
  nextPriceAt: Date | null;
}

/** The configuration in memory. Never changed after it is built. Source: architecture 1.9. */
export interface CatalogSnapshot {
  readonly version: string;
  /** Live models by alias, in order of alias. */
  readonly models: ReadonlyMap<string, CatalogModel>;
  /** Every exact name; null for the alias of a model that is not live. */
  readonly names: ReadonlyMap<string, CatalogModel | null>;
  /** Names that end in `*`, longest first. */
  readonly patterns: readonly { prefix: string; model: CatalogModel }[];
  readonly nodes: ReadonlyMap<string, CatalogNode>;
  readonly plans: ReadonlyMap<number, CatalogPlan>;
  readonly nextPriceAt: Date | null;
}

/** Builds the snapshot; of two models that claim one name, the first in order of alias has it. */
export function buildSnapshot(parts: CatalogParts): CatalogSnapshot {
  const nodes = new Map(parts.nodes.map((node) => [node.id, node]));
  const drafts = [...parts.models].sort((a, b) => (a.alias < b.alias ? -1 : 1));
  const live = drafts.filter((draft) => isLive(draft, nodes));
  const names = new Map<string, CatalogModel | null>(drafts.map((draft) => [draft.alias, null]));
  for (const model of live) names.set(model.alias, model);
  const patterns: { prefix: string; model: CatalogModel }[] = [];
  for (const model of live) addFurtherNames(model, names, patterns);
  patterns.sort((a, b) => b.prefix.length - a.prefix.length);
  return {
    version: parts.version,
    models: new Map(live.map((model) => [model.alias, model])),
    names,
    patterns,
    nodes,
    plans: new Map(parts.plans.map((plan) => [plan.id, plan])),
    nextPriceAt: parts.nextPriceAt,
  };
}

/**
 * The live model of a name, or null. Exact names win over patterns, longer patterns over shorter; an alias that
 * was switched off is not caught by a pattern. Source: contract 3.
 */
export function resolveAlias(snapshot: CatalogSnapshot, name: string): CatalogModel | null {
  const exact = snapshot.names.get(name);
  if (exact !== undefined) return exact;
  return snapshot.patterns.find(({ prefix }) => name.startsWith(prefix))?.model ?? null;
}

/** A route with its node. */
export interface RoutedNode {
  route: CatalogRoute;
  node: CatalogNode;
}

/** The routes of a model with their nodes, disabled ones included (the order says why it skips them). */
export function routesOf(snapshot: CatalogSnapshot, model: CatalogModel): RoutedNode[] {
  const found: RoutedNode[] = [];
  for (const route of model.routes) {
    const node = snapshot.nodes.get(route.nodeId);
    if (node !== undefined) found.push({ route, node });
  }
  return found;
}

function isLive(draft: CatalogModelDraft, nodes: ReadonlyMap<string, CatalogNode>): draft is CatalogModel {
  return (
    draft.enabled &&
    draft.price !== null &&
    draft.routes.some((route) => nodes.get(route.nodeId)?.enabled === true)
  );
}

function addFurtherNames(
  model: CatalogModel,
  names: Map<string, CatalogModel | null>,
  patterns: { prefix: string; model: CatalogModel }[],
): void {
  for (const name of model.alsoKnownAs) {
    if (name.endsWith("*")) patterns.push({ prefix: name.slice(0, -1), model });
    else if (!names.has(name)) names.set(name, model);
  }
}
