import type { Availability, UnavailableCause } from "./availability";
import type { CatalogNode, CatalogRoute, RoutedNode } from "./catalog";
import type { EntryMode, HealthTarget } from "./health";

/** Attempts one request may make, each on another node. Source: docs/reliability.md#s2-9. */
export const MAX_ATTEMPTS = 3;
/**
 * All attempts together must reach response headers within this; each has at least a second.
 * Source: docs/reliability.md#a5.
 */
const HEADERS_WITHIN_MS = 60_000;
const LEAST_HEADERS_MS = 1_000;
const MAX_RETRY_AFTER_SECONDS = 30;

/** A node to try, and why it stands where it does. */
export interface Candidate {
  route: CatalogRoute;
  node: CatalogNode;
  /** How to enter; given to `Health.begin`. */
  mode: EntryMode;
  reason: string;
}

/** Why a node is not tried. */
export type SkipReason = UnavailableCause | "disabled" | "busy" | "trial" | "same-node";

/** A node that is not tried, and when it returns by itself. */
export interface Skipped {
  route: CatalogRoute;
  node: CatalogNode;
  why: SkipReason;
  /** Whole milliseconds, rounded up; null: not by itself. */
  returnsInMs: number | null;
}

/** Nodes in the order in which they are tried. */
export interface NodeOrder {
  candidates: Candidate[];
  skipped: Skipped[];
  /** For a NO_AVAILABLE_NODE: whole seconds to the nearest return, 1..30. */
  retryAfterSeconds: number;
}

/** What the order depends on, and nothing else. */
export interface OrderInput {
  routes: readonly RoutedNode[];
  availability: (target: HealthTarget) => Availability;
  /** In [0, 1). */
  random: () => number;
  /** The node that served this conversation before, or null. */
  preferredNodeId: string | null;
}

interface Placed extends RoutedNode {
  view: Availability;
  mode: EntryMode;
}

/**
 * Orders the nodes of an alias: lower priority number first, by weight inside one priority, the conversation's own
 * node first of the leading priority. Ejected and cooling nodes are skipped; at most half may be out by failure rate;
 * when all are ejected the nearest to return is probed. Source: docs/reliability.md#s2-9.
 */
export function orderNodes(input: OrderInput): NodeOrder {
  const usable: Placed[] = [];
  const skipped: Skipped[] = [];
  const ejected: Placed[] = [];
  for (const { route, node } of byPriority(input.routes)) {
    const view = node.enabled ? input.availability(targetOf(route, node)) : null;
    if (view === null) skipped.push({ route, node, why: "disabled", returnsInMs: null });
    else if (view.state === "ok") usable.push({ route, node, view, mode: "normal" });
    else if (view.state === "half-open") usable.push({ route, node, view, mode: "trial" });
    else if (view.state === "ejected") ejected.push({ route, node, view, mode: "spared" });
    else skipped.push(skip({ route, node, view, mode: "normal" }));
  }
  const enabled = usable.length + ejected.length + skipped.filter((entry) => entry.why !== "disabled").length;
  const kept = new Set(spare(ejected, enabled));
  if (usable.length + kept.size === 0) for (const entry of lastResort(ejected)) kept.add(entry);
  skipped.push(...ejected.filter((entry) => !kept.has(entry)).map(skip));
  const ordered = arrange([...usable, ...kept], input);
  const candidates: Candidate[] = [];
  for (const entry of ordered) {
    if (candidates.some((earlier) => earlier.node.id === entry.node.id)) {
      skipped.push({ route: entry.route, node: entry.node, why: "same-node", returnsInMs: null });
    } else candidates.push(describe(entry, input, candidates.length === 0));
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

/** What `Health` is asked about for one route. */
export function targetOf(route: CatalogRoute, node: CatalogNode): HealthTarget {
  return { nodeId: node.id, upstreamModel: route.upstreamModel, maxConcurrency: node.maxConcurrency };
}

/** How long an attempt of a stream that begins now may wait for response headers. Units: milliseconds. */
export function headersWithinMs(elapsedMs: number): number {
  return Math.max(LEAST_HEADERS_MS, HEADERS_WITHIN_MS - elapsedMs);
}

function byPriority(routes: readonly RoutedNode[]): RoutedNode[] {
  return [...routes].sort((a, b) => a.route.priority - b.route.priority);
}

/** Of the nodes ejected by rate, those above half of all: nearest return first. */
function spare(ejected: readonly Placed[], enabled: number): Placed[] {
  const byRate = ejected.filter((entry) => entry.view.cause === "rate").sort(nearestFirst);
  return byRate.slice(0, Math.max(0, byRate.length - Math.floor(enabled / 2)));
}

/** Nothing is usable: nodes that are out only because of their other models, else one probe of the nearest. */
function lastResort(ejected: readonly Placed[]): Placed[] {
  const suspected = ejected.filter((entry) => entry.view.cause === "models");
  if (suspected.length > 0) return suspected;
  const nearest = [...ejected].sort(nearestFirst)[0];
  if (nearest === undefined || !nearest.view.probeDue) return [];
  nearest.mode = "probe";
  return [nearest];
}

function nearestFirst(a: Placed, b: Placed): number {
  return a.view.returnsInMs - b.view.returnsInMs;
}

function arrange(entries: readonly Placed[], input: OrderInput): Placed[] {
  const ordered: Placed[] = [];
  const priorities = [...new Set(entries.map((entry) => entry.route.priority))].sort((a, b) => a - b);
  for (const [rank, priority] of priorities.entries()) {
    const group = entries.filter((entry) => entry.route.priority === priority);
    const preferred = rank === 0 ? takePreferred(group, input.preferredNodeId) : null;
    if (preferred !== null) ordered.push(preferred);
    while (group.length > 0) ordered.push(...group.splice(pick(group, input.random()), 1));
  }
  return ordered;
}

function takePreferred(group: Placed[], nodeId: string | null): Placed | null {
  const index = group.findIndex((entry) => entry.node.id === nodeId && entry.mode === "normal");
  return index === -1 ? null : (group.splice(index, 1)[0] ?? null);
}

/** Index drawn by weight; without any weight left, the first. */
function pick(group: readonly Placed[], random: number): number {
  let left = random * group.reduce((sum, entry) => sum + entry.route.weight, 0);
  for (const [index, entry] of group.entries()) {
    left -= entry.route.weight;
    if (left < 0) return index;
  }
  return 0;
}

function describe(entry: Placed, input: OrderInput, first: boolean): Candidate {
  const { route, node, mode } = entry;
  const place = `priority ${route.priority}, weight ${route.weight}`;
  const sticky = first && mode === "normal" && node.id === input.preferredNodeId;
  const why: Record<EntryMode, string> = {
    normal: sticky ? `${place}; this conversation's node` : place,
    trial: `${place}; trial of a half-open circuit`,
    spared: `${place}; ejected, but too many others are`,
    probe: `${place}; probe, every node is ejected`,
  };
  return { route, node, mode, reason: why[mode] };
}

function skip(entry: Placed): Skipped {
  const { route, node, view } = entry;
  const why = view.state === "busy" || view.state === "trial" ? view.state : (view.cause ?? "busy");
  return { route, node, why, returnsInMs: Math.ceil(view.returnsInMs) };
}
