"use client";

import { parseAsString, useQueryState } from "nuqs";
import { ErrorPanel } from "../api/error-panel";
import { useKeyLimits, useKeys, usePlans } from "../api/queries";
import type { Plan } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { firstUsable } from "../keys/key-state";
import { Badge } from "../ui/badge";
import { Card, PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { DataTable } from "../ui/data-table";
import { Select } from "../ui/field";
import { ButtonLink } from "../ui/link";
import { EmptyState, Skeleton } from "../ui/states";
import { LimitMeters } from "./limit-meters";
import { refusalSample, retrySample } from "./samples";

/** The limits of a key, live, and what each plan allows. */
export function LimitsPage() {
  const text = useMessages("limits");
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid gap-4">
        <LiveLimits />
        <Tiers />
        <Card title={text.refusal}>
          <div className="grid gap-x-4 gap-y-2 max-lg:*:not-first:mt-2 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
            <div className="grid min-w-0 content-start gap-2 lg:row-span-2 lg:grid-rows-subgrid lg:content-normal">
              <p className="text-sm text-muted">{text.refusalLead}</p>
              <CodeBlock code={refusalSample} label={text.refusal} />
            </div>
            <div className="grid min-w-0 content-start gap-2 lg:row-span-2 lg:grid-rows-subgrid lg:content-normal">
              <p className="text-sm text-muted">{text.retryCode}</p>
              <CodeBlock code={retrySample} label={text.retryCode} />
            </div>
          </div>
        </Card>
      </div>
    </>
  );
}

function LiveLimits() {
  const text = useMessages("limits");
  const shell = useMessages("shell");
  const [chosen, setChosen] = useQueryState("key", parseAsString);
  const keys = useKeys();
  const rows = keys.data?.data ?? [];
  const current = rows.find((key) => key.id === chosen) ?? firstUsable(rows);
  const limits = useKeyLimits(current?.id ?? null);
  if (keys.isSuccess && current === undefined) {
    return (
      <Card>
        <EmptyState
          title={text.noKeys}
          action={
            <ButtonLink href="/console/keys?create=1" variant="primary">
              {shell.createKey}
            </ButtonLink>
          }
        />
      </Card>
    );
  }
  const failed = [keys, limits].find((query) => query.isError);
  return (
    <Card
      title={limits.data === undefined ? text.title : fill(text.planIs, { name: limits.data.plan.name })}
      actions={
        <Select
          className="w-full sm:w-56"
          aria-label={text.key}
          value={current?.id ?? ""}
          options={rows.map((key) => ({ value: key.id, label: key.name }))}
          onChange={(event) => void setChosen(event.target.value)}
        />
      }
    >
      {failed !== undefined && <ErrorPanel error={failed.error} onRetry={() => failed.refetch()} />}
      {limits.data === undefined && failed === undefined && <Skeleton className="h-44" />}
      {current !== undefined && limits.data !== undefined && (
        <LimitMeters apiKey={current} limits={limits.data} />
      )}
    </Card>
  );
}

function Tiers() {
  const text = useMessages("limits");
  const format = useFormat();
  const plans = usePlans();
  const limit = (value: number | null) => (value === null ? text.noLimit : format.countFull(value));
  if (plans.isError) return <ErrorPanel error={plans.error} onRetry={() => plans.refetch()} />;
  if (plans.data === undefined) return <Skeleton className="h-64" />;
  const { columns } = text;
  return (
    <Card flush title={text.tiers}>
      <div className="grid gap-1 border-b px-4 py-3 text-sm">
        <p className="text-muted">{text.tiersLead}</p>
        <Choices plans={plans.data.data} />
      </div>
      <DataTable
        flush
        caption={text.tiers}
        rows={plans.data.data}
        rowId={(plan) => String(plan.id)}
        columns={[
          {
            id: "plan",
            head: columns.plan,
            className: "font-medium whitespace-nowrap",
            cell: (plan: Plan) => (
              <>
                {plan.name} {plan.current === true && <Badge tone="info">{text.yours}</Badge>}
              </>
            ),
          },
          { id: "qps", head: columns.qps, end: true, cell: (plan) => limit(plan.qps) },
          { id: "rpm", head: columns.rpm, end: true, cell: (plan) => limit(plan.rpm) },
          { id: "tpm", head: columns.tpm, end: true, cell: (plan) => limit(plan.tpm) },
          { id: "quota", head: columns.quota, money: (plan) => plan.keyQuotaCents },
          {
            id: "choose",
            head: columns.choose,
            className: "whitespace-nowrap",
            cell: (plan) => (plan.selfService ? text.everyone : text.onRequest),
          },
        ]}
      />
    </Card>
  );
}

/** Which plans the reader's keys may have, whatever the account's own plan is. */
function Choices({ plans }: { plans: Plan[] }) {
  const text = useMessages("limits");
  const format = useFormat();
  const own = plans.find(({ current }) => current === true);
  if (own === undefined) return null;
  const names = (some: Plan[]) => format.list(some.map(({ name }) => name));
  const given = plans.filter((plan) => plan !== own && !plan.selfService);
  return (
    <p>
      {fill(text.mayChoose, {
        plan: own.name,
        plans: names([own, ...plans.filter((plan) => plan !== own && plan.selfService)]),
      })}
      {given.length > 0 && format.gap + fill(text.mayNotChoose, { plans: names(given) })}
    </p>
  );
}
