"use client";

import { fromScaled, ratio, toScaled } from "@/lib/shared/decimal";
import type { Profile, Stats } from "../api/types";
import { useRead } from "../api/use-read";
import { Sparkline } from "../charts/sparkline";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { errorRateOf } from "../logs/choices";
import { OutcomeCounts } from "../logs/outcome-counts";
import { Kpi } from "../ui/kpi";
import { Meter } from "../ui/meter";
import { Skeleton } from "../ui/states";
import { KpiGrid } from "../usage/usage-kpis";
import { errorRateTone, useDelta, useErrorRateDelta } from "../usage/use-delta";
import { daysLeft, daysLeftText } from "./days-left";

/** Spend, requests and errors of the week, each with its course and its change, and the balance. */
export function OverviewKpis(props: { stats: Stats | undefined }) {
  const self = useRead("GET /api/user/self").data;
  const { stats } = props;
  if (self === undefined || stats === undefined) {
    return (
      <div className="kpi-grid" aria-busy="true">
        {["spend", "requests", "errors", "balance"].map((name) => (
          <Skeleton key={name} className="h-[158px]" />
        ))}
      </div>
    );
  }
  return (
    <KpiGrid stats={stats}>
      <Traffic stats={stats} />
      <Balance stats={stats} self={self} />
    </KpiGrid>
  );
}

function Traffic({ stats }: { stats: Stats }) {
  const text = useMessages("usage");
  const overview = useMessages("overview");
  const format = useFormat();
  const { outcomes } = useMessages("common");
  const cacheLine = useCacheLine();
  const { totals, previous, buckets } = stats;
  const delta = useDelta(stats);
  const errorRateDelta = useErrorRateDelta(stats);
  return (
    <>
      <Kpi
        label={text.cost}
        value={format.money(totals.cost)}
        title={format.moneyExact(totals.cost)}
        course={<Sparkline values={buckets.map(({ cost }) => ratio(cost, 1))} />}
        note={<Lines lines={[cacheLine(totals.cacheSaving), delta(totals.cost, previous.cost)]} />}
      />
      <Kpi
        label={text.requests}
        value={format.count(totals.requestCount)}
        title={format.countFull(totals.requestCount)}
        course={<Sparkline values={buckets.map(({ requestCount }) => requestCount)} />}
        note={
          <Lines
            lines={[
              fill(overview.tokens, { count: format.count(totals.promptTokens + totals.completionTokens) }),
              delta(totals.requestCount, previous.requestCount),
            ]}
          />
        }
      />
      <Kpi
        label={text.errorRate}
        value={format.percent(errorRateOf(totals))}
        title={outcomes.hint}
        course={<Sparkline values={buckets.map(({ errorCount }) => errorCount)} />}
        note={
          <>
            <p>
              <OutcomeCounts stats={stats} logs={{ path: "/console/logs" }} />
            </p>
            {errorRateDelta !== "" && <p className={errorRateTone(stats)}>{errorRateDelta}</p>}
          </>
        }
      />
    </>
  );
}

function Balance(props: { stats: Stats; self: Profile }) {
  const text = useMessages("overview");
  const format = useFormat();
  const { stats, self } = props;
  const remaining = fromScaled(toScaled(self.quota) - toScaled(self.usedExact));
  const used = fill(text.balanceNote, format.spent(self.usedExact, self.quota));
  return (
    <Kpi
      label={text.balance}
      value={format.left(remaining)}
      title={format.moneyExact(remaining)}
      course={
        <Meter
          className="max-w-21"
          share={ratio(self.usedExact, self.quota)}
          label={text.balance}
          text={used}
        />
      }
      note={<Lines lines={[daysLeftText(daysLeft(remaining, stats, self), text, format.locale), used]} />}
    />
  );
}

function Lines(props: { lines: string[] }) {
  return props.lines.filter((line) => line !== "").map((line) => <p key={line}>{line}</p>);
}

/** What the cache saved, or cost, in words. */
function useCacheLine(): (saving: string | null) => string {
  const text = useMessages("overview");
  const format = useFormat();
  return (saving) => {
    if (saving === null) return text.cacheUnknown;
    if (toScaled(saving) === 0n) return "";
    return saving.startsWith("-")
      ? fill(text.cacheExtra, { amount: format.money(saving.slice(1)) })
      : fill(text.cacheSaved, { amount: format.money(saving) });
  };
}
