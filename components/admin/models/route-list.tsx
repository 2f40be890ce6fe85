"use client";

import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import type { AdminModel } from "../types";

/** The routes of a model, read-only. */
export function RouteList(props: { model: AdminModel }) {
  const text = useMessages("adminModels");
  const nodes = useMessages("adminNodes");
  const { routes } = props.model;
  if (routes.length === 0) return <p className="text-sm text-muted">{text.noRoutes}</p>;
  return (
    <ol className="grid gap-2 text-sm">
      {routes.map((route) => (
        <li key={`${route.nodeId} ${route.model}`} className="grid gap-0.5">
          <span className="wrap-anywhere">
            <span className="font-medium">{route.node}</span>
            <span className="text-muted"> → </span>
            <span className="font-mono text-xs break-all">{route.model}</span>
          </span>
          <span className="text-xs text-muted">
            {fill(nodes.priorityWeight, { priority: route.priority, weight: route.weight })}
          </span>
        </li>
      ))}
    </ol>
  );
}
