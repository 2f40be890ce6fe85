"use client";

import { withQuery } from "../../api/client";
import { Sparkline } from "../../charts/sparkline";
import { ratio } from "../../i18n/decimal";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { countOutcomes, errorRateOf } from "../../logs/choices";
import { OutcomeCounts } from "../../logs/outcome-counts";
import { cn } from "../../ui/cn";
import { Kpi } from "../../ui/kpi";
import { useDelta, useErrorRateDelta } from "../../usage/use-delta";
import type { AdminStats } from "../types";

type Sums = AdminStats["totals"];

/** A smaller change is neither good nor bad. */
const SMALLEST_CHANGE = 0.1;

/** The period in five numbers, each with its course and its change; each leads to what it counts. */
export function AdminKpis(props: { stats: AdminStats }) {
  const { stats } = props;
  return (
    <div className="kpi-grid">
      <Traffic stats={stats} />
      <Errors stats={stats} />
      <Latency stats={stats} />
    </div>
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

/** What got no answer; red where the gateway or its nodes are the cause. */
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
      value={
        <span className={cn(countOutcomes(totals.errors).failed > 0 && "text-danger")}>
          {format.percent(errorRateOf(totals))}
        </span>
      }
      course={<Sparkline values={buckets.map(({ errorCount }) => errorCount)} />}
      note={
        <>
          <OutcomeCounts stats={stats} logs={{ path: "/admin/logs" }} />
          <br />
          {delta}
        </>
      }
    />
  );
}

function Latency({ stats }: { stats: AdminStats }) {
  const text = useMessages("usage");
  const overview = useMessages("admin").overview;
  const format = useFormat();
  const { totals, previous, period } = stats;
  const before = previous.p50Ms;
  return (
    <Kpi
      label={text.latency}
      href={withQuery("/admin/usage", { period, metric: "latency" })}
      value={format.duration(totals.p50Ms)}
      note={
        totals.p50Ms !== null && (
          <>
            {fill(text.slowest, { p95: format.duration(totals.p95Ms) })}
            {before !== null && (
              <>
                <br />
                <span className={changeTone(totals.p50Ms, before)}>
                  {fill(overview.before, { value: format.duration(before) })}
                </span>
              </>
            )}
          </>
        )
      }
    />
  );
}

/** More of a number that should be small is bad, less of it good. */
function changeTone(now: number, before: number): string | undefined {
  if (Math.abs(now - before) <= before * SMALLEST_CHANGE) return undefined;
  return now > before ? "text-danger" : "text-success";
}
