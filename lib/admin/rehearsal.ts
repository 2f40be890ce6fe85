import { badField } from "@/lib/accounts/bad-field";
import { AVAILABLE, type Availability } from "@/lib/router/availability";
import { type CatalogSnapshot, resolveAlias, routesOf } from "@/lib/router/catalog";
import type { HealthTarget } from "@/lib/router/health";
import { MAX_ATTEMPTS, type NodeOrder, orderNodes } from "@/lib/router/order";

const DRAWS = 1_000;
const EJECTED_MS = 30_000;

/** What a node is assumed to be; absent nodes are as they really are now. */
export type AssumedState = "healthy" | "ejected" | "cooling" | "half-open" | "busy";

/** What is rehearsed: a model, and assumptions by the name of the node. */
export interface RehearsalRequest {
  model: string;
  assume: Readonly<Record<string, AssumedState>>;
}

/**
 * Shows where requests for a model would go if nodes were in the given states: one order with its reasons, and how
 * a thousand draws share out. Nothing is sent and no health changes. Throws: INVALID_REQUEST.
 */
export function rehearse(
  snapshot: CatalogSnapshot,
  availability: (target: HealthTarget) => Availability,
  request: RehearsalRequest,
  random: () => number,
) {
  const model = resolveAlias(snapshot, request.model);
  if (model === null) throw badField("model", "is not the alias of a live model");
  const routes = routesOf(snapshot, model);
  for (const name of Object.keys(request.assume)) {
    if (!routes.some(({ node }) => node.name === name))
      throw badField(`assume.${name}`, "is no enabled node of this model");
  }
  const supposed = (target: HealthTarget): Availability => {
    const assumed = request.assume[snapshot.nodes.get(target.nodeId)?.name ?? ""];
    return assumed === undefined ? availability(target) : availabilityOf(assumed);
  };
  const draw = () => orderNodes({ routes, availability: supposed, random, preferredNodeId: null });
  return { model: model.alias, ...orderRecordOf(draw()), shares: sharesOf(draw) };
}

function orderRecordOf(order: NodeOrder) {
  return {
    order: order.candidates.slice(0, MAX_ATTEMPTS).map(({ node, route, reason, mode }, index) => ({
      n: index + 1,
      node: node.name,
      nodeId: node.id,
      protocol: node.protocol,
      upstreamModel: route.upstreamModel,
      priority: route.priority,
      weight: route.weight,
      mode,
      reason,
    })),
    skipped: order.skipped.map(({ node, route, why, returnsInMs }) => ({
      node: node.name,
      nodeId: node.id,
      protocol: node.protocol,
      upstreamModel: route.upstreamModel,
      why,
      returnsInMs,
    })),
    answer: order.candidates.length > 0 ? "forwarded" : "NO_AVAILABLE_NODE",
    retryAfterSeconds: order.candidates.length > 0 ? null : order.retryAfterSeconds,
  };
}

/** How often each node came first. */
function sharesOf(draw: () => NodeOrder) {
  const firsts = new Map<string, number>();
  for (let index = 0; index < DRAWS; index += 1) {
    const name = draw().candidates[0]?.node.name;
    if (name !== undefined) firsts.set(name, (firsts.get(name) ?? 0) + 1);
  }
  return [...firsts].map(([node, times]) => ({ node, share: times / DRAWS }));
}

function availabilityOf(state: AssumedState): Availability {
  switch (state) {
    case "healthy":
      return AVAILABLE;
    case "ejected":
      return { state, cause: "consecutive", returnsInMs: EJECTED_MS, probeDue: false };
    case "cooling":
      return { state, cause: "limited", returnsInMs: EJECTED_MS, probeDue: false };
    case "half-open":
      return { state, cause: "consecutive", returnsInMs: 0, probeDue: false };
    case "busy":
      return { state, cause: null, returnsInMs: 0, probeDue: false };
  }
}
