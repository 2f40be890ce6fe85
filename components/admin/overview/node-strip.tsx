"use client";

import type { NodeView } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { ButtonLink, TextLink } from "../../ui/link";
import { Status } from "../../ui/status";
import { shownState, statesByGravity, stateTones } from "../nodes/node-health";

/** How many nodes are in which state. */
export function NodeStrip() {
  const text = useMessages("admin").overview;
  const nodes = useRead("GET /api/admin/nodes");
  return (
    <section aria-label={text.nodesStrip} className="rounded-lg border px-4 py-2">
      <QueryRegion query={nodes}>{(list) => <States nodes={list.data} />}</QueryRegion>
    </section>
  );
}

function States(props: { nodes: NodeView[] }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  if (props.nodes.length === 0) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-muted">{text.noNodes}</p>
        <ButtonLink href="/admin/nodes" variant="primary" size="sm">
          {text.addNode}
        </ButtonLink>
      </div>
    );
  }
  const counts = statesByGravity
    .map((state) => ({
      state,
      count: props.nodes.filter(({ health }) => shownState(health) === state).length,
    }))
    .filter(({ count }) => count > 0);
  return (
    <ul className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <li className="flex items-center gap-x-2 text-sm">
        <TextLink href="/admin/nodes">{plural(text.nodeCounts, props.nodes.length, format.locale)}</TextLink>
        <Separator />
      </li>
      {counts.map(({ state, count }, index) => (
        <li key={state} className="flex items-center gap-x-2">
          <Status tone={stateTones[state]} className="tabular text-sm">
            {plural(text.nodeStates[state], count, format.locale)}
          </Status>
          {index < counts.length - 1 && <Separator />}
        </li>
      ))}
    </ul>
  );
}

/** It stands at the end of a part, so that no line begins with it. */
function Separator() {
  return (
    <span aria-hidden className="text-muted">
      ·
    </span>
  );
}
