"use client";

import { type ErrorCode, faultCodes } from "@/lib/kernel/errors";
import { withQuery } from "../../api/client";
import { Sparkline } from "../../charts/sparkline";
import { ratio } from "../../i18n/decimal";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { cn } from "../../ui/cn";
import { Kpi } from "../../ui/kpi";
import { useDelta } from "../../usage/use-delta";
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
      <Failures stats={stats} />
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

/** What the gateway or its nodes failed to answer; what callers were refused for is a note. */
function Failures({ stats }: { stats: AdminStats }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const { totals, from } = stats;
  const failed = faultsOf(totals.errors);
  const refused = totals.errorCount - failed;
  const limited = totals.errors.RATE_LIMITED ?? 0;
  return (
    <Kpi
      label={text.failureRate}
      href={withQuery("/admin/logs", { outcome: "failed", from })}
      value={
        <span className={cn(failed > 0 && "text-danger")}>
          {format.percent(ratio(failed, totals.requestCount))}
        </span>
      }
      note={
        <>
          {plural(text.failedCount, failed, format.locale)}
          <br />
          {plural(limited > 0 ? text.refusedLimited : text.refusedCount, refused, format.locale, {
            limited: format.countFull(limited),
          })}
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

/** How many requests ended with an error of the gateway or of its nodes. */
function faultsOf(errors: Sums["errors"]): number {
  return faultCodes.reduce((sum, code: ErrorCode) => sum + (errors[code] ?? 0), 0);
}
