"use client";

import type { Stats } from "../api/types";
import { ratio } from "../i18n/decimal";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Kpi } from "../ui/kpi";

/** Larger percentages are not shown. */
const MANIFOLD = 10;

/** The period in six numbers, most of them against the period before. */
export function UsageKpis(props: { stats: Stats }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { totals, previous, period } = props.stats;
  const delta = useDelta(period);
  const points = usePoints(period);
  const errorRate = ratio(totals.errorCount, totals.requestCount);
  const tokens = totals.promptTokens + totals.completionTokens;
  const limited = totals.errors.RATE_LIMITED ?? 0;
  return (
    <div className="kpi-grid">
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
        value={format.percent(errorRate)}
        note={
          <>
            {plural(text.errorCount, totals.errorCount, format.locale)}
            {limited > 0 && `, ${plural(text.rateLimited, limited, format.locale)}`}
            <br />
            {previous.requestCount === 0
              ? delta(0, 0)
              : points(errorRate, ratio(previous.errorCount, previous.requestCount))}
          </>
        }
      />
      <Kpi
        label={text.latency}
        value={format.duration(totals.p50Ms)}
        note={
          totals.p50Ms !== null && (
            <>
              {fill(text.slowest, { p95: format.duration(totals.p95Ms) })}
              <br />
              {delta(totals.p50Ms, previous.p50Ms ?? 0)}
            </>
          )
        }
      />
    </div>
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

/** The change of a number since the previous period. */
function useDelta(period: Stats["period"]): (now: string | number, before: string | number) => string {
  const text = useMessages("usage");
  const format = useFormat();
  const name = text.over[period];
  return (now, before) => {
    const past = ratio(before, 1);
    if (past === 0) return fill(text.noPrevious, { period: name });
    const change = ratio(now, before) - 1;
    if (change >= MANIFOLD) return fill(text.manifold, { times: format.count(MANIFOLD), period: name });
    if (Math.abs(change) < 0.0005) return fill(text.same, { period: name });
    const sign = change > 0 ? "+" : "−";
    return fill(text.delta, { change: `${sign}${format.percent(Math.abs(change))}`, period: name });
  };
}

/** The change of a share in percentage points: twice a small share is still a small one. */
function usePoints(period: Stats["period"]): (now: number, before: number) => string {
  const text = useMessages("usage");
  const format = useFormat();
  const name = text.over[period];
  return (now, before) => {
    const change = now - before;
    if (Math.abs(change) < 0.0005) return fill(text.same, { period: name });
    return fill(text.points, { change: format.points(change), period: name });
  };
}
