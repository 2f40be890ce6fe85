"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { fromScaled, ratio, toScaled } from "@/lib/shared/decimal";
import type { Margin } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card, PageHeader } from "../../ui/card";
import { Kpi } from "../../ui/kpi";
import { ButtonLink, TextLink } from "../../ui/link";
import { Segmented } from "../../ui/segmented";
import { EmptyState, Skeleton } from "../../ui/states";
import { PeriodSwitch } from "../../usage/period-switch";
import { KpiGrid } from "../../usage/usage-kpis";
import { useDelta, usePeriodName } from "../../usage/use-delta";
import { useUsageFilters } from "../../usage/use-usage-filters";
import { MarginFigure } from "./margin-figure";
import { MarginTable, marginGroupings } from "./margin-table";
import { periodOf } from "./period";

/** What was billed and what the providers take for it. */
export function MarginPage() {
  const text = useMessages("margin");
  const common = useMessages("common");
  const filters = useUsageFilters();
  const { from, to, zone: tz } = filters;
  const isCustom = from !== null || to !== null;
  const margin = useRead("GET /api/admin/margin", {
    query: { period: isCustom ? null : filters.period, from, to, tz },
  });
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={<ButtonLink href="/admin/margin/bill">{text.compareBill}</ButtonLink>}
      />
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <PeriodSwitch filters={filters} />
          {isCustom && (
            <Button variant="ghost" onClick={() => filters.set({ from: null, to: null })}>
              {common.clearFilters}
            </Button>
          )}
        </div>
        <QueryRegion query={margin} keepsOther skeleton={<MarginSkeleton label={common.loading} />}>
          {(data) => <MarginBody margin={data} />}
        </QueryRegion>
      </div>
    </>
  );
}

function MarginBody(props: { margin: Margin }) {
  const text = useMessages("margin");
  const { margin } = props;
  const { admin } = useShell();
  const [by, setBy] = useQueryState("group", parseAsStringLiteral(marginGroupings).withDefault("models"));
  if (margin.totals.cost === null) {
    return (
      <Card>
        <EmptyState title={text.empty} />
        <p className="pb-4 text-center text-sm text-muted">
          {text.emptyHint} {admin && <TextLink href="/admin/models?uncosted=true">{text.toModels}</TextLink>}
        </p>
      </Card>
    );
  }
  return (
    <div className="grid gap-4">
      <MarginKpis margin={margin} />
      <MarginFigure margin={margin} />
      <Segmented
        className="w-fit"
        label={text.group}
        value={by}
        onChange={(next) => setBy(next)}
        options={marginGroupings.map((value) => ({ value, label: text.by[value] }))}
      />
      <MarginTable margin={margin} by={by} />
    </div>
  );
}

function MarginKpis({ margin }: { margin: Margin }) {
  const text = useMessages("margin");
  const format = useFormat();
  const { admin } = useShell();
  const change = useMarginChange(margin);
  const { totals, previous } = margin;
  const { revenue, covered, cost } = totals;
  const money = (cents: string | null) => (cents === null ? "–" : format.money(cents));
  const exact = (cents: string | null) => (cents === null ? undefined : format.moneyExact(cents));
  return (
    <KpiGrid stats={periodOf(margin)}>
      <Kpi
        label={text.billed}
        value={money(revenue)}
        title={exact(revenue)}
        note={
          <>
            <Change words={change(revenue, previous.revenue)} />
            {fill(text.coverage, { share: format.percent(ratio(covered, revenue)) })}
            {covered !== revenue && admin && (
              <>
                <br />
                <TextLink href="/admin/models?uncosted=true">{text.enterCosts}</TextLink>
              </>
            )}
          </>
        }
      />
      <Kpi
        label={text.cost}
        value={money(cost)}
        title={exact(cost)}
        note={
          <>
            <Change words={change(cost, previous.cost)} />
            {text.costNote}
          </>
        }
      />
      <Kpi
        label={text.margin}
        value={money(totals.margin)}
        title={exact(totals.margin)}
        note={
          <>
            <Change words={change(totals.margin, previous.margin)} />
            {fill(text.marginNote, { share: format.percent(ratio(totals.margin ?? "0", covered)) })}
            {covered !== revenue && (
              <>
                <br />
                {fill(text.leftOut, {
                  amount: format.money(fromScaled(toScaled(revenue) - toScaled(covered))),
                })}
              </>
            )}
          </>
        }
      />
    </KpiGrid>
  );
}

function Change({ words }: { words: string }) {
  return (
    words !== "" && (
      <>
        {words}
        <br />
      </>
    )
  );
}

/** The change of an amount since the previous period; of a loss no share can be told, so the amount before stands for it. */
function useMarginChange(margin: Margin): (now: string | null, before: string | null) => string {
  const text = useMessages("margin");
  const format = useFormat();
  const of = periodOf(margin);
  const period = usePeriodName(of);
  const delta = useDelta(of);
  const isLoss = (cents: string | null) => cents?.startsWith("-") === true;
  return (now, before) =>
    before !== null && (isLoss(before) || isLoss(now))
      ? fill(text.before, { amount: format.money(before), period })
      : delta(now ?? "0", before ?? "0");
}

function MarginSkeleton(props: { label: string }) {
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only" role="status">
        {props.label}
      </span>
      <div className="kpi-grid">
        {["billed", "cost", "margin"].map((name) => (
          <Skeleton key={name} className="h-[124px]" />
        ))}
      </div>
      <Skeleton className="h-80" />
    </div>
  );
}
