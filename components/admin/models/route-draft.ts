import type { FieldErrors } from "@/components/forms/use-record-form";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { readWhole } from "../draft";
import type { AdminModel } from "../types";

const MAX_PRIORITY = 1000;
const MAX_WEIGHT = 1_000_000;

/** One route as typed; `key` tells the rows apart while they are edited. */
export interface RouteDraft {
  key: string;
  node: string;
  model: string;
  priority: string;
  weight: string;
}

/** One route as sent. */
export interface RouteBody {
  node: string;
  model: string;
  priority: number;
  weight: number;
}

/** The routes of a model as typed. */
export function routeDraftsOf(model: AdminModel | null): RouteDraft[] {
  return (model?.routes ?? []).map((route, index) => ({
    key: `stored-${index}`,
    node: route.node,
    model: route.model,
    priority: String(route.priority),
    weight: String(route.weight),
  }));
}

/** A new route after the existing ones. */
export function emptyRoute(routes: RouteDraft[]): RouteDraft {
  const last = routes.at(-1);
  const number = 1 + Math.max(0, ...routes.map((route) => Number(/^added-(\d+)$/.exec(route.key)?.[1] ?? 0)));
  return {
    key: `added-${number}`,
    node: "",
    model: last?.model ?? "",
    priority: last?.priority ?? "0",
    weight: "100",
  };
}

/** Moves a route up or down; it takes the priority of its new position. */
export function moved(routes: RouteDraft[], index: number, step: 1 | -1): RouteDraft[] {
  const [one, other] = [routes[index], routes[index + step]];
  if (one === undefined || other === undefined) return routes;
  const next = [...routes];
  next[index] = { ...other, priority: one.priority };
  next[index + step] = { ...one, priority: other.priority };
  return next;
}

/** The share of requests a route gets among those of its priority; null when the numbers cannot be read. */
export function shareOf(route: RouteDraft, routes: RouteDraft[]): number | null {
  const weights = routes
    .filter((other) => other.priority.trim() === route.priority.trim())
    .map((other) => readWhole(other.weight, 0, MAX_WEIGHT) ?? 0);
  const own = readWhole(route.weight, 0, MAX_WEIGHT);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return own == null || sum === 0 ? null : own / sum;
}

/** Checks typed routes; problems go to `errors` under the names the server uses. */
export function readRoutes(routes: RouteDraft[], admin: Messages["admin"], errors: FieldErrors): RouteBody[] {
  return routes.map((route, index) => {
    const at = `routes.${index}`;
    const priority = readWhole(route.priority, 0, MAX_PRIORITY);
    const weight = readWhole(route.weight, 0, MAX_WEIGHT);
    if (route.node === "") errors[`${at}.node`] = [admin.required];
    if (route.model.trim() === "") errors[`${at}.model`] = [admin.required];
    if (priority == null)
      errors[`${at}.priority`] = [fill(admin.numberBetween, { min: 0, max: MAX_PRIORITY })];
    if (weight == null) errors[`${at}.weight`] = [fill(admin.numberBetween, { min: 0, max: MAX_WEIGHT })];
    return { node: route.node, model: route.model.trim(), priority: priority ?? 0, weight: weight ?? 0 };
  });
}
