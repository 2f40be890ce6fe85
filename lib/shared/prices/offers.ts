import type { ModelKind } from "@/lib/protocols/protocol";
import { baseOf, undated } from "../model-names";
import type { DeclaredPrices } from "./declared-prices";
import type { ListEntry } from "./list-entry";
import { type PriceProblem, priceProblems } from "./price-check";
import { samePrices } from "./price-differences";
import { type FullPrices, keptBeside, pricesFromList, type Terms } from "./prices-from-list";

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
  prices: FullPrices | null;
  routes: ReadonlyArray<{ node: string; model: string; cost: DeclaredPrices | null }>;
}

/** What a list says of a model, with what it says nothing of as it is now. */
export interface Offer<Model extends PricedModel = PricedModel> {
  id: string;
  model: Model;
  /** The name in the list. */
  name: string;
  prices: FullPrices;
  /** What each route costs; null: the list does not tell. */
  costs: (FullPrices | null)[];
  limits: Limits;
}

/** What an offer would change of its model. */
export interface OfferChange {
  prices: boolean;
  /** The routes by their place. */
  costs: number[];
  limits: Partial<Limits>;
}

/** Finds the entries of a model: that of each route by its upstream model, else one for all by the alias. */
function entriesFor(entries: readonly ListEntry[]) {
  const finders = {
    // What generates has a price of its output.
    generation: finderOf(entries.filter(({ rates }) => rates.output !== undefined)),
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
export type FindPrices = (of: ListedModel) => { name: string; prices: FullPrices } | null;

/** Finds the prices of single models in a list. */
export function findPricesIn(entries: readonly ListEntry[], terms: Terms): FindPrices {
  const find = entriesFor(entries);
  return (of) => {
    const found = find(of);
    return found && { name: found.entry.name, prices: pricesFromList(found.entry, of.kind, terms) };
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
    const costOf = (entry: ListEntry, place: number) => {
      const cost = pricesFromList(entry, kind, { ...terms, markup: "0" });
      return keptBeside(cost, model.routes[place]?.cost ?? null);
    };
    return {
      id,
      model,
      name,
      prices: keptBeside(pricesFromList(found.entry, kind, terms), model.prices),
      costs: found.ofRoutes.map((entry, place) => (entry === undefined ? null : costOf(entry, place))),
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

function differ(now: DeclaredPrices | null, after: DeclaredPrices): boolean {
  return now === null || !samePrices(now, after);
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

/** The fewest providers before the name first, then no date before a date, then the newest date. */
function byPlainness({ name: a }: ListEntry, { name: b }: ListEntry): number {
  const providers = a.split("/").length - b.split("/").length;
  if (providers !== 0) return providers;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? 1 : -1;
}
