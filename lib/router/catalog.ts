import type { LimitValues } from "@/lib/db/schema/accounts";
import type { NodeTimeouts } from "@/lib/db/schema/catalog";
import type { JsonObject } from "@/lib/kernel/json-object";
import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { ModelKind, NodeProtocol } from "@/lib/protocols/protocol";
import type { Prices, PriceVersion } from "@/lib/shared/prices/price-version";

/** Timeouts of a node that declares none. Source: docs/contract.md#s3, docs/reliability.md#s2-10. */
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
  protocol: NodeProtocol;
  /** The provider; null: derived from the host. */
  provider: string | null;
  baseUrl: string;
  credential: Buffer | null;
  credentialKeyId: string | null;
  /** A `CredentialKind`, or one of a later version. */
  credentialKind: string;
  headers: Readonly<Record<string, string>>;
  enabled: boolean;
  proxy: string | null;
  /** Certificates in PEM form, the only ones trusted for this node; null: those that Node.js trusts. */
  ca: string | null;
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
  /** What the node charges; null: not known. */
  cost: Prices | null;
}

/** A model as configured, possibly without price or route. */
export interface CatalogModelDraft {
  id: string;
  alias: string;
  kind: ModelKind;
  alsoKnownAs: readonly string[];
  displayName: string;
  contextWindow: number | null;
  maxOutputTokens: number | null;
  /** Null: none configured. */
  defaultMaxTokens: number | null;
  profile: JsonObject;
  enabled: boolean;
  /** The price in force. */
  price: PriceVersion | null;
  routes: readonly CatalogRoute[];
  createdAt: Date;
}

/** A model that is offered: enabled and priced. Only with an enabled node can it be called. */
export interface CatalogModel extends CatalogModelDraft {
  price: PriceVersion;
}

/** A tier of limits. */
export interface CatalogPlan extends LimitValues {
  id: number;
  name: string;
  keyQuotaMicroCents: bigint;
  selfService: boolean;
}

/** The rows that a snapshot is built from. */
export interface CatalogParts {
  /** Value of `settings.config_version`. */
  version: string;
  models: readonly CatalogModelDraft[];
  nodes: readonly CatalogNode[];
  plans: readonly CatalogPlan[];
  /** When the next future price takes effect; the snapshot is stale from then on. */
  nextPriceAt: Date | null;
}

/** The configuration in memory; immutable. Source: docs/architecture.md#s1-8. */
export interface CatalogSnapshot {
  readonly version: string;
  /** Live models (offered, with at least one enabled node) by alias, in order of alias. */
  readonly models: ReadonlyMap<string, CatalogModel>;
  /** Models by exact name, including models without an enabled node; null for an alias that is not offered. */
  readonly names: ReadonlyMap<string, CatalogModel | null>;
  /** Names that end in `*`: those of live models first, then longest first. */
  readonly patterns: readonly { prefix: string; model: CatalogModel }[];
  readonly nodes: ReadonlyMap<string, CatalogNode>;
  readonly plans: ReadonlyMap<number, CatalogPlan>;
  readonly nextPriceAt: Date | null;
}

/** Builds the snapshot; when two models have the same name, the first in order of alias gets it. */
export function buildSnapshot(parts: CatalogParts): CatalogSnapshot {
  const nodes = new Map(parts.nodes.map((node) => [node.id, node]));
  const drafts = [...parts.models].sort((a, b) => (a.alias < b.alias ? -1 : 1));
  const offered = drafts.filter(isOffered);
  const live = offered.filter((model) => hasEnabledNode(model, nodes));
  const unserved = offered.filter((model) => !hasEnabledNode(model, nodes));
  const names = new Map<string, CatalogModel | null>(drafts.map((draft) => [draft.alias, null]));
  for (const model of offered) names.set(model.alias, model);
  const patterns = [live, unserved].flatMap((models) => {
    const prefixes = models.flatMap((model) => addFurtherNames(model, names));
    return prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
  });
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
 * The offered model of a name, or null; `isServed` says whether it can be called. Exact names win over patterns, longer
 * patterns over shorter, live models over others; a pattern does not match the alias of a disabled model.
 * Source: docs/contract.md#s3, #b14.
 */
export function resolveAlias(snapshot: CatalogSnapshot, name: string): CatalogModel | null {
  const exact = snapshot.names.get(name);
  if (exact !== undefined) return exact;
  return snapshot.patterns.find(({ prefix }) => name.startsWith(prefix))?.model ?? null;
}

/** True for a model with at least one enabled node. */
export function isServed(snapshot: CatalogSnapshot, model: CatalogModel): boolean {
  return snapshot.models.get(model.alias) === model;
}

/** A route with its node. */
export interface RoutedNode {
  route: CatalogRoute;
  node: CatalogNode;
}

const routed = new WeakMap<CatalogModel, { snapshot: CatalogSnapshot; routes: readonly RoutedNode[] }>();

/**
 * The routes that a model may use, with their nodes, including disabled ones, which `orderNodes` reports as skipped.
 * Source: docs/embeddings.md#nodes.
 */
export function routesOf(snapshot: CatalogSnapshot, model: CatalogModel): readonly RoutedNode[] {
  const known = routed.get(model);
  if (known?.snapshot === snapshot) return known.routes;
  const all: RoutedNode[] = [];
  for (const route of model.routes) {
    const node = snapshot.nodes.get(route.nodeId);
    if (node !== undefined) all.push({ route, node });
  }
  const routes = model.kind === "embedding" ? toOneModel(all) : all;
  routed.set(model, { snapshot, routes });
  return routes;
}

/**
 * The routes to the upstream model of the first route whose node is enabled and has embeddings. Vectors of two models
 * cannot be compared, so the health of nodes never changes the model.
 */
function toOneModel(routes: readonly RoutedNode[]): readonly RoutedNode[] {
  const first = routes.find(({ node }) => node.enabled && embeddingNodes[node.protocol] !== null);
  if (first === undefined) return routes;
  return routes.filter(({ route }) => route.upstreamModel === first.route.upstreamModel);
}

function isOffered(draft: CatalogModelDraft): draft is CatalogModel {
  return draft.enabled && draft.price !== null;
}

function hasEnabledNode(model: CatalogModel, nodes: ReadonlyMap<string, CatalogNode>): boolean {
  return model.routes.some((route) => nodes.get(route.nodeId)?.enabled === true);
}

/** Adds a model's exact names to `names` and returns the prefixes of its patterns. */
function addFurtherNames(model: CatalogModel, names: Map<string, CatalogModel | null>) {
  const prefixes: { prefix: string; model: CatalogModel }[] = [];
  for (const name of model.alsoKnownAs) {
    if (name.endsWith("*")) prefixes.push({ prefix: name.slice(0, -1), model });
    else if (!names.has(name)) names.set(name, model);
  }
  return prefixes;
}
