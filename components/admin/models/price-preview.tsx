"use client";

import {
  changeOf,
  costOfUse,
  marginOf,
  type PriceProblem,
  type Pricing,
  priceProblems,
  type TokenPrices,
  type TokenUse,
} from "@/lib/shared/prices/price-check";
import { priceNames } from "@/lib/shared/prices/price-units";
import type { AdminStats } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import type { Format } from "../../i18n/format";
import { useFormat, useMessages } from "../../i18n/provider";

/** The use that is assumed for a model that nobody has used. */
export const SMALL_CALL: TokenUse = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0 };

/** The same for a model that is there, whose use is known. */
export function PriceCheckOfModel({ alias, ...checked }: Checked & { alias: string }) {
  return <PriceCheck {...checked} week={useWeek(alias)} />;
}

interface Checked extends Pricing {
  /** What will be asked about; what the prices themselves make of it unless said otherwise. */
  problems?: PriceProblem[];
}

/** What prices change: each price, the margin of each route, the bill of the last week; and what looks wrong. */
export function PriceCheck(props: Checked & { week: Week | null }) {
  const text = useMessages("adminModels").change;
  const { prices, now, routes, week, problems = priceProblems(props) } = props;
  if (prices === null) return null;
  const use = week === null || week.requests === 0 ? SMALL_CALL : week.use;
  return (
    <div aria-live="polite" className="tabular grid gap-3 rounded-md bg-card px-3 py-2 text-sm empty:hidden">
      <Changes prices={prices} now={now} />
      {prices !== now && <WeekEstimate prices={prices} now={now} week={week} />}
      <Margins prices={prices} routes={routes} use={use} />
      <PriceProblems title={text.problems} problems={problems} />
    </div>
  );
}

interface Week {
  requests: number;
  use: TokenUse;
}

/** What was used of a model in the last 7 days; null while that is not known. */
function useWeek(model: string): Week | null {
  const format = useFormat();
  const stats = useRead("GET /api/admin/stats", { query: { period: "7d", tz: format.timeZone, model } }).data;
  return stats === undefined ? null : { requests: stats.totals.requestCount, use: tokensOf(stats.totals) };
}

function tokensOf(totals: AdminStats["totals"]): TokenUse {
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens } = totals;
  return {
    input: Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens),
    output: completionTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
  };
}

/** The prices that are not those in force, with how much they differ. */
function Changes(props: { prices: TokenPrices; now: Pricing["now"] }) {
  const text = useMessages("adminModels");
  const percent = useSignedPercent();
  const format = useFormat();
  const { prices, now } = props;
  const changed = now === null ? [] : priceNames.filter((name) => now[name] !== prices[name]);
  if (now === null || changed.length === 0) return null;
  return (
    <ul className="grid gap-0.5">
      {changed.map((name) => (
        <li key={name}>
          {fill(text.change.price, {
            name: text.prices[name],
            before: format.moneyExact(String(now[name])),
            after: format.moneyExact(String(prices[name])),
          })}{" "}
          <span className="text-muted">{percent(changeOf(now[name], prices[name]))}</span>
        </li>
      ))}
    </ul>
  );
}

function WeekEstimate(props: { prices: TokenPrices; now: Pricing["now"]; week: Week | null }) {
  const text = useMessages("adminModels").change;
  const format = useFormat();
  const percent = useSignedPercent();
  const { prices, now, week } = props;
  if (week === null || now === null) return null;
  if (week.requests === 0) return <p className="text-muted">{text.noUse}</p>;
  const [before, after] = [costOfUse(now, week.use), costOfUse(prices, week.use)];
  return (
    <p>
      {fill(text.week, { after: format.money(after), before: format.money(before) })}
      {format.gap}
      <span className="text-muted">{percent(changeOf(before, after))}</span>
    </p>
  );
}

/** The margin of each route whose cost is known. */
function Margins(props: { prices: TokenPrices; routes: Pricing["routes"]; use: TokenUse }) {
  const text = useMessages("adminModels").change;
  const format = useFormat();
  const { prices, routes, use } = props;
  const known = routes.flatMap((route) => (route.cost === null ? [] : [{ ...route, cost: route.cost }]));
  if (known.length === 0) return <p className="text-muted">{text.noCosts}</p>;
  return (
    <ul className="grid gap-0.5">
      {known.map(({ node, model, cost }) => {
        const share = marginOf(prices, cost, use);
        return (
          <li key={`${node} ${model}`} className={(share ?? 0) < 0 ? "text-danger" : undefined}>
            {fill(text.margin, { node, share: shareText(share, format) })}
          </li>
        );
      })}
    </ul>
  );
}

/** A share that may be below zero; a dash where it is not known. */
export function shareText(share: number | null, format: Format): string {
  return share === null ? "–" : `${share < 0 ? "−" : ""}${format.percent(Math.abs(share))}`;
}

/** What looks like a mistake, as a list; nothing where all is well. */
export function PriceProblems(props: { title: string; problems: PriceProblem[] }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const money = (cents: number) => format.moneyExact(String(cents));
  const { problems } = props;
  if (problems.length === 0) return null;
  function wordsOf(problem: PriceProblem): string {
    const name = text.prices[problem.price];
    switch (problem.kind) {
      case "belowCost":
        return fill(text.change.belowCost, { name, node: problem.node, cost: money(problem.cost) });
      case "jump":
        return fill(text.change.jump, { name, before: money(problem.before), after: money(problem.after) });
      case "cacheAboveInput":
        return text.change.cacheAboveInput[problem.price];
      case "outputBelowInput":
        return text.change.outputBelowInput;
    }
  }
  return (
    <div className="text-warning">
      <p className="font-medium">{props.title}</p>
      <ul className="list-disc pl-4">
        {problems.map((problem) => (
          <li key={wordsOf(problem)}>{wordsOf(problem)}</li>
        ))}
      </ul>
    </div>
  );
}

function useSignedPercent(): (change: number | null) => string {
  const format = useFormat();
  return (change) => {
    if (change === null || change === 0) return "";
    return `(${change > 0 ? "+" : "−"}${format.percent(Math.abs(change)).replace(/^[<>]/, "")})`;
  };
}
