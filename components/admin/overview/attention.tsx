"use client";

import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { ModelState, needsAttention, servedState } from "../models/model-state";
import { NodeState } from "../nodes/node-health";
import { useAdminModels, useNodes } from "../queries";
import type { AdminModel, NodeView } from "../types";

/** Models that are offered and not, or not fully, served, and the nodes whose circuit, or that of a model, is open; nothing while all is well. */
export function Attention() {
  const text = useMessages("admin").overview;
  const nodes = useNodes();
  const models = useAdminModels();
  const failing =
    nodes.data?.data.filter(({ health }) => ["ejected", "cooling", "degraded"].includes(health.state)) ?? [];
  const troubled = models.data?.data.filter((model) => needsAttention(model, nodes.data?.data)) ?? [];
  if (failing.length === 0 && troubled.length === 0) return null;
  return (
    <Card
      flush
      title={text.attention}
      actions={<TextLink href="/admin/models?attention=true">{text.attentionModels}</TextLink>}
    >
      {failing.length > 0 && <FailingNodes nodes={failing} asOf={nodes.dataUpdatedAt} />}
      {troubled.length > 0 && <TroubledModels models={troubled} nodes={nodes.data?.data} />}
    </Card>
  );
}

function FailingNodes(props: { nodes: NodeView[]; asOf: number }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  return (
    <ul className="divide-y border-b last:border-b-0">
      {props.nodes.map((node) => (
        <li
          key={node.id}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-2 text-sm"
        >
          <TextLink href={`/admin/nodes?node=${node.id}`}>{node.name}</TextLink>
          <span className="flex flex-wrap items-baseline gap-x-4">
            {node.health.successShare !== null && (
              <span className="text-muted">
                {fill(text.nodeSuccess, { share: format.percent(node.health.successShare) })}
              </span>
            )}
            <NodeState health={node.health} asOf={props.asOf} />
            <TextLink href={`/admin/logs?node=${node.id}`}>{text.viewCalls}</TextLink>
          </span>
        </li>
      ))}
    </ul>
  );
}

function TroubledModels(props: { models: AdminModel[]; nodes: NodeView[] | undefined }) {
  const text = useMessages("admin").overview;
  const { models, nodes } = props;
  return (
    <DataTable
      opens
      flush
      caption={text.attentionModels}
      rows={models}
      rowId={({ id }) => id}
      columns={[
        {
          id: "model",
          head: text.model,
          className: "min-w-36 wrap-anywhere",
          cell: (model) => <TextLink href={hrefOf(model, nodes)}>{model.alias}</TextLink>,
        },
        {
          id: "state",
          head: text.state,
          card: "plain",
          cell: (model) => <ModelState model={model} nodes={nodes} />,
        },
        {
          id: "routes",
          head: text.routeNodes,
          card: "plain",
          className: "wrap-anywhere text-muted",
          cell: ({ routes }) => [...new Set(routes.map(({ node }) => node))].join(", "),
        },
      ]}
    />
  );
}

function hrefOf(model: AdminModel, nodes: NodeView[] | undefined): string {
  const tab = servedState(model, nodes) === "noPrice" ? "prices" : "routes";
  return `/admin/models?model=${model.id}&tab=${tab}`;
}
