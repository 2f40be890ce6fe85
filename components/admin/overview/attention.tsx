"use client";

import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { lacksCost, ModelState, needsAttention, servedState } from "../models/model-state";
import { isFailing, NodeState } from "../nodes/node-health";
import { emptyUsers, lowUsers } from "../page-reads";
import { useAdminModels, useNodes, useUsers } from "../queries";
import type { AdminModel, NodeView } from "../types";

/**
 * The nodes whose circuit, or that of a model, is not closed, models that are offered and not, or not fully, served,
 * accounts with little or nothing left, and models whose margin is not known while that of others is; nothing while all
 * is well.
 */
export function Attention() {
  const text = useMessages("admin").overview;
  const nodes = useNodes();
  const models = useAdminModels();
  const failing = nodes.data?.data.filter(({ health }) => isFailing(health)) ?? [];
  const troubled = models.data?.data.filter((model) => needsAttention(model, nodes.data?.data)) ?? [];
  const notices = useNotices(models.data?.data ?? []);
  if (failing.length === 0 && troubled.length === 0 && notices.length === 0) return null;
  return (
    <Card
      flush
      title={text.attention}
      actions={
        troubled.length > 0 && <TextLink href="/admin/models?attention=true">{text.attentionModels}</TextLink>
      }
    >
      {failing.length > 0 && <FailingNodes nodes={failing} asOf={nodes.dataUpdatedAt} />}
      {notices.length > 0 && (
        <ul className="divide-y border-b last:border-b-0">
          {notices.map(({ href, words }) => (
            <li key={href} className="px-4 py-2 text-sm">
              <TextLink href={href}>{words}</TextLink>
            </li>
          ))}
        </ul>
      )}
      {troubled.length > 0 && <TroubledModels models={troubled} nodes={nodes.data?.data} />}
    </Card>
  );
}

/** What is told by its number, each with the list of what it counts. */
function useNotices(models: AdminModel[]): { href: string; words: string }[] {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const [empty, low] = [useUsers(emptyUsers), useUsers(lowUsers)].map(({ data }) => data?.total ?? 0);
  const areCostsKnown = models.some(({ routes }) => routes.some(({ cost }) => cost !== null));
  const counts = [
    { count: empty, words: text.nothingLeft, href: "/admin/users?status=active&quota=empty" },
    { count: low === empty ? 0 : low, words: text.littleLeft, href: "/admin/users?status=active&quota=low" },
    {
      count: areCostsKnown ? models.filter(lacksCost).length : 0,
      words: text.withoutCost,
      href: "/admin/models?uncosted=true",
    },
  ];
  return counts.flatMap(({ count = 0, words, href }) =>
    count === 0 ? [] : { href, words: plural(words, count, format.locale) },
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
