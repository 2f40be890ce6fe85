"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toScaled } from "@/lib/shared/decimal";
import { keyState, statesByGravity } from "../api/key-state";
import { planName } from "../api/plan-name";
import { refreshStats } from "../api/refresh";
import { useShell } from "../api/shell-facts";
import type { KeyRecord } from "../api/types";
import { useProjects } from "../api/use-projects";
import { useRead } from "../api/use-read";
import { useFormat, useMessages } from "../i18n/provider";
import { useHrefOf } from "../lists/list-state";
import type { Sorting } from "../lists/row-order";
import { SortedTable } from "../lists/sorted-table";
import { Button } from "../ui/button";
import { Amount, type Column } from "../ui/columns";
import { Link } from "../ui/link";
import { rowNameClass } from "../ui/table";
import { KeyModels, KeyStatus, KeyUse, Moment } from "./key-cells";
import { KeyMenu, type KeyTask } from "./key-menu";

/** What needs attention begins: keys whose calls are refused, the most used and dearest, the next to expire. */
const sortings: Record<string, Sorting<KeyRecord>> = {
  name: { first: "asc", by: ({ name }) => name },
  status: { first: "asc", by: (key) => statesByGravity.indexOf(keyState(key)) },
  usage: { first: "desc", by: ({ usedQuota }) => usedQuota },
  expires: { first: "asc", by: ({ expiresAt }) => expiresAt },
  lastUsed: { first: "desc", by: ({ lastUsedAt }) => lastUsedAt },
};

type OnTask = (key: KeyRecord, task: KeyTask) => void;

/** The keys with their actions and what each cost lately. */
export function KeyList(props: {
  keys: KeyRecord[];
  onTask: OnTask;
  /** Further columns, behind the name. */
  further?: Column<KeyRecord>[];
  /** All keys are those of this project. */
  projectId?: string;
}) {
  const text = useMessages("keys");
  const weekOf = useKeyWeeks(props.keys, props.projectId ?? null);
  const week: Sorting<KeyRecord> = {
    first: "desc",
    by: (key) => {
      const cost = weekOf(key);
      return cost === null ? null : toScaled(cost);
    },
  };
  return (
    <SortedTable
      opens
      list="keys"
      sortings={{ ...sortings, week }}
      nameOf={({ name }) => name}
      caption={text.listCaption}
      columns={useKeyColumns(props.onTask, weekOf, props.further ?? [])}
      rows={props.keys}
      rowId={(key) => key.id}
      edit={(key) => () => props.onTask(key, "edit")}
      actions={(key) => <KeyMenu apiKey={key} onTask={(task) => props.onTask(key, task)} />}
    />
  );
}

function useKeyColumns(onTask: OnTask, weekOf: WeekOf, further: Column<KeyRecord>[]): Column<KeyRecord>[] {
  const { columns, drawer } = useMessages("keys");
  const common = useMessages("common");
  const plans = useRead("GET /api/user/plans").data?.data ?? [];
  const hrefOf = useHrefOf("key");
  return [
    {
      id: "name",
      head: columns.name,
      className: "max-w-64",
      cell: (key) => <KeyName apiKey={key} href={hrefOf(key.id)} />,
    },
    ...further,
    {
      id: "status",
      head: columns.status,
      card: "plain",
      cell: (key) => (
        <div className="flex flex-wrap items-center gap-2">
          <KeyStatus apiKey={key} />
          <NextStep apiKey={key} onTask={(task) => onTask(key, task)} />
        </div>
      ),
    },
    { id: "usage", head: columns.usage, card: "wide", cell: (key) => <KeyUse apiKey={key} /> },
    {
      id: "week",
      head: drawer.week,
      end: true,
      from: "lg",
      // With the decimals of what was used in all, which stands beside it.
      cell: (key) => <Amount cents={weekOf(key)} />,
    },
    { id: "models", head: columns.models, from: "xl", cell: (key) => <KeyModels models={key.models} /> },
    { id: "plan", head: columns.plan, from: "2xl", cell: (key) => planName(plans, key.planId) },
    {
      id: "expires",
      head: columns.expires,
      cell: (key) => <Moment iso={key.expiresAt} none={common.never} />,
    },
    {
      id: "lastUsed",
      head: columns.lastUsed,
      from: "lg",
      cell: (key) => <Moment iso={key.lastUsedAt} none={common.never} />,
    },
  ];
}

function KeyName(props: { apiKey: KeyRecord; href: string }) {
  return (
    <div className="grid min-w-32 justify-items-start">
      <Link href={props.href} scroll={false} className={rowNameClass}>
        {props.apiKey.name}
      </Link>
      <span className="font-mono text-xs font-normal text-muted">{props.apiKey.keyPrefix}…</span>
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

type WeekOf = (key: KeyRecord) => string | null;

/**
 * What each key cost in the last seven days, read again when one of the keys has used more; null while it is not known,
 * and for a key that another account pays unless all keys are those of one project.
 */
function useKeyWeeks(keys: readonly KeyRecord[], projectId: string | null): WeekOf {
  const { timeZone } = useFormat();
  const { username } = useShell();
  useStatsAfter(keys);
  const projects = useProjects(keys.some((key) => key.projectId !== null));
  const project = projects.find(({ id }) => id === projectId);
  const onlyOwn = project?.role === "member";
  const query = {
    period: "7d",
    groupBy: "key",
    tz: timeZone,
    projectId,
    createdBy: onlyOwn ? (keys[0]?.createdBy ?? null) : null,
  };
  const isKnown = projectId === null || project !== undefined;
  const { data } = useRead(
    "GET /api/user/stats",
    { query },
    { staleTime: 0, refetchInterval: false, enabled: isKnown },
  );
  const groups = data?.groups;
  if (!groups) return () => null;
  const costs = new Map(groups.rows.map(({ id, cost }) => [id, cost]));
  const others = new Set(projects.filter(({ payer }) => payer.username !== username).map(({ id }) => id));
  // Keys without a row cost nothing, unless there are more keys than rows.
  return (key) => {
    if (projectId === null && key.projectId !== null && others.has(key.projectId)) return null;
    return costs.get(key.id) ?? (groups.others === null ? "0" : null);
  };
}

/** Reads the statistics again when a key that was shown before has used more. */
function useStatsAfter(keys: readonly KeyRecord[]): void {
  const client = useQueryClient();
  const before = useRef(new Map<string, number>());
  useEffect(() => {
    const used = new Map(before.current);
    let changed = false;
    for (const { id, usedQuota } of keys) {
      changed ||= used.has(id) && used.get(id) !== usedQuota;
      used.set(id, usedQuota);
    }
    before.current = used;
    if (changed) void refreshStats(client);
  }, [keys, client]);
}
