import { compareCodes } from "./collate";

/** The share of the requests of a model that a node takes. */
interface Share {
  node: string;
  share: number;
}

/** A model now, and while some nodes are out. */
export interface Rehearsed {
  model: string;
  /** Whether its answers or its nodes change. */
  affected: boolean;
  now: readonly Share[];
  first: { status: number; code: string | null; node: string | null; afterMs: number };
  later: { answer: { status: number; code: string | null }; nodes: number; shares: readonly Share[] };
}

/** A route of a model with what its node charges; null: not known. */
interface Route {
  node: string;
  cost: { input: number; output: number } | null;
}

/** What is known of a node. */
interface KnownNode {
  name: string;
  enabled: boolean;
  /** Null: it takes any number of requests at once. */
  maxConcurrency: number | null;
}

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
  /** What the model was asked and billed lately; null while that is not known. */
  traffic: Traffic | null;
}

/** What a model was asked and billed. Unit of cost: cents as decimal text. */
export interface Traffic {
  model: string;
  requestCount: number;
  cost: string;
}

/** What becomes of every model while some nodes are out: the gravest first, of these the most used. */
export function outlooks(
  rehearsed: readonly Rehearsed[],
  failing: readonly string[],
  known: {
    models: readonly { alias: string; routes: readonly Route[] }[];
    nodes: readonly KnownNode[];
    traffic?: readonly Traffic[];
  },
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
      traffic: trafficOf(model.model, known.traffic),
    };
  });
  const rank = ({ fate }: Outlook) => fates.indexOf(fate);
  const requests = ({ traffic }: Outlook) => traffic?.requestCount ?? 0;
  return all.sort(
    (a, b) => rank(a) - rank(b) || requests(b) - requests(a) || compareCodes(a.model.model, b.model.model),
  );
}

/** A model without an entry was not asked. */
function trafficOf(model: string, traffic: readonly Traffic[] | undefined): Traffic | null {
  if (traffic === undefined) return null;
  return traffic.find((one) => one.model === model) ?? { model, requestCount: 0, cost: "0" };
}

function fateOf({ affected, now, later }: Rehearsed, failing: readonly string[]): Fate {
  if (later.answer.status !== 200) return now.length === 0 ? "already" : "stops";
  if (!affected) return "stays";
  if (later.nodes === 1) return "alone";
  return now.some(({ node }) => failing.includes(node)) ? "moves" : "spare";
}

function extraCost({ now, later }: Rehearsed, routes: readonly Route[]): number | null {
  const [before, after] = [costOf(now, routes), costOf(later.shares, routes)];
  if (before === null || after === null || before === 0) return null;
  // Shares are drawn, and no more exact.
  return Math.round((after / before - 1) * 100) / 100;
}

/** The average cost of a call at nodes with their shares; null where one of them is not known. */
function costOf(shares: Rehearsed["now"], routes: readonly Route[]): number | null {
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
  failing: readonly string[],
  routes: readonly Route[],
  nodes: readonly KnownNode[],
): number | null {
  let [lost, all] = [0, 0];
  for (const name of new Set(routes.map(({ node }) => node))) {
    const node = nodes.find((one) => one.name === name);
    if (node === undefined || !node.enabled) continue;
    if (node.maxConcurrency === null) return null;
    all += node.maxConcurrency;
    if (failing.includes(name)) lost += node.maxConcurrency;
  }
  return all === 0 ? null : lost / all;
}
