"use client";

import type { ReactNode } from "react";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { otherProvider } from "@/lib/protocols/profiles/providers";
import { protocolTitles } from "@/lib/protocols/protocol";
import type { NodeView } from "../../api/admin/types";
import { fill, plural } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Facts } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { Drawer } from "../../ui/drawer";
import { ButtonLink, TextLink } from "../../ui/link";
import { ManagedNote } from "../managed-note";
import { nodeRehearsal } from "../rehearsal/suppositions";
import { ErrorText, NodeState, StateBadge } from "./node-health";
import { hostOf } from "./node-list";
import { type NodeTask, useToggleNode } from "./node-menu";
import { providerShown } from "./node-provider";
import { NodeTest } from "./node-test";
import { NodeMinutes } from "./node-traffic";
import { NodeTrend } from "./node-trend";

interface DrawerProps {
  node: NodeView;
  asOf: number;
  /** It opens at the test. */
  toTest: boolean;
  onClose: () => void;
  onTask: (task: NodeTask) => void;
}

/** One node in full: health, circuits, test, errors, settings. */
export function NodeDrawer(props: DrawerProps & { children?: ReactNode }) {
  const text = useMessages("adminNodes");
  const { node } = props;
  return (
    <Drawer forReading={!props.toTest} onClose={props.onClose} title={node.name}>
      <div className="grid gap-6">
        {node.managedByFile && <ManagedNote />}
        <p className="-mt-2 -mb-4 text-sm wrap-anywhere text-muted">{endpointOf(node)}</p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <NodeState health={node.health} asOf={props.asOf} />
          <DrawerActions {...props} />
        </div>
        <Part title={text.testTitle}>
          <NodeTest node={node} isFirst={props.toTest} />
        </Part>
        <Part
          title={text.hourTraffic}
          action={
            <ButtonLink size="sm" variant="ghost" href={`/admin/logs?node=${node.id}&last=1h`}>
              {text.viewCalls}
            </ButtonLink>
          }
        >
          <NodeMinutes nodeId={node.id} />
        </Part>
        <Part title={text.trend.heading}>
          <NodeTrend nodeId={node.id} />
        </Part>
        <Part
          title={text.circuits}
          action={
            <Button size="sm" variant="ghost" onClick={() => props.onTask("reset")}>
              {text.reset}
            </Button>
          }
        >
          <Circuits node={node} asOf={props.asOf} />
        </Part>
        <Part title={text.recentErrors}>
          <RecentErrors node={node} />
        </Part>
        <Part title={text.routes}>
          <Served node={node} />
        </Part>
        <Part title={text.settings}>
          <Settings node={node} />
        </Part>
      </div>
      {props.children}
    </Drawer>
  );
}

/** The provider, where it is a known one, the protocol and the host of a node. */
function endpointOf(node: NodeView): string {
  const provider = providerOf(node);
  const known = provider === otherProvider ? [] : [provider.label];
  return [...known, protocolTitles[node.protocol], hostOf(node.baseUrl)].join(" · ");
}

function DrawerActions(props: DrawerProps) {
  const text = useMessages("adminNodes");
  const { node, onTask } = props;
  const { toggle, busy } = useToggleNode(onTask);
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => onTask("models")}>
        {text.addModels.open}
      </Button>
      {node.enabled && (
        <ButtonLink size="sm" href={nodeRehearsal(node.name)}>
          {text.rehearse}
        </ButtonLink>
      )}
      {!node.managedByFile && (
        <>
          <Button size="sm" disabled={busy} onClick={() => void toggle(node)}>
            {node.enabled ? text.drain : text.enable}
          </Button>
          <Button size="sm" onClick={() => onTask("edit")}>
            {text.edit}
          </Button>
        </>
      )}
    </div>
  );
}

function Part(props: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{props.title}</h3>
        {props.action}
      </div>
      {props.children}
    </section>
  );
}

function Circuits(props: { node: NodeView; asOf: number }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { models, circuit } = props.node.health;
  const rows: CircuitRow[] = [{ ...circuit, upstreamModel: null }, ...models];
  return (
    <DataTable
      caption={text.circuits}
      rows={rows}
      rowId={(row) => row.upstreamModel ?? ""}
      columns={[
        {
          id: "of",
          head: text.circuitOf,
          cell: ({ upstreamModel }) =>
            upstreamModel === null ? (
              text.nodeItself
            ) : (
              <span title={upstreamModel} className="font-mono text-xs md:block md:max-w-40 md:truncate">
                {upstreamModel}
              </span>
            ),
        },
        { id: "circuit", head: text.circuit, cell: (row) => <CircuitState row={row} {...props} /> },
        {
          id: "failures",
          head: text.failuresInRow,
          end: true,
          cell: (row) => format.count(row.consecutiveFailures),
        },
        { id: "ejections", head: text.ejections, end: true, cell: (row) => format.count(row.ejections) },
      ]}
    />
  );
}

/** The circuit of the node itself, or of one of its models. */
type CircuitRow = NodeView["health"]["circuit"] & { upstreamModel: string | null };

/** A circuit of a model closes nothing while that of the node keeps its requests away. */
function CircuitState(props: { row: CircuitRow; node: NodeView; asOf: number }) {
  const text = useMessages("adminNodes");
  const { row, node, asOf } = props;
  const { state, circuit } = node.health;
  if (state === "disabled") return <span className="text-muted">{text.states.disabled}</span>;
  if (row.upstreamModel === null || row.state !== "healthy" || circuit.state === "healthy")
    return <StateBadge {...row} asOf={asOf} />;
  return (
    <span className="text-muted">{circuit.state === "half-open" ? text.triedWithNode : text.heldByNode}</span>
  );
}

function RecentErrors(props: { node: NodeView }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { recentErrors } = props.node.health;
  if (recentErrors.length === 0) return <p className="text-sm text-muted">{text.noRecentErrors}</p>;
  return (
    <ul className="grid gap-2 text-sm">
      {groupErrors(recentErrors).map(({ error, count }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: errors have no id; the list is rendered as a whole
        <li key={index} className="grid gap-0.5 border-l-2 border-danger pl-3">
          <ErrorText error={error} long />
          <span className="font-mono text-xs break-all text-muted">
            {error.upstreamModel}
            {count > 1 && <span className="font-sans"> · {plural(text.times, count, format.locale)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Equal errors in one entry, with the age of the newest of them. */
function groupErrors(errors: NodeView["health"]["recentErrors"]) {
  const groups = new Map<string, { error: (typeof errors)[number]; count: number }>();
  for (const error of errors) {
    const { kind, status, message, upstreamModel } = error;
    const id = JSON.stringify([kind, status, message, upstreamModel]);
    const group = groups.get(id) ?? { error, count: 0 };
    groups.set(id, { ...group, count: group.count + 1 });
  }
  return [...groups.values()];
}

function Served(props: { node: NodeView }) {
  const text = useMessages("adminNodes");
  const { models } = props.node;
  if (models.length === 0) return <p className="text-sm text-muted">{text.noRoutes}</p>;
  return (
    <ul className="grid gap-2 text-sm">
      {models.map((model) => (
        <li key={`${model.alias} ${model.upstreamModel}`} className="grid gap-0.5">
          <span className="wrap-anywhere">
            <TextLink href={`/admin/models?search=${encodeURIComponent(model.alias)}`}>
              {model.alias}
            </TextLink>
            <span className="text-muted"> → </span>
            <span className="font-mono text-xs break-all">{model.upstreamModel}</span>
          </span>
          <span className="text-xs text-muted">
            {fill(text.priorityWeight, { priority: model.priority, weight: model.weight })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Of a short key no end is known; another credential says what it is and who. */
function keyShown(
  { hasApiKey, apiKeyHint, credential }: NodeView,
  text: Messages["adminNodes"],
  labelled: string,
): [label: string, shown: string] {
  if (!hasApiKey) return [text.apiKey, text.noKey];
  const kinds: Record<string, string> = text.credential.kinds;
  if (credential && credential.kind !== "key") {
    const label = kinds[credential.kind] ?? credential.kind;
    return [text.credential.kind, fill(labelled, { label, value: credential.principal ?? "" })];
  }
  return [text.apiKey, apiKeyHint ? fill(text.keySet.ends, { hint: apiKeyHint }) : text.keySet.short];
}

function Settings(props: { node: NodeView }) {
  const text = useMessages("adminNodes");
  const common = useMessages("common");
  const format = useFormat();
  const { node } = props;
  const headers = Object.entries(node.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Facts
      rows={[
        [text.provider, providerShown(node, text)],
        [text.protocol, protocolTitles[node.protocol]],
        [
          text.baseUrl,
          <code key="url" className="text-xs break-all">
            {node.baseUrl}
          </code>,
        ],
        keyShown(node, text, common.labelled),
        [
          text.maxConcurrency,
          node.maxConcurrency === null ? common.unlimited : format.count(node.maxConcurrency),
        ],
        [text.proxy, node.proxy ?? common.none],
        [text.ca, node.ca === null ? text.caNone : text.caOwn],
        [text.headers, headers.length === 0 ? common.none : headers.join(", ")],
        ...(Object.keys(text.timeoutNames) as Array<keyof typeof text.timeoutNames>).map(
          (name): [string, string] => [text.timeoutNames[name], format.roundDuration(node.timeouts[name])],
        ),
      ]}
    />
  );
}
