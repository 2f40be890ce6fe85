"use client";

import { centsOfMicroCents } from "@/lib/shared/decimal";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import {
  declaredRateOf,
  type OtherDifferences,
  otherDifferences,
} from "@/lib/shared/prices/price-differences";
import { priceNames } from "@/lib/shared/prices/price-units";
import { fill, plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { ValueChange } from "./value-change";

interface Change {
  label: string;
  now: number | null;
  after: number | null;
}

/** What of prices changes: values as they are now and as they would be; of tiers and service tiers only that they do. */
export function PriceChanges(props: { now: DeclaredPrices | null; after: DeclaredPrices }) {
  const format = useFormat();
  const other = otherDifferences(props.now, props.after);
  const { rates, calls } = useChanges(props, other);
  const money = (cents: number | string | null) => (cents === null ? "–" : format.moneyExact(String(cents)));
  const perUse = (microCents: number | null) => money(microCents && centsOfMicroCents(microCents));
  return (
    <>
      {rates.map(({ label, now, after }) => (
        <ValueChange key={label} label={label} now={money(now)} after={money(after)} />
      ))}
      {calls.map(({ label, now, after }) => (
        <ValueChange key={label} label={label} now={perUse(now)} after={perUse(after)} />
      ))}
      <Also other={other} />
    </>
  );
}

/** Units: rates in cents per million tokens, calls in micro-cents. */
function useChanges(
  { now, after }: Parameters<typeof PriceChanges>[0],
  { kinds, calls, request }: OtherDifferences,
): { rates: Change[]; calls: Change[] } {
  const { prices, list } = useMessages("adminModels");
  const tools = useMessages("common").hostedTools;
  const rateOf = (kind: (typeof priceNames)[number]): Change => ({
    label: prices[kind],
    now: now && declaredRateOf(now, kind),
    after: declaredRateOf(after, kind),
  });
  const usual = priceNames.map(rateOf).filter((rate) => rate.now !== rate.after);
  const others = kinds.map(({ kind, ...change }) => ({ label: list.kinds[kind], ...change }));
  const perCall = calls.map(({ tool, ...change }) => ({
    label: fill(list.perCall, { tool: tools[tool] }),
    ...change,
  }));
  const perRequest = request === null ? [] : [{ label: list.perRequest, ...request }];
  return { rates: usual.concat(others), calls: perCall.concat(perRequest) };
}

/** The tiers and service tiers with other prices, by name. */
function Also({ other }: { other: OtherDifferences }) {
  const words = useMessages("adminModels");
  const text = words.list;
  const format = useFormat();
  const names = other.services.map((service) => text.services[service]);
  if (other.tiers === 0) names.unshift(text.noTiers);
  else if (other.tiers !== null) names.unshift(plural(text.tiers, other.tiers, format.locale));
  if (names.length === 0) return null;
  return (
    <span className="block">
      <span className="text-xs text-muted">{text.also}</span> {names.join(words.bulk.nameGap)}
    </span>
  );
}
