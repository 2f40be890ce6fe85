import type { ModelKind } from "@/lib/protocols/protocol";
import { typedText, typedWhole } from "../typed";
import type { DeclaredPrices } from "./declared-prices";
import { hasPrices, type PriceDraft, priceBody, priceDraftOf } from "./price-units";

/** A route of a model. */
interface Route {
  node: string;
  model: string;
  priority: number;
  weight: number;
  cost: DeclaredPrices | null;
}

/** One route as typed. */
export interface RouteDraft {
  node: string;
  model: string;
  priority: string;
  weight: string;
  /** What the node charges; all of it empty: not known. */
  cost: PriceDraft;
}

/** The routes of a model as typed. */
export function routeDraftsOf(model: { routes: readonly Route[] }): RouteDraft[] {
  return model.routes.map(({ node, model: upstream, priority, weight, cost }) => ({
    node,
    model: upstream,
    priority: String(priority),
    weight: String(weight),
    cost: priceDraftOf(cost),
  }));
}

/** A new route after the existing ones. */
export function emptyRoute(routes: RouteDraft[]): RouteDraft {
  const last = routes.at(-1);
  const cost = priceDraftOf(null);
  return { node: "", model: last?.model ?? "", priority: last?.priority ?? "0", weight: "100", cost };
}

/**
 * The priorities after two routes have changed places, in the new order. Each place keeps its priority; where both have
 * the same, the second place and the routes after it that are not before it by priority come one later.
 */
export function prioritiesAfterMove(routes: readonly RouteDraft[], index: number, other: number): string[] {
  const priorities = routes.map(({ priority }) => priority);
  const [first, second] = [Math.min(index, other), Math.max(index, other)];
  const shared = typedWhole(priorities[first] ?? "");
  if (typeof shared !== "number" || typedWhole(priorities[second] ?? "") !== shared) return priorities;
  return priorities.map((priority, place) => {
    const typed = typedWhole(priority);
    return place >= second && typeof typed === "number" && typed >= shared ? String(typed + 1) : priority;
  });
}

/** The share of requests a route gets among those of its priority; null when the numbers cannot be read. */
export function shareOf(route: RouteDraft, routes: RouteDraft[]): number | null {
  const weightOf = ({ weight }: RouteDraft) => {
    const typed = typedWhole(weight);
    return typeof typed === "number" ? typed : null;
  };
  const own = weightOf(route);
  const sum = routes
    .filter((other) => other.priority.trim() === route.priority.trim())
    .reduce((total, other) => total + (weightOf(other) ?? 0), 0);
  return own === null || sum === 0 ? null : own / sum;
}

/** Routes of a model of this kind as sent. */
export function routesBody(routes: RouteDraft[], kind: ModelKind) {
  return routes.map(({ node, model, priority, weight, cost }) => ({
    node: typedText(node),
    model: typedText(model),
    priority: typedWhole(priority) ?? "",
    weight: typedWhole(weight) ?? "",
    cost: hasPrices(cost) ? priceBody(cost, kind) : null,
  }));
}
