import type { ModelKind } from "@/lib/protocols/protocol";
import { fromScaled, toScaled } from "../decimal";
import { type CostedRoute, type PriceProblem, priceProblems, type TokenPrices } from "./price-check";
import { priceNames, type StoredPrices } from "./price-units";
import type { ListEntry } from "./read-price-list";

/** How dollars of a list become prices. Units: yuan per dollar, percent; decimal text. */
export interface Terms {
  rate: string;
  markup: string;
}

/** What of a model is looked for in a list. */
export interface ListedModel {
  alias: string;
  kind: ModelKind;
  routes: ReadonlyArray<{ model: string }>;
}

interface Limits {
  contextWindow: number | null;
  maxOutputTokens: number | null;
}

/** A model with its routes and the prices in force. */
export interface PricedModel extends ListedModel, Limits {
  id: string;
  prices: TokenPrices | null;
  routes: readonly CostedRoute[];
}

/** What a list says of a model. Units: cents per million tokens. */
export interface Offer<Model extends PricedModel = PricedModel> {
  id: string;
  model: Model;
  /** The name in the list. */
  name: string;
  prices: TokenPrices;
  /** What each route costs; null: the list does not tell. */
  costs: (TokenPrices | null)[];
  limits: Limits;
}

/** What an offer would change of its model. */
export interface OfferChange {
  prices: boolean;
  /** The routes by their place. */
  costs: number[];
  limits: Partial<Limits>;
}

const ONE = toScaled(1);
/** Thousandths of a cent in a yuan: prices have no smaller part. */
const STEPS = 100_000n;

/** Yuan for dollars, with a markup, rounded to the smallest part of a price, halves up. Units: per million tokens; yuan in cents. */
function centsOf(dollars: string, rate: string, markup: string): number {
  const whole = ONE * ONE * ONE * 100n;
  const yuan = toScaled(dollars) * toScaled(rate) * (ONE * 100n + toScaled(markup));
  const steps = (2n * yuan * STEPS + whole) / (2n * whole);
  return Number(fromScaled((steps * ONE * 100n) / STEPS));
}

function pricesOf({ costs }: ListEntry, kind: ModelKind, { rate, markup }: Terms): TokenPrices {
  const price = (dollars: string) => centsOf(dollars, rate, markup);
  const input = price(costs.input);
  const ofCache = (cost: string | null) => (cost === null || kind === "embedding" ? input : price(cost));
  const output = kind === "embedding" || costs.output === null ? 0 : price(costs.output);
  return { input, output, cacheRead: ofCache(costs.cacheRead), cacheWrite: ofCache(costs.cacheWrite) };
}

/** Finds the entries of a model: that of each route by its upstream model, else one for all by the alias. */
function entriesFor(entries: readonly ListEntry[]) {
  const finders = {
    // What generates has a price of its output.
    generation: finderOf(entries.filter(({ costs }) => costs.output !== null)),
    embedding: finderOf(entries),
  };
  return ({ kind, alias, routes }: ListedModel) => {
    const ofRoutes = routes.map((route) => finders[kind](route.model));
    const byRoute = ofRoutes.find((entry) => entry !== undefined);
    if (byRoute !== undefined) return { entry: byRoute, ofRoutes };
    const entry = finders[kind](alias);
    return entry === undefined ? null : { entry, ofRoutes: routes.map(() => entry) };
  };
}

/** The prices of one model by a list, with its name there; null where the list does not know it. */
export type FindPrices = (of: ListedModel) => { name: string; prices: TokenPrices } | null;

/** Finds the prices of single models in a list. */
export function findPricesIn(entries: readonly ListEntry[], terms: Terms): FindPrices {
  const find = entriesFor(entries);
  return (of) => {
    const found = find(of);
    return found && { name: found.entry.name, prices: pricesOf(found.entry, of.kind, terms) };
  };
}

/** The models that a list knows by the upstream model of a route, or else by their alias. */
export function offersOf<Model extends PricedModel>(
  models: readonly Model[],
  entries: readonly ListEntry[],
  terms: Terms,
): Offer<Model>[] {
  const find = entriesFor(entries);
  return models.flatMap((model) => {
    const found = find(model);
    if (found === null) return [];
    const { id, kind } = model;
    const { name, contextWindow, maxOutputTokens } = found.entry;
    const cost = (entry: ListEntry) => pricesOf(entry, kind, { ...terms, markup: "0" });
    return {
      id,
      model,
      name,
      prices: pricesOf(found.entry, kind, terms),
      costs: found.ofRoutes.map((entry) => (entry === undefined ? null : cost(entry))),
      limits: { contextWindow, maxOutputTokens: kind === "embedding" ? null : maxOutputTokens },
    };
  });
}

/** What an offer would change; limits that are set are only replaced when that is wanted. */
export function changeBy({ model, prices, costs, limits }: Offer, replacesLimits: boolean): OfferChange {
  const limit = (name: keyof Limits) =>
    limits[name] !== null &&
    limits[name] !== model[name] &&
    (replacesLimits || model[name] === null) && { [name]: limits[name] };
  return {
    prices: differ(model.prices, prices),
    costs: costs.flatMap((cost, place) =>
      cost !== null && differ(model.routes[place]?.cost ?? null, cost) ? [place] : [],
    ),
    limits: { ...limit("contextWindow"), ...limit("maxOutputTokens") },
  };
}

/** Whether there is anything to change. */
export function changesSomething({ prices, costs, limits }: OfferChange): boolean {
  return prices || costs.length > 0 || Object.keys(limits).length > 0;
}

/** What looks like a mistake in the prices of an offer. */
export function offerProblems({ model, prices, costs }: Offer): PriceProblem[] {
  const routes = model.routes.map((route, place) => ({ ...route, cost: costs[place] ?? route.cost }));
  return priceProblems({ kind: model.kind, prices, now: model.prices, routes });
}

/** A price as stored; a cache without one has that of the input. */
export function storedPrice(prices: StoredPrices | null, name: (typeof priceNames)[number]): number | null {
  return prices === null ? null : (prices[name] ?? prices.input);
}

function differ(now: StoredPrices | null, after: TokenPrices): boolean {
  return priceNames.some((name) => storedPrice(now, name) !== after[name]);
}

/** Finds a name as it stands, then without the provider before it, then also without the date after it. */
function finderOf(entries: readonly ListEntry[]): (name: string) => ListEntry | undefined {
  const keys = [(name: string) => name, baseOf, (name: string) => undated(baseOf(name))];
  const tables = keys.map((keyOf) => {
    const table = new Map<string, ListEntry>();
    for (const entry of [...entries].sort(byPlainness)) {
      const key = keyOf(entry.name);
      if (!table.has(key)) table.set(key, entry);
    }
    return table;
  });
  return (name) => {
    for (const [place, keyOf] of keys.entries()) {
      const found = tables[place]?.get(keyOf(name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}

function undated(base: string): string {
  return base.replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4})$/, "");
}

/** The fewest providers before the name first, then no date before a date, then the newest date. */
function byPlainness({ name: a }: ListEntry, { name: b }: ListEntry): number {
  const providers = a.split("/").length - b.split("/").length;
  if (providers !== 0) return providers;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? 1 : -1;
}
