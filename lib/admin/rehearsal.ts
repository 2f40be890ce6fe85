import { setImmediate } from "node:timers/promises";
import { badField } from "@/lib/kernel/errors";
import { rowOf } from "@/lib/kernel/json-object";
import {
  type CatalogModel,
  type CatalogSnapshot,
  isServed,
  resolveAlias,
  routesOf,
} from "@/lib/router/catalog";
import type { HealthTarget } from "@/lib/router/health";
import type { Availability } from "@/lib/router/node-health";
import { type NodeOrder, orderNodes } from "@/lib/router/order";
import { type AssumedState, type RehearsedStep, SimulatedNodes } from "./simulated-nodes";

const DRAWS = 1_000;
/** Draws of each model when all are rehearsed: enough for whole percents, and fast enough for many models. */
const DRAWS_OF_EACH = 200;

/** Assumed states by node name; other nodes keep their real state. */
type Assumption = Readonly<Record<string, AssumedState>>;

/** A rehearsal: a model, and the assumed states. */
export interface RehearsalRequest {
  model: string;
  assume: Assumption;
}

/** The inputs of a rehearsal from the gateway: its catalog, the health of its nodes, and random numbers. */
export interface Stage {
  snapshot: CatalogSnapshot;
  availability: (target: HealthTarget) => Availability;
  random: () => number;
}

/**
 * Simulates requests for a model with nodes in the given states: the attempts of one request with their times, the
 * answer, the shares of first nodes in a thousand draws, and after how many requests the router avoids a faulty node.
 * Sends nothing and changes no health. Throws: INVALID_REQUEST.
 */
export function rehearse(stage: Stage, request: RehearsalRequest) {
  const { snapshot } = stage;
  const model = resolveAlias(snapshot, request.model);
  if (model === null || !isServed(snapshot, model))
    throw badField("model", "is not the alias of a live model");
  const routes = routesOf(snapshot, model);
  for (const name of Object.keys(request.assume)) {
    if (!routes.some(({ node }) => node.name === name))
      throw badField(`assume.${name}`, "is no enabled node of this model");
  }
  const { nodes, draw } = simulation(stage, model, request.assume);
  const order = draw();
  const shares = sharesOf(draw, DRAWS);
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

/**
 * Simulates requests for every live model with nodes in the given states: the shares of nodes now, the answer of the
 * first request, and the shares once the router has detected the faults; no shares: no node answers. Other work runs
 * between two models. Throws: INVALID_REQUEST.
 */
export async function rehearseModels(stage: Stage, assume: Assumption) {
  const { snapshot } = stage;
  const known = new Set(
    [...snapshot.nodes.values()].filter(({ enabled }) => enabled).map(({ name }) => name),
  );
  for (const name of Object.keys(assume))
    if (!known.has(name)) throw badField(`assume.${name}`, "is no enabled node");
  const data = [];
  for (const model of snapshot.models.values()) {
    data.push(rehearsedModel(stage, model, assume));
    await setImmediate();
  }
  return { data };
}

function rehearsedModel(stage: Stage, model: CatalogModel, assume: Assumption) {
  const real = simulation(stage, model, {});
  real.nodes.learn(real.draw);
  const now = sharesOf(real.draw, DRAWS_OF_EACH);
  const { nodes, draw } = simulation(stage, model, assume);
  const first = nodes.walk(draw()).answer;
  nodes.learn(draw);
  const order = draw();
  const { answer } = nodes.walk(order);
  const affected = routesOf(stage.snapshot, model).some(({ node }) => Object.hasOwn(assume, node.name));
  const answers = answer.status === 200;
  const later = {
    answer,
    // The router does not know faults that no call has met, so candidates may include faulty nodes.
    nodes: order.candidates.filter((candidate) => nodes.answers(candidate)).length,
    shares: answers ? sharesOf(draw, DRAWS_OF_EACH) : [],
  };
  return { model: model.alias, affected, now, first, later };
}

/** The nodes of a model in assumed states, and the order in which the router would try them. */
function simulation({ snapshot, availability, random }: Stage, model: CatalogModel, assume: Assumption) {
  const routes = routesOf(snapshot, model);
  const nameOf = (nodeId: string) => snapshot.nodes.get(nodeId)?.name ?? "";
  const stateOf = (nodeId: string) => rowOf(assume, nameOf(nodeId)) ?? null;
  const nodes = new SimulatedNodes(stateOf, nameOf, availability);
  const view = (target: HealthTarget) => nodes.availability(target);
  const draw = () => orderNodes({ routes, availability: view, random, preferredNodeId: null });
  return { nodes, draw };
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

/** The share of draws in which each node was first. */
function sharesOf(draw: () => NodeOrder, draws: number) {
  const firsts = new Map<string, number>();
  for (let index = 0; index < draws; index += 1) {
    const name = draw().candidates[0]?.node.name;
    if (name !== undefined) firsts.set(name, (firsts.get(name) ?? 0) + 1);
  }
  return [...firsts].map(([node, times]) => ({ node, share: times / draws }));
}
