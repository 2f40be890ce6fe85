"use client";

import { FlaskConical } from "lucide-react";
import { protocolTitles } from "@/lib/protocols/protocol";
import type { NodeView } from "../../api/admin/types";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Sorting } from "../../lists/row-order";
import { SortedTable } from "../../lists/sorted-table";
import { Badge } from "../../ui/badge";
import type { Column } from "../../ui/columns";
import { rowNameClass } from "../../ui/table";
import { ManagedBadge } from "../managed-note";
import { ErrorText, NodeState, shownState, statesByGravity } from "./node-health";
import { NodeMenu, type NodeTask } from "./node-menu";

/** What needs attention begins: the gravest state, the lowest success, the slowest, the latest error. */
const sortings: Record<string, Sorting<NodeView>> = {
  name: { first: "asc", by: ({ name }) => name },
  health: { first: "asc", by: ({ health }) => statesByGravity.indexOf(shownState(health)) },
  inFlight: { first: "desc", by: ({ health }) => health.inFlight },
  success: { first: "asc", by: ({ health }) => health.successShare },
  p95: { first: "desc", by: ({ health }) => health.p95Ms },
  models: { first: "desc", by: ({ models }) => models.length },
  error: { first: "asc", by: ({ health }) => health.lastError?.agoMs ?? null },
};

/** The nodes with their health; the name opens the details. */
export function NodeList(props: {
  nodes: NodeView[];
  asOf: number;
  onOpen: (node: NodeView) => void;
  onTest: (node: NodeView) => void;
  onTask: (node: NodeView, task: NodeTask) => void;
}) {
  const text = useMessages("adminNodes");
  return (
    <SortedTable
      opens
      list="nodes"
      sortings={sortings}
      nameOf={({ name }) => name}
      initial={{ sort: "name", order: "asc" }}
      caption={text.caption}
      columns={useNodeColumns(props.asOf, props.onOpen)}
      rows={props.nodes}
      rowId={(node) => node.id}
      edit={(node) => (node.managedByFile ? undefined : () => props.onTask(node, "edit"))}
      actions={(node) => (
        <NodeMenu node={node} onTest={() => props.onTest(node)} onTask={(task) => props.onTask(node, task)} />
      )}
    />
  );
}

function useNodeColumns(asOf: number, onOpen: (node: NodeView) => void): Column<NodeView>[] {
  const text = useMessages("adminNodes");
  const format = useFormat();
  return [
    {
      id: "name",
      head: text.name,
      className: "w-1/4 max-w-80 min-w-40",
      cell: (node) => <NodeName node={node} onOpen={() => onOpen(node)} />,
    },
    {
      id: "health",
      head: text.health,
      card: "line",
      className: "min-w-40",
      cell: ({ health }) => <NodeState health={health} asOf={asOf} />,
    },
    {
      id: "inFlight",
      head: text.inFlight,
      end: true,
      from: "lg",
      cell: (node) => inFlightOf(node, format.count),
    },
    {
      id: "success",
      head: text.success,
      end: true,
      className: "whitespace-nowrap",
      cell: ({ health }) =>
        health.successShare === null ? (
          <span className="text-muted">{text.noTraffic}</span>
        ) : (
          format.percent(health.successShare)
        ),
    },
    { id: "p95", head: text.p95, end: true, cell: ({ health }) => format.duration(health.p95Ms) },
    {
      id: "models",
      head: text.routeCount,
      from: "2xl",
      card: "plain",
      className: "whitespace-nowrap",
      cell: (node) => plural(text.served, node.models.length, format.locale),
    },
    {
      id: "error",
      head: text.lastError,
      from: "lg",
      className: "w-1/5 max-w-0 truncate",
      cell: ({ health }) =>
        health.lastError === null ? (
          <span className="text-muted">{text.noErrors}</span>
        ) : (
          <ErrorText error={health.lastError} />
        ),
    },
  ];
}

function NodeName(props: { node: NodeView; onOpen: () => void }) {
  const text = useMessages("adminNodes");
  const { node } = props;
  const where = `${protocolTitles[node.protocol]} · ${hostOf(node.baseUrl)}`;
  return (
    <div className="grid min-w-0 justify-items-start">
      <button
        type="button"
        onClick={props.onOpen}
        aria-label={fill(text.open, { name: node.name })}
        className={rowNameClass}
      >
        {node.name}
      </button>
      {/* In a table a long host takes no room from the other columns. */}
      <span className="flex w-full">
        <span
          title={where}
          className="text-xs font-normal text-muted max-md:wrap-anywhere md:w-0 md:grow md:truncate"
        >
          {where}
        </span>
      </span>
      {(node.simulated || node.managedByFile) && (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          {node.simulated && (
            <Badge tone="info" icon={FlaskConical}>
              {text.simulated}
            </Badge>
          )}
          {node.managedByFile && <ManagedBadge />}
        </span>
      )}
    </div>
  );
}

function inFlightOf(node: NodeView, count: (value: number) => string): string {
  const { inFlight, maxConcurrency } = node.health;
  return maxConcurrency === null ? count(inFlight) : `${count(inFlight)} / ${count(maxConcurrency)}`;
}

/** The host of an address; the address itself when it cannot be read. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
