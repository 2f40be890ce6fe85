"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useLedger, useSelf } from "../api/queries";
import type { Profile } from "../api/types";
import { fromScaled, ratio, toScaled } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Card, PageHeader } from "../ui/card";
import { Kpi } from "../ui/kpi";
import { ButtonLink } from "../ui/link";
import { Meter } from "../ui/meter";
import { EmptyState, ProgressLine, Skeleton, SkeletonRows } from "../ui/states";
import { LedgerTable } from "./ledger-table";

/** The balance and its ledger. */
export function BillingPage() {
  const text = useMessages("billing");
  const self = useSelf();
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={<ButtonLink href="/console/usage">{text.seeUsage}</ButtonLink>}
      />
      <div className="grid gap-4">
        {self.isError && <ErrorPanel error={self.error} onRetry={() => self.refetch()} />}
        {self.isPending && <Skeleton className="h-40" />}
        {self.data !== undefined && <Balance self={self.data} />}
        <Ledger />
      </div>
    </>
  );
}

function Balance(props: { self: Profile }) {
  const text = useMessages("billing");
  const format = useFormat();
  const { quota, usedExact, held, requestCount } = props.self;
  const remaining = fromScaled(toScaled(quota) - toScaled(usedExact));
  const words = fill(text.usedShare, format.spent(usedExact, quota));
  const print = format.moneyColumn([remaining, usedExact, quota]);
  return (
    <div className="grid gap-3">
      <div className="kpi-grid">
        <Kpi label={text.remaining} value={print(remaining)} title={format.moneyExact(remaining)} />
        <Kpi label={text.used} value={print(usedExact)} title={format.moneyExact(usedExact)} />
        <Kpi label={text.quota} value={print(quota)} title={format.moneyExact(quota)} />
        <Kpi label={text.requests} value={format.countFull(Number(requestCount))} />
      </div>
      <div className="grid gap-2 rounded-lg border p-4">
        <div className="tabular flex flex-wrap justify-between gap-x-4 text-sm">
          <span>{words}</span>
          {toScaled(held) > 0n && (
            <span className="text-muted">
              {text.held}: {format.money(held)}
            </span>
          )}
        </div>
        <Meter share={ratio(usedExact, quota)} label={text.balance} text={words} />
        <p className="text-sm text-muted">{text.askAdmin}</p>
      </div>
    </div>
  );
}

function Ledger() {
  const text = useMessages("billing");
  const common = useMessages("common");
  const [cursor, setCursor] = useQueryState("cursor", parseAsString.withOptions({ history: "push" }));
  const [before, setBefore] = useState<Array<string | null>>([]);
  const ledger = useLedger(cursor);
  const rows = ledger.data?.data ?? [];
  const next = ledger.data?.nextCursor ?? null;
  return (
    <Card flush title={text.ledger}>
      <p className="px-4 py-2 text-sm text-muted">{text.ledgerHint}</p>
      <ProgressLine active={ledger.isFetching && !ledger.isPending} />
      {ledger.isError && (
        <ErrorPanel
          className="m-4"
          error={ledger.error}
          onRetry={() => ledger.refetch()}
          dataFrom={ledger.dataUpdatedAt}
        />
      )}
      {ledger.isPending && (
        <div className="p-4">
          <SkeletonRows label={common.loading} height="h-10" />
        </div>
      )}
      {ledger.isSuccess && rows.length === 0 && <EmptyState title={text.empty} />}
      {rows.length > 0 && <LedgerTable rows={rows} />}
      {(cursor !== null || next !== null) && (
        <div className="flex justify-end gap-2 p-4">
          <Button
            size="sm"
            disabled={cursor === null}
            onClick={() => {
              void setCursor(before.at(-1) ?? null);
              setBefore(before.slice(0, -1));
            }}
          >
            {common.newer}
          </Button>
          <Button
            size="sm"
            disabled={next === null}
            onClick={() => {
              setBefore([...before, cursor]);
              void setCursor(next);
            }}
          >
            {common.older}
          </Button>
        </div>
      )}
    </Card>
  );
}
