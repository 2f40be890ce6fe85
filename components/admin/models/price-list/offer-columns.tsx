"use client";

import { changeBy, changesSomething, offerProblems } from "@/lib/shared/prices/offers";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import type { Column } from "../../../ui/columns";
import { PriceProblems } from "../price-preview";
import type { ModelOffer } from "./model-offer";
import { PriceChanges } from "./price-changes";
import { ValueChange } from "./value-change";

/** The model with what is to be known before it is ticked, its prices, the costs of its routes, and its limits. */
export function useOfferColumns(replacesLimits: boolean): Column<ModelOffer>[] {
  const words = useMessages("adminModels");
  const text = words.list;
  const change = (offer: ModelOffer) => changeBy(offer, replacesLimits);
  return [
    {
      id: "model",
      head: words.alias,
      card: "title",
      className: "min-w-40 wrap-anywhere",
      cell: (offer) => <OfferedModel offer={offer} changes={changesSomething(change(offer))} />,
    },
    {
      id: "prices",
      head: fill(words.perMillion, { price: text.price }),
      card: "wide",
      cell: (offer) =>
        change(offer).prices ? <PriceChanges now={offer.model.prices} after={offer.prices} /> : null,
    },
    {
      id: "costs",
      head: fill(words.perMillion, { price: text.cost }),
      card: "wide",
      cell: (offer) => {
        const routes = change(offer).costs;
        return routes.length > 0 ? <Costs offer={offer} routes={routes} /> : null;
      },
    },
    {
      id: "limits",
      head: text.limits,
      card: "wide",
      cell: (offer) => {
        const { limits } = change(offer);
        return Object.keys(limits).length > 0 ? <Limits offer={offer} limits={limits} /> : null;
      },
    },
  ];
}

function OfferedModel({ offer, changes }: { offer: ModelOffer; changes: boolean }) {
  const words = useMessages("adminModels");
  const text = words.list;
  const format = useFormat();
  const { model, name } = offer;
  return (
    <span className="grid gap-0.5">
      {model.alias}
      <span className="text-xs font-normal text-muted">{fill(text.matched, { name })}</span>
      {!changes && <span className="text-xs font-normal text-muted">{text.noChange}</span>}
      {changes && model.managedByFile && (
        <span className="text-xs font-normal text-muted">{words.bulk.codes.CONFLICT}</span>
      )}
      {changes && model.plannedPrices !== null && (
        <span className="text-xs font-normal text-warning">
          {fill(words.bulk.plannedStays, { date: format.date(model.plannedPrices.validFrom) })}
        </span>
      )}
      {changes && (
        <span className="text-xs font-normal">
          <PriceProblems title={words.change.confirmBody} problems={offerProblems(offer)} />
        </span>
      )}
    </span>
  );
}

function Costs({ offer, routes }: { offer: ModelOffer; routes: number[] }) {
  return routes.map((place) => {
    const [route, cost] = [offer.model.routes[place], offer.costs[place]];
    if (route === undefined || cost == null) return null;
    return (
      <span key={place} className="grid">
        {offer.model.routes.length > 1 && <span className="wrap-anywhere">{route.node}</span>}
        <PriceChanges now={route.cost} after={cost} />
      </span>
    );
  });
}

function Limits({ offer, limits }: { offer: ModelOffer; limits: Partial<ModelOffer["limits"]> }) {
  const text = useMessages("adminModels").list;
  const format = useFormat();
  const count = (tokens: number | null) => (tokens === null ? "–" : format.countFull(tokens));
  return (["contextWindow", "maxOutputTokens"] as const).map((name) => {
    const after = limits[name];
    return (
      after != null && (
        <ValueChange key={name} label={text[name]} now={count(offer.model[name])} after={count(after)} />
      )
    );
  });
}
