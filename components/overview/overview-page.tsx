"use client";

import { useQueryClient } from "@tanstack/react-query";
import { PartyPopper } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { fromScaled, toScaled } from "@/lib/shared/decimal";
import { ErrorPanel } from "../api/error-panel";
import { firstKeys } from "../api/first-keys";
import { refreshUse } from "../api/refresh";
import { useShell } from "../api/shell-facts";
import type { LogEntry, Profile } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { PageHeader } from "../ui/card";
import { TextLink } from "../ui/link";
import { Note, Skeleton, SkeletonRows } from "../ui/states";
import { NearBudgets } from "./near-budgets";
import { OverviewNumbers, useWeek } from "./overview-numbers";
import { recent } from "./reads";

const WAITING_POLL_MS = 1500;
const SETTLED_POLL_MS = 15_000;

/** With its snippets for newcomers only. */
const Checklist = dynamic(() => import("./checklist").then((module) => module.Checklist), {
  ssr: false,
  loading: () => <Skeleton className="h-96 w-full" />,
});

/** The overview: the steps to the first call, or the current numbers. */
export function OverviewPage() {
  const text = useMessages("overview");
  const common = useMessages("common");
  const { username } = useShell();
  const self = useRead("GET /api/user/self");
  const keys = useRead("GET /api/user/tokens", firstKeys);
  useWeek();
  useRead("GET /api/user/models");
  const [waiting, setWaiting] = useState(false);
  const [first, setFirst] = useState<LogEntry | null>(null);
  const logs = useRead(
    "GET /api/user/logs",
    { query: recent },
    { refetchInterval: waiting ? WAITING_POLL_MS : SETTLED_POLL_MS },
  );
  const rows = logs.data?.data;
  const empty = rows?.length === 0;
  const answered = firstAnswered(rows ?? []);
  useEffect(() => {
    if (empty) setWaiting(true);
    if (!waiting || answered === undefined) return;
    setWaiting(false);
    setFirst(answered);
  }, [empty, waiting, answered]);
  useNumbersAfter(rows);
  const failed = [self, keys, logs].find((query) => query.isError);
  const name = self.data?.name || username;
  return (
    <>
      <PageHeader
        title={empty ? fill(text.welcome, { name }) : text.title}
        lead={empty ? <StartBalance profile={self.data} /> : rows !== undefined && text.lead}
      />
      <div className="grid gap-4">
        {failed !== undefined && <ErrorPanel error={failed.error} onRetry={() => failed.refetch()} />}
        {rows === undefined && failed === undefined && (
          <SkeletonRows label={common.loading} height="h-28" rows={4} />
        )}
        {rows !== undefined && empty && <Checklist hasKey={(keys.data?.data.length ?? 0) > 0} />}
        {rows !== undefined && !empty && (
          <>
            {first !== null && <Celebration entry={first} />}
            <NearBudgets />
            <OverviewNumbers recent={rows} readAt={logs.dataUpdatedAt} />
          </>
        )}
      </div>
    </>
  );
}

/** What a new account can spend. */
function StartBalance({ profile }: { profile: Profile | undefined }) {
  const text = useMessages("overview");
  const format = useFormat();
  if (profile === undefined) return null;
  const left = toScaled(profile.quota) - toScaled(profile.usedExact);
  return left > 0n ? fill(text.startBalance, { balance: format.left(fromScaled(left)) }) : text.noBalance;
}

/** The oldest request that was answered, of rows that are newest first. */
function firstAnswered(rows: readonly LogEntry[]): LogEntry | undefined {
  return rows.findLast(({ status }) => status === "success");
}

/** Shown once, when the first answered request arrives while this page is open. */
function Celebration(props: { entry: LogEntry }) {
  const text = useMessages("overview");
  const format = useFormat();
  const { entry } = props;
  return (
    <Note tone="success" icon={PartyPopper} role="status">
      <p className="font-medium">{text.celebrate}</p>
      <p>
        {fill(text.celebrateLine, {
          model: entry.model,
          latency: format.duration(entry.latencyMs),
          cost: format.money(entry.cost),
        })}
        {format.gap}
        <TextLink href={`/console/logs?request=${entry.requestId}`}>{text.seeIt}</TextLink>
      </p>
    </Note>
  );
}

/** Reads the other numbers again when there is a newer request: all of the page is of one moment. */
function useNumbersAfter(rows: readonly LogEntry[] | undefined): void {
  const client = useQueryClient();
  const newest = rows && (rows[0]?.requestId ?? "");
  const shown = useRef(newest);
  useEffect(() => {
    if (newest === undefined || newest === shown.current) return;
    if (shown.current !== undefined) void refreshUse(client);
    shown.current = newest;
  }, [newest, client]);
}
