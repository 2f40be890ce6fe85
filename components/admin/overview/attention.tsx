"use client";

import type { ReactNode } from "react";
import type { AdminModel, NodeView } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { TextLink } from "../../ui/link";
import { lacksCost, ModelState, needsAttention, servedState } from "../model-state";
import { isFailing, NodeState } from "../nodes/node-health";
import { emptyUsers, lowUsers } from "./reads";

/**
 * One list of the nodes whose circuit, or that of a model, is not closed, the models that are offered and not, or not
 * fully, served, an alert that did not arrive, accounts with little or nothing left, and models whose margin is not known while that of others is;
 * nothing while all is well.
 */
export function Attention() {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const nodes = useRead("GET /api/admin/nodes");
  const models = useRead("GET /api/admin/models");
  const failing = nodes.data?.data.filter(({ health }) => isFailing(health)) ?? [];
  const troubled = models.data?.data.filter((model) => needsAttention(model, nodes.data?.data)) ?? [];
  const notices = useNotices(models.data?.data ?? []);
  const alert = useLostAlert();
  if (failing.length + troubled.length + notices.length === 0 && alert === null) return null;
  return (
    <Card
      flush
      title={text.attention}
      actions={
        troubled.length > 0 && <TextLink href="/admin/models?attention=true">{text.attentionModels}</TextLink>
      }
    >
      <ul className="divide-y" aria-label={text.attention}>
        {failing.map((node) => (
          <Item key={node.id} href={`/admin/nodes?node=${node.id}`} kind={text.node} words={node.name}>
            <NodeState health={node.health} asOf={nodes.dataUpdatedAt} />
            {node.health.successShare !== null && (
              <span className="text-muted">
                {fill(text.nodeSuccess, { share: format.percent(node.health.successShare) })}
              </span>
            )}
            <TextLink href={`/admin/logs?node=${node.id}&last=1h`}>{text.viewCalls}</TextLink>
          </Item>
        ))}
        {troubled.map((model) => (
          <Item key={model.id} href={hrefOf(model, nodes.data?.data)} kind={text.model} words={model.alias}>
            <ModelState model={model} nodes={nodes.data?.data} />
          </Item>
        ))}
        {alert !== null && (
          <Item href="/admin/settings#alerts" kind={text.alert} words={text.alertLost}>
            <span className="text-muted wrap-anywhere">{alert.said ?? alert.error}</span>
          </Item>
        )}
        {notices.map(({ href, kind, words }) => (
          <Item key={href} href={href} kind={kind} words={words} />
        ))}
      </ul>
    </Card>
  );
}

/** The latest alert of the process that answers, where it did not arrive; a test tells that where it is sent. */
function useLostAlert() {
  const last = useRead("GET /api/admin/settings").data?.lastAlert ?? null;
  return last === null || last.ok || last.event === "test" ? null : last;
}

/** What it is about, on the left with the link to it; on the right how it is. */
function Item(props: { href: string; kind: string; words: string; children?: ReactNode }) {
  return (
    <li className="grid items-baseline gap-x-4 gap-y-1 px-4 py-2 text-sm sm:grid-cols-6">
      <span className="text-muted">{props.kind}</span>
      <TextLink href={props.href} className="justify-self-start wrap-anywhere sm:col-span-2">
        {props.words}
      </TextLink>
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 sm:col-span-3">
        {props.children}
      </span>
    </li>
  );
}

/** What is told by its number, each with the list of what it counts. */
function useNotices(models: AdminModel[]): { href: string; kind: string; words: string }[] {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const [empty, low] = [
    useRead("GET /api/admin/users", emptyUsers),
    useRead("GET /api/admin/users", lowUsers),
  ].map(({ data }) => data?.total ?? 0);
  const areCostsKnown = models.some(({ routes }) => routes.some(({ cost }) => cost !== null));
  const counts = [
    {
      count: empty,
      kind: text.user,
      words: text.nothingLeft,
      href: "/admin/users?status=active&quota=empty",
    },
    {
      count: low === empty ? 0 : low,
      kind: text.user,
      words: text.littleLeft,
      href: "/admin/users?status=active&quota=low",
    },
    {
      count: areCostsKnown ? models.filter(lacksCost).length : 0,
      kind: text.model,
      words: text.withoutCost,
      href: "/admin/models?uncosted=true",
    },
  ];
  return counts.flatMap(({ count = 0, words, ...rest }) =>
    count === 0 ? [] : { ...rest, words: plural(words, count, format.locale) },
  );
}

function hrefOf(model: AdminModel, nodes: NodeView[] | undefined): string {
  const tab = servedState(model, nodes) === "noPrice" ? "prices" : "routes";
  return `/admin/models?model=${model.id}&tab=${tab}`;
}
