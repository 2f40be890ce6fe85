import { badField } from "@/lib/kernel/errors";
import { rowOf } from "@/lib/kernel/json";
import { type CatalogSnapshot, isServed, resolveAlias, routesOf } from "@/lib/router/catalog";
import type { HealthTarget } from "@/lib/router/health";
import type { Availability } from "@/lib/router/node-health";
import { type NodeOrder, orderNodes } from "@/lib/router/order";
import { type AssumedState, type RehearsedStep, SimulatedNodes } from "./simulated-nodes";

const DRAWS = 1_000;

/** A rehearsal: a model, and assumed states by node name; other nodes keep their real state. */
export interface RehearsalRequest {
  model: string;
  assume: Readonly<Record<string, AssumedState>>;
}

/**
 * Simulates requests for a model with nodes in the given states: the attempts of one request with their times, the
 * answer, the shares of first nodes in a thousand draws, and after how many requests the router avoids a faulty node.
 * Sends nothing and changes no health. Throws: INVALID_REQUEST.
 */
export function rehearse(
  snapshot: CatalogSnapshot,
  availability: (target: HealthTarget) => Availability,
  request: RehearsalRequest,
  random: () => number,
) {
  const model = resolveAlias(snapshot, request.model);
  if (model === null || !isServed(snapshot, model))
    throw badField("model", "is not the alias of a live model");
  const routes = routesOf(snapshot, model);
  for (const name of Object.keys(request.assume)) {
    if (!routes.some(({ node }) => node.name === name))
      throw badField(`assume.${name}`, "is no enabled node of this model");
  }
  const nameOf = (nodeId: string) => snapshot.nodes.get(nodeId)?.name ?? "";
  const stateOf = (nodeId: string) => rowOf(request.assume, nameOf(nodeId)) ?? null;
  const nodes = new SimulatedNodes(stateOf, nameOf, availability);
  const view = (target: HealthTarget) => nodes.availability(target);
  const draw = () => orderNodes({ routes, availability: view, random, preferredNodeId: null });
  const order = draw();
  const shares = sharesOf(draw);
  const { steps, answer } = nodes.walk(order);
  return {
    model: model.alias,
    order: stepRecordsOf(order, steps),
    skipped: skippedOf(order),
    answer,
    learnt: nodes.learn(draw),
    shares,
  };
}

function stepRecordsOf(order: NodeOrder, steps: readonly RehearsedStep[]) {
  return order.candidates.flatMap(({ node, route, reason, mode }, index) => {
    const step = steps[index];
    if (step === undefined) return [];
    return {
      n: index + 1,
      node: node.name,
      nodeId: node.id,
      protocol: node.protocol,
      upstreamModel: route.upstreamModel,
      priority: route.priority,
      weight: route.weight,
      mode,
      reason,
      ...step,
    };
  });
}

function skippedOf(order: NodeOrder) {
  return order.skipped.map(({ node, route, why, returnsInMs }) => ({
    node: node.name,
    nodeId: node.id,
    protocol: node.protocol,
    upstreamModel: route.upstreamModel,
    why,
    returnsInMs,
  }));
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
