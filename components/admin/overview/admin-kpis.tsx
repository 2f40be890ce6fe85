"use client";

import { ratio } from "@/lib/shared/decimal";
import type { AdminStats } from "../../api/admin/types";
import { withQuery } from "../../api/client";
import { Sparkline } from "../../charts/sparkline";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { errorRateOf } from "../../logs/choices";
import { OutcomeCounts } from "../../logs/outcome-counts";
import { Kpi } from "../../ui/kpi";
import { KpiGrid, LatencyKpi } from "../../usage/usage-kpis";
import { errorRateTone, useDelta, useErrorRateDelta } from "../../usage/use-delta";

type Sums = AdminStats["totals"];

/** The period in five numbers, each with its course and its change; each leads to what it counts. */
export function AdminKpis(props: { stats: AdminStats }) {
  const { stats } = props;
  return (
    <KpiGrid stats={stats}>
      <Traffic stats={stats} />
      <Errors stats={stats} />
      <LatencyKpi
        withCourse
        stats={stats}
        href={withQuery("/admin/usage", { period: stats.period, metric: "latency" })}
      />
    </KpiGrid>
  );
}

function Traffic({ stats }: { stats: AdminStats }) {
  const text = useMessages("usage");
  const format = useFormat();
  const delta = useDelta(stats);
  const { totals, previous, buckets, period } = stats;
  const usage = (metric: string) => withQuery("/admin/usage", { period, metric });
  const tokensOf = (sums: Pick<Sums, "promptTokens" | "completionTokens">) =>
    sums.promptTokens + sums.completionTokens;
  const { promptTokens, completionTokens } = totals;
  return (
    <>
      <Kpi
        label={text.cost}
        href={usage("cost")}
        value={format.money(totals.cost)}
        title={format.moneyExact(totals.cost)}
        course={<Sparkline values={buckets.map(({ cost }) => ratio(cost, 1))} />}
        note={delta(totals.cost, previous.cost)}
      />
      <Kpi
        label={text.requests}
        href={withQuery("/admin/logs", { from: stats.from })}
        value={format.count(totals.requestCount)}
        title={format.countFull(totals.requestCount)}
        course={<Sparkline values={buckets.map(({ requestCount }) => requestCount)} />}
        note={delta(totals.requestCount, previous.requestCount)}
      />
      <Kpi
        label={text.tokens}
        href={usage("tokens")}
        value={format.count(tokensOf(totals))}
        title={format.countFull(tokensOf(totals))}
        course={<Sparkline values={buckets.map(tokensOf)} />}
        note={
          <>
            {fill(text.tokensInOut, {
              input: format.count(promptTokens),
              output: format.count(completionTokens),
            })}
            <br />
            {delta(tokensOf(totals), tokensOf(previous))}
          </>
        }
      />
    </>
  );
}

/** What got no answer. */
function Errors({ stats }: { stats: AdminStats }) {
  const text = useMessages("usage");
  const { outcomes } = useMessages("common");
  const format = useFormat();
  const delta = useErrorRateDelta(stats);
  const { totals, buckets, from } = stats;
  return (
    <Kpi
      label={text.errorRate}
      href={withQuery("/admin/logs", { outcome: "unanswered", from })}
      title={outcomes.hint}
      value={format.percent(errorRateOf(totals))}
      course={<Sparkline values={buckets.map(({ errorCount }) => errorCount)} />}
      note={
        <>
          <OutcomeCounts stats={stats} logs={{ path: "/admin/logs" }} />
          <br />
          <span className={errorRateTone(stats)}>{delta}</span>
        </>
      }
    />
  );
}
