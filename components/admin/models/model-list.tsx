"use client";

import { Ellipsis } from "lucide-react";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Badge } from "../../ui/badge";
import { buttonClass } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu";
import { Status } from "../../ui/status";
import { rowNameClass } from "../../ui/table";
import { Tooltip } from "../../ui/tooltip";
import { ManagedBadge } from "../managed-note";
import { useNodes } from "../queries";
import type { AdminModel, NodeView } from "../types";
import { useAdminChange } from "../use-admin-change";
import type { ModelTab } from "./model-sheet";

/** What to do with a model: open one of its parts, or delete it. */
export type ModelTask = ModelTab | "delete";

type OnTask = (model: AdminModel, task: ModelTask) => void;

/** The models with state, routes and prices. */
export function ModelList(props: { models: AdminModel[]; onTask: OnTask }) {
  const text = useMessages("adminModels");
  const admin = useMessages("admin");
  return (
    <DataTable
      opens
      caption={text.caption}
      columns={useModelColumns(props.onTask)}
      rows={props.models}
      rowId={(model) => model.id}
      actionsHead={admin.actions}
      actions={(model) => <ModelMenu model={model} onTask={props.onTask} />}
    />
  );
}

function useModelColumns(onTask: OnTask): Column<AdminModel>[] {
  const text = useMessages("adminModels");
  const format = useFormat();
  const nodes = useNodes().data?.data;
  const perMillion = (price: string) => fill(text.perMillion, { price });
  return [
    {
      id: "alias",
      head: text.alias,
      className: "max-w-80",
      cell: (model) => <ModelName model={model} onOpen={() => onTask(model, "details")} />,
    },
    {
      id: "state",
      head: text.state,
      card: "plain",
      cell: (model) => <ModelState model={model} nodes={nodes} />,
    },
    {
      id: "routes",
      head: text.routes,
      cell: (model) => (
        <span className="grid min-w-24 max-md:flex max-md:flex-wrap max-md:gap-x-1.5">
          <span>{plural(text.routeCount, model.routes.length, format.locale)}</span>
          <span className="text-xs wrap-anywhere text-muted">
            {[...new Set(model.routes.map((route) => route.node))].join(", ")}
          </span>
        </span>
      ),
    },
    { id: "input", head: perMillion(text.prices.input), rate: (model) => model.prices?.input ?? null },
    {
      id: "output",
      head: perMillion(text.prices.output),
      rate: (model) => (model.kind === "embedding" ? null : (model.prices?.output ?? null)),
    },
  ];
}

function ModelName(props: { model: AdminModel; onOpen: () => void }) {
  const text = useMessages("adminModels");
  const { model } = props;
  return (
    <div className="grid min-w-0 justify-items-start">
      <span className="flex flex-wrap items-center gap-x-2">
        <button
          type="button"
          onClick={props.onOpen}
          aria-label={fill(text.open, { name: model.alias })}
          className={rowNameClass}
        >
          {model.alias}
        </button>
        {model.kind === "embedding" && <Badge tone="info">{text.kinds.embedding}</Badge>}
        {model.managedByFile && <ManagedBadge />}
      </span>
      {model.alsoKnownAs.length > 0 && (
        <span className="font-mono text-xs font-normal break-all text-muted">
          {model.alsoKnownAs.join(", ")}
        </span>
      )}
    </div>
  );
}

/** Whether the alias is offered, and a warning when no healthy node serves it. */
function ModelState(props: { model: AdminModel; nodes: NodeView[] | undefined }) {
  const text = useMessages("adminModels");
  const { model, nodes } = props;
  if (!model.enabled) return <Status tone="off">{text.states.off}</Status>;
  if (model.prices === null) return <Status tone="warning">{text.states.noPrice}</Status>;
  if (!model.live) return <Status tone="warning">{text.states.noNode}</Status>;
  if (nodes !== undefined && !hasHealthyNode(model, nodes)) {
    return (
      <Tooltip note={text.unhealthyHint} className="cursor-default rounded-sm text-left">
        <Status tone="danger">{text.unhealthy}</Status>
      </Tooltip>
    );
  }
  return <Status tone="normal">{text.states.live}</Status>;
}

/** Whether an alias that is offered cannot be served now. */
export function needsAttention(model: AdminModel, nodes: NodeView[] | undefined): boolean {
  if (!model.enabled) return false;
  return model.prices === null || !model.live || (nodes !== undefined && !hasHealthyNode(model, nodes));
}

/** A node counts when it and its circuit for the upstream model are available. */
function hasHealthyNode(model: AdminModel, nodes: NodeView[]): boolean {
  return model.routes.some((route) => {
    const node = nodes.find((candidate) => candidate.id === route.nodeId);
    if (node === undefined || !["healthy", "degraded"].includes(node.health.state)) return false;
    const pair = node.health.models.find((candidate) => candidate.upstreamModel === route.model);
    return pair === undefined || pair.state === "healthy";
  });
}

function ModelMenu(props: { model: AdminModel; onTask: OnTask }) {
  const text = useMessages("adminModels");
  const admin = useMessages("admin");
  const common = useMessages("common");
  const change = useAdminChange(admin.changeFailed);
  const { model, onTask } = props;
  const toggle = () =>
    change.mutate({
      send: (call) =>
        call("PATCH /api/admin/models/{id}", { params: { id: model.id }, body: { enabled: !model.enabled } }),
      done: fill(model.enabled ? text.disabled : text.enabled, { name: model.alias }),
    });
  return (
    <Menu
      label={fill(admin.actionsFor, { name: model.alias })}
      triggerClass={buttonClass("ghost", "icon")}
      trigger={<Ellipsis aria-hidden className="size-4" />}
    >
      <MenuItem onClick={() => onTask(model, "details")}>{text.tabs.details}</MenuItem>
      <MenuItem onClick={() => onTask(model, "routes")}>{text.tabs.routes}</MenuItem>
      <MenuItem onClick={() => onTask(model, "prices")}>{text.tabs.prices}</MenuItem>
      {!model.managedByFile && (
        <>
          <MenuSeparator />
          <MenuItem onClick={toggle}>{model.enabled ? text.disable : text.enable}</MenuItem>
          <MenuItem danger onClick={() => onTask(model, "delete")}>
            {common.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
