"use client";

import type { ReactNode } from "react";
import { ratio } from "@/lib/shared/decimal";
import type { Stats } from "../api/types";
import { Sparkline } from "../charts/sparkline";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { errorRateOf } from "../logs/choices";
import { type LogsTarget, OutcomeCounts } from "../logs/outcome-counts";
import { Kpi } from "../ui/kpi";
import { changeTone, errorRateTone, useDelta, useErrorRateDelta, useNotCompared } from "./use-delta";

/** The period in six numbers, most of them against the period before. */
export function UsageKpis(props: { stats: Stats; logs: LogsTarget }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { outcomes } = useMessages("common");
  const { totals, previous } = props.stats;
  const delta = useDelta(props.stats);
  const errorRateDelta = useErrorRateDelta(props.stats);
  const tokens = totals.promptTokens + totals.completionTokens;
  return (
    <KpiGrid stats={props.stats}>
      <Kpi
        label={text.cost}
        value={format.money(totals.cost)}
        title={format.moneyExact(totals.cost)}
        note={delta(totals.cost, previous.cost)}
      />
      <Kpi
        label={text.requests}
        value={format.count(totals.requestCount)}
        title={format.countFull(totals.requestCount)}
        note={delta(totals.requestCount, previous.requestCount)}
      />
      <Kpi
        label={text.tokens}
        value={format.count(tokens)}
        title={format.countFull(tokens)}
        note={
          <>
            {fill(text.tokensInOut, {
              input: format.count(totals.promptTokens),
              output: format.count(totals.completionTokens),
            })}
            <br />
            {delta(tokens, previous.promptTokens + previous.completionTokens)}
          </>
        }
      />
      <CacheKpi totals={totals} />
      <Kpi
        label={text.errorRate}
        value={format.percent(errorRateOf(totals))}
        title={outcomes.hint}
        note={
          <>
            <OutcomeCounts {...props} />
            <br />
            <span className={errorRateTone(props.stats)}>{errorRateDelta}</span>
          </>
        }
      />
      <LatencyKpi stats={props.stats} />
    </KpiGrid>
  );
}

/** Key figures against the period before; where that had no requests, it is said once above them. */
export function KpiGrid(props: { stats: Parameters<typeof useNotCompared>[0]; children: ReactNode }) {
  const notCompared = useNotCompared(props.stats);
  return (
    <div className="grid gap-3">
      {notCompared !== "" && <p className="text-sm text-muted">{notCompared}</p>}
      <div className="kpi-grid">{props.children}</div>
    </div>
  );
}

/** The median latency with its change, and p95. */
export function LatencyKpi(props: { stats: Stats; href?: string; withCourse?: boolean }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { totals, previous, buckets } = props.stats;
  const delta = useDelta(props.stats);
  const now = totals.p50Ms;
  const before = previous.p50Ms;
  return (
    <Kpi
      {...(props.href !== undefined && { href: props.href })}
      label={text.latency}
      value={now === null ? format.duration(now) : fill(text.estimated, { value: format.duration(now) })}
      title={text.latencyHint}
      {...(props.withCourse && { course: <Sparkline values={buckets.map(({ p50Ms }) => p50Ms ?? 0)} /> })}
      note={
        now !== null && (
          <>
            <span className={before === null ? undefined : changeTone(now, before)}>
              {delta(now, before ?? 0)}
            </span>
            <br />
            {fill(text.slowest, { p95: format.duration(totals.p95Ms) })}
          </>
        )
      }
    />
  );
}

/** What the cache has saved, with the share of the input that was read from it. */
function CacheKpi(props: { totals: Stats["totals"] }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { cacheSaving, cacheReadTokens, promptTokens } = props.totals;
  const isExtra = cacheSaving?.startsWith("-") === true;
  return (
    <Kpi
      label={isExtra ? text.cacheExtra : text.cacheSaving}
      value={cacheSaving === null ? "–" : format.money(isExtra ? cacheSaving.slice(1) : cacheSaving)}
      title={cacheSaving === null ? text.cacheUnknown : format.moneyExact(cacheSaving)}
      note={
        cacheSaving === null
          ? text.cacheUnknown
          : fill(text.cacheShare, { share: format.percent(ratio(cacheReadTokens, promptTokens)) })
      }
    />
  );
}
