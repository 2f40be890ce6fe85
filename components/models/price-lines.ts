import { pricedServices } from "@/lib/kernel/usage";
import type { ModelKind } from "@/lib/protocols/protocol";
import { centsOfMicroCents } from "@/lib/shared/decimal";
import type { DeclaredChange, DeclaredWindow } from "@/lib/shared/prices/declared-prices";
import { childKinds, type TokenKind } from "@/lib/shared/prices/token-kinds";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { weekdays } from "../i18n/weekdays";

type Rates = { readonly [Kind in TokenKind]?: number | null | undefined };

/** In the order in which prices are read. */
const allKinds: readonly TokenKind[] = ["input", "output", ...childKinds];

/** Shown elsewhere, with those of input and output. */
const usual: readonly TokenKind[] = ["cacheRead", "cacheWrite"];
const unusualKinds = childKinds.filter((kind) => !usual.includes(kind));

/** So many days in a row are told as the first and the last one. */
const LEAST_RUN = 3;

/**
 * What prices have beside those of input, output, its caches and calls, a line each: further kinds, long prompts, service
 * tiers and times of the week.
 */
export function priceLines(
  prices: CatalogModel["prices"],
  kind: ModelKind,
  words: Messages["prices"],
  format: Format,
): string[] {
  const { perRequest } = prices;
  const own = (declared: Rates, kinds = allKinds) => ratesText(declared, kinds, kind, words, format);
  const above = (tokens: number) => format.countFull(tokens);
  const further = [
    own(prices, unusualKinds),
    perRequest === null ? "" : `${words.perRequest} ${format.moneyExact(centsOfMicroCents(perRequest))}`,
  ].filter((part) => part !== "");
  const changeLines = (name: string, change: DeclaredChange) => {
    if (change.factor != null) return [fill(words.factor, { name, factor: change.factor })];
    const tiers = (change.tiers ?? []).map((tier) => ({
      name: fill(words.aboveOf, { name, tokens: above(tier.above) }),
      prices: own(tier),
    }));
    return [{ name, prices: own(change) }, ...tiers].map((line) => fill(words.own, line));
  };
  return [
    ...(further.length > 0 ? [further.join(" · ")] : []),
    ...prices.tiers.map((tier) =>
      fill(words.own, { name: fill(words.above, { tokens: above(tier.above) }), prices: own(tier) }),
    ),
    ...pricedServices.flatMap((service) => {
      const change = prices.services[service];
      return change === undefined ? [] : changeLines(words.services[service], change);
    }),
    ...prices.windows.flatMap((window) => changeLines(windowName(window, words, format), window)),
  ];
}

function ratesText(
  rates: Rates,
  among: readonly TokenKind[],
  kind: ModelKind,
  words: Messages["prices"],
  format: Format,
): string {
  // Embeddings cost their input only.
  const shown = kind === "embedding" ? among.filter((one) => one === "input") : among;
  const parts = shown.flatMap((one) => {
    const cents = rates[one];
    return cents == null ? [] : [`${words.kinds[one]} ${format.moneyExact(String(cents))}`];
  });
  return parts.join(" · ");
}

function windowName(window: DeclaredWindow, words: Messages["prices"], format: Format): string {
  const { from, to, timeZone: zone, days } = window;
  return fill(words.window, { days: daysText(days ?? null, words, format), from, to, zone });
}

/** `Mon–Fri`, `Mon, Wed`. */
function daysText(days: readonly number[] | null, words: Messages["prices"], { locale }: Format): string {
  const names = weekdays(locale);
  if (days === null || days.length === names.length) return words.everyDay;
  const nameOf = (day: number | undefined) => names[(day ?? 1) - 1] ?? "";
  return runsOf(days)
    .flatMap((run) => {
      if (run.length < LEAST_RUN) return run.map(nameOf);
      return [fill(words.days, { first: nameOf(run[0]), last: nameOf(run.at(-1)) })];
    })
    .join(words.dayGap);
}

/** Days in ascending order, those in a row together. */
function runsOf(days: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  return runs;
}
