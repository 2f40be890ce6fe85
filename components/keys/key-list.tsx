"use client";

import { usePlans } from "../api/queries";
import type { KeyRecord } from "../api/types";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Table, Td, Th } from "../ui/table";
import { KeyModels, KeyStateBadge, KeyUse, Moment, planName } from "./key-cells";
import { KeyMenu, type KeyTask } from "./key-menu";
import { keyState } from "./key-state";

interface ListProps {
  keys: KeyRecord[];
  onTask: (key: KeyRecord, task: KeyTask) => void;
}

/** The keys: a table, or cards on a phone. */
export function KeyList(props: ListProps) {
  return (
    <>
      <KeyTable {...props} />
      <ul className="grid gap-3 md:hidden">
        {props.keys.map((key) => (
          <KeyCard key={key.id} apiKey={key} onTask={(task) => props.onTask(key, task)} />
        ))}
      </ul>
    </>
  );
}

function KeyTable(props: ListProps) {
  const text = useMessages("keys");
  const { columns } = text;
  return (
    <div className="overflow-hidden rounded-lg border max-md:hidden">
      <Table caption={text.listCaption}>
        <thead>
          <tr>
            <Th>{columns.name}</Th>
            <Th>{columns.status}</Th>
            <Th>{columns.usage}</Th>
            <Th className="max-lg:hidden">{columns.models}</Th>
            <Th className="max-lg:hidden">{columns.plan}</Th>
            <Th>{columns.expires}</Th>
            <Th>{columns.lastUsed}</Th>
            <Th>
              <span className="sr-only">{columns.actions}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {props.keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onTask={(task) => props.onTask(key, task)} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function KeyRow(props: { apiKey: KeyRecord; onTask: (task: KeyTask) => void }) {
  const common = useMessages("common");
  const plans = usePlans().data?.data ?? [];
  const { apiKey } = props;
  return (
    <tr className="last:*:border-b-0">
      <Td className="max-w-64">
        <KeyName apiKey={apiKey} />
      </Td>
      <Td>
        <div className="flex flex-wrap items-center gap-2">
          <KeyStateBadge apiKey={apiKey} />
          <NextStep {...props} />
        </div>
      </Td>
      <Td>
        <KeyUse apiKey={apiKey} />
      </Td>
      <Td className="max-lg:hidden">
        <KeyModels models={apiKey.models} />
      </Td>
      <Td className="max-lg:hidden">{planName(plans, apiKey.planId)}</Td>
      <Td>
        <Moment iso={apiKey.expiresAt} none={common.never} />
      </Td>
      <Td>
        <Moment iso={apiKey.lastUsedAt} none={common.never} />
      </Td>
      <Td end>
        <KeyMenu {...props} />
      </Td>
    </tr>
  );
}

function KeyName(props: { apiKey: KeyRecord }) {
  return (
    <div className="grid min-w-32">
      <span className="font-medium wrap-anywhere">{props.apiKey.name}</span>
      <span className="font-mono text-xs text-muted">{props.apiKey.keyPrefix}…</span>
    </div>
  );
}

/** The action that fixes a key that no longer works. */
function NextStep(props: { apiKey: KeyRecord; onTask: (task: KeyTask) => void }) {
  const text = useMessages("keys");
  const state = keyState(props.apiKey);
  if (state === "exhausted") {
    return (
      <Button size="sm" onClick={() => props.onTask("edit")}>
        {text.raiseQuota}
      </Button>
    );
  }
  if (state !== "expired") return null;
  return (
    <Button size="sm" onClick={() => props.onTask("replace")}>
      {text.createReplacement}
    </Button>
  );
}

function KeyCard(props: { apiKey: KeyRecord; onTask: (task: KeyTask) => void }) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const plans = usePlans().data?.data ?? [];
  const { apiKey } = props;
  return (
    <li className="grid gap-3 rounded-lg border p-4">
      <div className="flex items-start justify-between gap-2">
        <KeyName apiKey={apiKey} />
        <KeyMenu {...props} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <KeyStateBadge apiKey={apiKey} />
        <NextStep {...props} />
      </div>
      <KeyUse apiKey={apiKey} />
      <dl className="grid grid-cols-2 gap-2 text-sm">
        {(
          [
            [text.columns.models, <KeyModels key="models" models={apiKey.models} />],
            [text.columns.plan, planName(plans, apiKey.planId)],
            [text.columns.expires, <Moment key="expires" iso={apiKey.expiresAt} none={common.never} />],
            [text.columns.lastUsed, <Moment key="used" iso={apiKey.lastUsedAt} none={common.never} />],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
