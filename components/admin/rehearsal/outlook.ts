import type { AdminModel, ModelsRehearsal, NodeView } from "../types";

export type Rehearsed = ModelsRehearsal["data"][number];

/**
 * What becomes of a model, the gravest first: no node is left, none was there before, a single one is left, its requests
 * go to other nodes, it loses a node that is asked only after others, or nothing changes.
 */
export const fates = ["stops", "already", "alone", "moves", "spare", "stays"] as const;
export type Fate = (typeof fates)[number];

/** A model while a node is out; shares are null where they are not known, or not defined. */
export interface Outlook {
  model: Rehearsed;
  fate: Fate;
  /** How much more the providers take for a call with as many tokens in as out, as a share with two decimals. */
  extraCost: number | null;
  /** The share of the requests at once that its nodes take no more. */
  lostCapacity: number | null;
}

/** What becomes of every model while a node is out, the gravest first. */
export function outlooks(
  rehearsed: readonly Rehearsed[],
  failing: string,
  known: { models: readonly AdminModel[]; nodes: readonly NodeView[] },
): Outlook[] {
  const all = rehearsed.map((model): Outlook => {
    const routes = known.models.find(({ alias }) => alias === model.model)?.routes ?? [];
    const fate = fateOf(model, failing);
    const goesOn = fate === "alone" || fate === "moves";
    return {
      model,
      fate,
      extraCost: goesOn ? extraCost(model, routes) : null,
      lostCapacity: goesOn || fate === "spare" ? lostCapacity(failing, routes, known.nodes) : null,
    };
  });
  const rank = ({ fate }: Outlook) => fates.indexOf(fate);
  return all.sort((a, b) => rank(a) - rank(b) || a.model.model.localeCompare(b.model.model));
}

function fateOf({ affected, now, later }: Rehearsed, failing: string): Fate {
  if (later.answer.status !== 200) return now.length === 0 ? "already" : "stops";
  if (!affected) return "stays";
  if (later.nodes === 1) return "alone";
  return now.some(({ node }) => node === failing) ? "moves" : "spare";
}

function extraCost({ now, later }: Rehearsed, routes: AdminModel["routes"]): number | null {
  const [before, after] = [costOf(now, routes), costOf(later.shares, routes)];
  if (before === null || after === null || before === 0) return null;
  // Shares are drawn, and no more exact.
  return Math.round((after / before - 1) * 100) / 100;
}

/** The average cost of a call at nodes with their shares; null where one of them is not known. */
function costOf(shares: Rehearsed["now"], routes: AdminModel["routes"]): number | null {
  let sum = 0;
  for (const { node, share } of shares) {
    const cost = routes.find((route) => route.node === node)?.cost;
    if (cost == null) return null;
    sum += share * (cost.input + cost.output);
  }
  return sum;
}

/** Null where one of the nodes takes any number of requests. */
function lostCapacity(
  failing: string,
  routes: AdminModel["routes"],
  nodes: readonly NodeView[],
): number | null {
  let [lost, all] = [0, 0];
  for (const name of new Set(routes.map(({ node }) => node))) {
    const node = nodes.find((one) => one.name === name);
    if (node === undefined || !node.enabled) continue;
    if (node.maxConcurrency === null) return null;
    all += node.maxConcurrency;
    if (name === failing) lost = node.maxConcurrency;
  }
  return all === 0 ? null : lost / all;
}
