import type { CatalogNode, CatalogRoute, RoutedNode } from "./catalog";
import type { EntryMode, HealthTarget } from "./health";
import type { Availability, UnavailableCause } from "./node-health";

/** Attempts one request may make, each on another node. Source: docs/reliability.md#s2-9. */
export const MAX_ATTEMPTS = 3;

/**
 * All attempts of a request together must receive response headers within this; each has at least a second.
 * Source: docs/reliability.md#a5.
 */
const TOTAL_HEADERS_MS = 60_000;

const MIN_HEADERS_MS = 1_000;

const MAX_RETRY_AFTER_SECONDS = 30;

/** A node to try, and the reason of its position. */
export interface Candidate {
  route: CatalogRoute;
  node: CatalogNode;
  /** How to enter; given to `Health.begin`. */
  mode: EntryMode;
  reason: string;
}

/** Why a node is not tried. */
export type SkipReason = UnavailableCause | "disabled" | "busy" | "trial" | "same-node";

/** A node that is not tried, and when it becomes available. */
export interface Skipped {
  route: CatalogRoute;
  node: CatalogNode;
  why: SkipReason;
  /** Whole milliseconds, rounded up; null: only after a change of the configuration. */
  returnsInMs: number | null;
}

/** Nodes in the order in which they are tried. */
export interface NodeOrder {
  candidates: Candidate[];
  skipped: Skipped[];
  /** For a NO_AVAILABLE_NODE: whole seconds to the nearest return, 1..30. */
  retryAfterSeconds: number;
}

/** All inputs of the order. */
export interface OrderInput {
  routes: readonly RoutedNode[];
  availability: (target: HealthTarget) => Availability;
  /** In [0, 1). */
  random: () => number;
  /** The node that served this conversation before, or null. */
  preferredNodeId: string | null;
}

interface RankedNode extends RoutedNode {
  view: Availability;
  mode: EntryMode;
}

/**
 * Orders the nodes of an alias: lower priority number first, by weight within a priority, and within the first priority
 * the conversation's last node first. Skips ejected and cooling nodes, but at most half by failure rate; when all are
 * ejected, the next one to return is probed. Source: docs/reliability.md#s2-9.
 */
export function orderNodes(input: OrderInput): NodeOrder {
  return onlyNode(input) ?? orderAll(input);
}

/** The order of a model whose only node can be called: no other node to compare. */
function onlyNode({ routes, availability, preferredNodeId }: OrderInput): NodeOrder | null {
  const [only] = routes;
  if (only === undefined || routes.length > 1 || !only.node.enabled) return null;
  const { route, node } = only;
  if (availability(targetOf(route, node)).state !== "ok") return null;
  const reason = reasonOf(route, "normal", node.id === preferredNodeId);
  return { candidates: [{ route, node, mode: "normal", reason }], skipped: [], retryAfterSeconds: 1 };
}

function orderAll(input: OrderInput): NodeOrder {
  const usable: RankedNode[] = [];
  const skipped: Skipped[] = [];
  const ejected: RankedNode[] = [];
  for (const { route, node } of byPriority(input.routes)) {
    const view = node.enabled ? input.availability(targetOf(route, node)) : null;
    if (view === null) skipped.push({ route, node, why: "disabled", returnsInMs: null });
    else if (view.state === "ok") usable.push({ route, node, view, mode: "normal" });
    else if (view.state === "half-open") usable.push({ route, node, view, mode: "trial" });
    else if (view.state === "ejected") ejected.push({ route, node, view, mode: "spared" });
    else skipped.push(toSkipped({ route, node, view, mode: "normal" }));
  }
  const enabled = usable.length + ejected.length + skipped.filter((entry) => entry.why !== "disabled").length;
  const kept = new Set(keepDespiteEjection(ejected, enabled));
  if (usable.length + kept.size === 0) for (const entry of lastResort(ejected)) kept.add(entry);
  skipped.push(...ejected.filter((entry) => !kept.has(entry)).map(toSkipped));
  const ordered = rank([...usable, ...kept], input);
  const candidates: Candidate[] = [];
  for (const entry of ordered) {
    if (candidates.some((earlier) => earlier.node.id === entry.node.id)) {
      skipped.push({ route: entry.route, node: entry.node, why: "same-node", returnsInMs: null });
    } else candidates.push(toCandidate(entry, input, candidates.length === 0));
  }
  return { candidates, skipped, retryAfterSeconds: retryAfterSeconds(skipped) };
}

/** Whole seconds until the nearest of the skipped nodes returns, 1..30. Source: docs/reliability.md#s2-9. */
export function retryAfterSeconds(skipped: readonly Skipped[]): number {
  let nearestMs = Number.POSITIVE_INFINITY;
  for (const entry of skipped) nearestMs = Math.min(nearestMs, entry.returnsInMs ?? nearestMs);
  if (nearestMs === Number.POSITIVE_INFINITY) return 1;
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(nearestMs / 1_000)));
}

/** The health target of one route. */
export function targetOf(route: CatalogRoute, node: CatalogNode): HealthTarget {
  return { nodeId: node.id, upstreamModel: route.upstreamModel, maxConcurrency: node.maxConcurrency };
}

/** How long an attempt of a stream that begins now may wait for response headers. Units: milliseconds. */
export function headersWithinMs(elapsedMs: number): number {
  return Math.max(MIN_HEADERS_MS, TOTAL_HEADERS_MS - elapsedMs);
}

function byPriority(routes: readonly RoutedNode[]): RoutedNode[] {
  return [...routes].sort((a, b) => a.route.priority - b.route.priority);
}

/** The nodes ejected by failure rate that exceed half of all nodes, next to return first. */
function keepDespiteEjection(ejected: readonly RankedNode[], enabled: number): RankedNode[] {
  const byRate = ejected.filter((entry) => entry.view.cause === "rate").sort(nearestFirst);
  return byRate.slice(0, Math.max(0, byRate.length - Math.floor(enabled / 2)));
}

/** When no node is usable: nodes that are ejected only because of other models, else a probe of the next to return. */
function lastResort(ejected: readonly RankedNode[]): RankedNode[] {
  const suspected = ejected.filter((entry) => entry.view.cause === "models");
  if (suspected.length > 0) return suspected;
  const nearest = [...ejected].sort(nearestFirst)[0];
  if (nearest === undefined || !nearest.view.probeDue) return [];
  nearest.mode = "probe";
  return [nearest];
}

function nearestFirst(a: RankedNode, b: RankedNode): number {
  return a.view.returnsInMs - b.view.returnsInMs;
}

function rank(entries: readonly RankedNode[], input: OrderInput): RankedNode[] {
  const ordered: RankedNode[] = [];
  const priorities = [...new Set(entries.map((entry) => entry.route.priority))].sort((a, b) => a - b);
  for (const [rank, priority] of priorities.entries()) {
    const group = entries.filter((entry) => entry.route.priority === priority);
    const preferred = rank === 0 ? removePreferred(group, input.preferredNodeId) : null;
    if (preferred !== null) ordered.push(preferred);
    while (group.length > 0) ordered.push(...group.splice(pickByWeight(group, input.random()), 1));
  }
  return ordered;
}

function removePreferred(group: RankedNode[], nodeId: string | null): RankedNode | null {
  const index = group.findIndex((entry) => entry.node.id === nodeId && entry.mode === "normal");
  return index === -1 ? null : (group.splice(index, 1)[0] ?? null);
}

/** A random index by weight; the first when all weights are 0. */
function pickByWeight(group: readonly RankedNode[], random: number): number {
  let remaining = random * group.reduce((sum, entry) => sum + entry.route.weight, 0);
  for (const [index, entry] of group.entries()) {
    remaining -= entry.route.weight;
    if (remaining < 0) return index;
  }
  return 0;
}

function toCandidate(entry: RankedNode, input: OrderInput, first: boolean): Candidate {
  const { route, node, mode } = entry;
  return { route, node, mode, reason: reasonOf(route, mode, first && node.id === input.preferredNodeId) };
}

function reasonOf({ priority, weight }: CatalogRoute, mode: EntryMode, sticky: boolean): string {
  const position = `priority ${priority}, weight ${weight}`;
  switch (mode) {
    case "normal":
      return sticky ? `${position}; this conversation's node` : position;
    case "trial":
      return `${position}; trial of a half-open circuit`;
    case "spared":
      return `${position}; ejected, but too many others are`;
    case "probe":
      return `${position}; probe, every node is ejected`;
  }
}

function toSkipped(entry: RankedNode): Skipped {
  const { route, node, view } = entry;
  const why = view.state === "busy" || view.state === "trial" ? view.state : (view.cause ?? "busy");
  return { route, node, why, returnsInMs: Math.ceil(view.returnsInMs) };
}
