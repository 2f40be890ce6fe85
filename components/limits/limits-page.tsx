"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { firstKeys } from "../api/first-keys";
import { firstUsable } from "../api/key-state";
import type { Plan } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Card, PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { Select } from "../ui/field";
import { ButtonLink } from "../ui/link";
import { EmptyState, Skeleton } from "../ui/states";
import { AccountLimits } from "./account-limits";
import { KeyAllowance } from "./key-allowance";
import { KeyBudgets } from "./key-budgets";
import { LimitMeters, limitNames } from "./limit-meters";
import { UsePlanDialog } from "./use-plan-dialog";

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
  const keys = useRead("GET /api/user/tokens", firstKeys);
  const rows = keys.data?.data ?? [];
  const current = rows.find((key) => key.id === chosen) ?? firstUsable(rows);
  const limits = useRead(
    "GET /api/user/tokens/{id}/limits",
    { params: { id: current?.id ?? "" } },
    { enabled: current !== undefined },
  );
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
        <div className="grid gap-4">
          <LimitMeters apiKey={current} limits={limits.data} />
          <AccountLimits account={limits.data.account} />
          <KeyBudgets budgets={limits.data.budgets} />
          <KeyAllowance apiKey={current} />
        </div>
      )}
    </Card>
  );
}

function Tiers() {
  const text = useMessages("limits");
  const plans = useRead("GET /api/user/plans");
  if (plans.isError) return <ErrorPanel error={plans.error} onRetry={() => plans.refetch()} />;
  if (plans.data === undefined) return <Skeleton className="h-64" />;
  return (
    <Card title={text.tiers}>
      <div className="grid gap-4">
        <div className="prose-width grid gap-1 text-sm">
          <p className="text-muted">{text.tiersLead}</p>
          <Choices plans={plans.data.data} />
        </div>
        <ul aria-label={text.tiers} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          {plans.data.data.map((plan) => (
            <li key={plan.id} className="grid min-w-0 content-start gap-2 rounded-lg border p-4 text-sm">
              <PlanCard plan={plan} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** What one gets with a plan, and who may choose it. */
function PlanCard({ plan }: { plan: Plan }) {
  const text = useMessages("limits");
  const format = useFormat();
  const speeds = limitNames.map((name) => {
    const limit = plan[name];
    if (limit === null) return text.unlimited[name];
    return fill(text.ofPlan[name], { count: format.countFull(limit) });
  });
  const isLimited = limitNames.some((name) => plan[name] !== null);
  const atOnce =
    plan.concurrent === null
      ? []
      : [fill(text.ofPlan.concurrent, { count: format.countFull(plan.concurrent) })];
  const ofAccount = useAccountLimits(plan);
  const mine = plan.selfService || plan.current === true;
  const [using, setUsing] = useState(false);
  return (
    <>
      <h3 className="flex flex-wrap items-center gap-2 text-lg font-semibold wrap-anywhere">
        {plan.name}
        {plan.current && <Badge tone="info">{text.yours}</Badge>}
      </h3>
      <ul className="tabular grid gap-1">
        {[...(isLimited ? speeds : [text.ofPlan.fast]), ...atOnce].map((speed) => (
          <li key={speed}>{speed}</li>
        ))}
      </ul>
      {ofAccount !== null && <p>{fill(text.ofPlan.account, { limits: ofAccount })}</p>}
      <p>{fill(text.ofPlan.quota, { amount: format.money(plan.keyQuotaCents) })}</p>
      <p className="text-muted">{mine ? text.ofPlan.free : text.ofPlan.given}</p>
      {mine && (
        <Button className="mt-1 w-fit" onClick={() => setUsing(true)}>
          {text.usePlan.open}
          <span className="sr-only"> ({plan.name})</span>
        </Button>
      )}
      {using && <UsePlanDialog plan={plan} onClose={() => setUsing(false)} />}
    </>
  );
}

/** What a plan allows all keys of an account on it together, as a list in a sentence; null: it limits keys only. */
function useAccountLimits({ accountLimits }: Plan): string | null {
  const text = useMessages("limits").ofPlan;
  const format = useFormat();
  const limits = (["qps", "rpm", "tpm", "concurrent", "keys"] as const).flatMap((name) => {
    const limit = accountLimits[name];
    return limit === null ? [] : [fill(text[name], { count: format.countFull(limit) })];
  });
  return limits.length === 0 ? null : format.list(limits);
}

/** Which plans the reader's keys may have, whatever the account's own plan is. */
function Choices({ plans }: { plans: Plan[] }) {
  const text = useMessages("limits");
  const format = useFormat();
  const own = plans.find(({ current }) => current === true);
  if (own === undefined) return null;
  const choices = [own, ...plans.filter((plan) => plan !== own && plan.selfService)];
  return (
    <p>{fill(text.mayChoose, { plan: own.name, plans: format.either(choices.map(({ name }) => name)) })}</p>
  );
}

/** A refusal as sent over HTTP. */
const refusalSample = `HTTP/1.1 429 Too Many Requests
retry-after: 2
retry-after-ms: 1380
x-ratelimit-limit-requests: 20
x-ratelimit-remaining-requests: 0

{"type": "error",
 "error": {"type": "rate_limit_error",
           "code": "RATE_LIMITED", "message": "…"},
 "request_id": "…"}`;

/** Code that waits as long as the response says. */
const retrySample = `async function call(send) {
  for (let attempt = 0; ; attempt++) {
    const answer = await send();
    if (answer.status !== 429 || attempt === 5) return answer;
    const wait = answer.headers.get("retry-after-ms");
    const ms = Number(wait ?? 1000);
    await new Promise((done) => setTimeout(done, ms));
  }
}`;
