import { typedText, typedWhole } from "../../forms/typed";
import type { AdminModel } from "../types";

/** One route as typed. */
export interface RouteDraft {
  node: string;
  model: string;
  priority: string;
  weight: string;
}

/** The routes of a model as typed. */
export function routeDraftsOf(model: AdminModel): RouteDraft[] {
  return model.routes.map(({ node, model: upstream, priority, weight }) => ({
    node,
    model: upstream,
    priority: String(priority),
    weight: String(weight),
  }));
}

/** A new route after the existing ones. */
export function emptyRoute(routes: RouteDraft[]): RouteDraft {
  const last = routes.at(-1);
  return { node: "", model: last?.model ?? "", priority: last?.priority ?? "0", weight: "100" };
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

/** Routes as sent. */
export function routesBody(routes: RouteDraft[]) {
  return routes.map(({ node, model, priority, weight }) => ({
    node: typedText(node),
    model: typedText(model),
    priority: typedWhole(priority) ?? "",
    weight: typedWhole(weight) ?? "",
  }));
}
