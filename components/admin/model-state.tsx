"use client";

import type { AdminModel, NodeView } from "../api/admin/types";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Status, type StatusTone } from "../ui/status";
import { Tooltip } from "../ui/tooltip";

/** How an alias is served now; `partial`: by some of its routes, while others are kept from requests by their circuits. */
export type ServedState = "off" | "noPrice" | "noNode" | "unhealthy" | "partial" | "live";

/** The states, the gravest first. */
export const statesByGravity: readonly ServedState[] = [
  "unhealthy",
  "noNode",
  "noPrice",
  "partial",
  "live",
  "off",
];

const tones: Record<ServedState, StatusTone> = {
  off: "off",
  noPrice: "warning",
  noNode: "danger",
  unhealthy: "danger",
  partial: "warning",
  live: "normal",
};

/** How an alias is served; while the nodes are not known, all of them count as healthy. */
export function servedState(model: AdminModel, nodes: readonly NodeView[] | undefined): ServedState {
  if (!model.enabled) return "off";
  if (model.prices === null) return "noPrice";
  if (!model.live) return "noNode";
  if (nodes === undefined) return "live";
  if (!model.routes.some((route) => routeState(route, nodes) === "healthy")) return "unhealthy";
  return failingNodes(model, nodes).length > 0 ? "partial" : "live";
}

/** Whether an alias that is offered is not served by all of its nodes that are switched on. */
export function needsAttention(model: AdminModel, nodes: readonly NodeView[] | undefined): boolean {
  return !["off", "live"].includes(servedState(model, nodes));
}

/** Whether what the provider takes is not known of every route. */
export function lacksCost({ routes }: Pick<AdminModel, "routes">): boolean {
  return routes.some(({ cost }) => cost === null);
}

/** The nodes by which an alias is served now. */
export function servingNodes({ routes }: AdminModel, nodes: readonly NodeView[]): string[] {
  return [
    ...new Set(routes.filter((route) => routeState(route, nodes) === "healthy").map(({ nodeId }) => nodeId)),
  ];
}

/** The nodes of an alias that get no requests for it because they fail. */
export function failingNodes(model: AdminModel, nodes: readonly NodeView[]): string[] {
  const failing = model.routes.filter((route) => routeState(route, nodes) === "failing");
  return [...new Set(failing.map(({ node }) => node))];
}

/** A route is healthy when its node and the node's circuit for the upstream model are available. */
function routeState(route: AdminModel["routes"][number], nodes: readonly NodeView[]) {
  const node = nodes.find((candidate) => candidate.id === route.nodeId);
  if (node === undefined || node.health.state === "disabled") return "off";
  if (!["healthy", "degraded"].includes(node.health.state)) return "failing";
  const pair = node.health.models.find((candidate) => candidate.upstreamModel === route.model);
  return pair === undefined || pair.state === "healthy" ? "healthy" : "failing";
}

/** How an alias is served, in a word, with the nodes that fail. */
export function ModelState(props: { model: AdminModel; nodes: readonly NodeView[] | undefined }) {
  const text = useMessages("adminModels");
  const { model, nodes } = props;
  const state = servedState(model, nodes);
  const status = <Status tone={tones[state]}>{text.states[state]}</Status>;
  if (state === "unhealthy")
    return (
      <Tooltip note={text.unhealthyHint} className="cursor-default rounded-sm text-left">
        {status}
      </Tooltip>
    );
  if (state !== "partial" || nodes === undefined) return status;
  return (
    <span className="grid xl:min-w-40">
      {status}
      <span className="text-xs wrap-break-word text-muted">
        {fill(text.failingNodes, { nodes: failingNodes(model, nodes).join(", ") })}
      </span>
    </span>
  );
}
