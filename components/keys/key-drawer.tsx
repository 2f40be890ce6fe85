"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { ErrorPanel } from "../api/error-panel";
import { keyState } from "../api/key-state";
import { planName } from "../api/plan-name";
import type { KeyRecord, Plan } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { LimitMeters } from "../limits/limit-meters";
import { errorRateOf } from "../logs/choices";
import { Button } from "../ui/button";
import { Facts } from "../ui/card";
import { Drawer } from "../ui/drawer";
import { ButtonLink } from "../ui/link";
import { Note, Skeleton } from "../ui/states";
import { KeyStatus, KeyUse, Moment } from "./key-cells";
import { KeyMenu, type KeyTask } from "./key-menu";

const KeyBudgets = dynamic(() => import("./key-budgets").then((loaded) => loaded.KeyBudgets), {
  loading: () => <Skeleton className="h-10" />,
});

/** Loaded when somebody opens a key. */
const KeyMonth = dynamic(() => import("./key-month").then((loaded) => loaded.KeyMonth), {
  loading: () => <Skeleton className="h-60" />,
});

/** A key at a glance: its allowance, its week and month, its settings and its limits as they are used now. */
export function KeyDrawer(props: {
  apiKey: KeyRecord;
  onTask: (task: KeyTask) => void;
  onClose: () => void;
}) {
  const text = useMessages("keys");
  const budgets = useMessages("budgets");
  const { apiKey } = props;
  return (
    <Drawer
      onClose={props.onClose}
      title={apiKey.name}
      footer={
        <>
          <Button onClick={() => props.onTask("edit")}>
            <Pencil aria-hidden className="size-4" />
            {text.edit}
          </Button>
          <ButtonLink href={`/console/usage?key=${apiKey.id}`}>{text.viewUsage}</ButtonLink>
          <ButtonLink href={`/console/logs?key=${apiKey.id}`}>{text.viewLogs}</ButtonLink>
          <KeyMenu apiKey={apiKey} onTask={props.onTask} />
        </>
      }
    >
      <div className="grid gap-6">
        <div className="grid gap-3">
          <KeyStatus apiKey={apiKey} />
          <KeyUse apiKey={apiKey} />
          <CallersGet apiKey={apiKey} />
        </div>
        <Part title={budgets.ofKey.title}>
          <KeyBudgets keyId={apiKey.id} />
        </Part>
        <Part title={text.drawer.week}>
          <Week keyId={apiKey.id} />
        </Part>
        <Part title={text.drawer.month}>
          <KeyMonth keyId={apiKey.id} />
        </Part>
        <Part title={text.drawer.facts}>
          <Settings apiKey={apiKey} />
        </Part>
        <Part title={text.drawer.limits}>
          <Limits apiKey={apiKey} />
        </Part>
      </div>
    </Drawer>
  );
}

/** What programs get that go on calling with a key that does not work. Source: docs/contract.md#s7. */
function CallersGet({ apiKey }: { apiKey: KeyRecord }) {
  const text = useMessages("keys").callers;
  const state = keyState(apiKey);
  if (state === "active") return null;
  return <Note tone="info">{text[state === "exhausted" ? "exhausted" : "refused"]}</Note>;
}

function Part(props: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h3 className="text-sm font-semibold">{props.title}</h3>
      {props.children}
    </section>
  );
}

/** What the key was used for in the last seven days. */
function Week(props: { keyId: string }) {
  const text = useMessages("usage");
  const format = useFormat();
  const week = useRead("GET /api/user/stats", {
    query: { period: "7d", tz: format.timeZone, tokenId: props.keyId },
  });
  if (week.data === undefined)
    return week.isError ? (
      <ErrorPanel error={week.error} onRetry={() => week.refetch()} />
    ) : (
      <Skeleton className="h-19" />
    );
  const { totals } = week.data;
  return (
    <Facts
      className="tabular"
      rows={[
        [text.cost, format.money(totals.cost)],
        [text.requests, format.countFull(totals.requestCount)],
        [text.errorRate, format.percent(errorRateOf(totals))],
      ]}
    />
  );
}

function Settings({ apiKey }: { apiKey: KeyRecord }) {
  const text = useMessages("keys");
  const format = useFormat();
  const { createdAt } = apiKey;
  const common = useMessages("common");
  const plans = useRead("GET /api/user/plans").data?.data ?? [];
  const plan = planName(plans, apiKey.planId);
  const follows = ({ id, current }: Plan) => current && id === apiKey.planId;
  return (
    <Facts
      rows={[
        [
          text.drawer.prefix,
          <span key="prefix" className="font-mono text-xs">
            {apiKey.keyPrefix}…
          </span>,
        ],
        [text.columns.plan, plans.some(follows) ? fill(text.planAccount, { plan }) : plan],
        [
          text.columns.models,
          apiKey.models === null ? (
            text.allModels
          ) : (
            <span key="models" className="wrap-anywhere">
              {format.list(apiKey.models)}
            </span>
          ),
        ],
        [text.columns.expires, <Moment key="expires" iso={apiKey.expiresAt} none={common.never} />],
        [text.columns.lastUsed, <Moment key="used" iso={apiKey.lastUsedAt} none={common.never} />],
        [
          text.drawer.created,
          fill(text.drawer.on, { date: format.date(createdAt), ago: format.relative(createdAt) }),
        ],
      ]}
    />
  );
}

function Limits({ apiKey }: { apiKey: KeyRecord }) {
  const limits = useRead("GET /api/user/tokens/{id}/limits", { params: { id: apiKey.id } });
  if (limits.data !== undefined) return <LimitMeters apiKey={apiKey} limits={limits.data} />;
  if (limits.isError) return <ErrorPanel error={limits.error} onRetry={() => limits.refetch()} />;
  return <Skeleton className="h-44" />;
}
