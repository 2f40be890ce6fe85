"use client";

import { useState } from "react";
import { changeBy } from "@/lib/shared/prices/offers";
import type { AdminModel } from "../../../api/admin/types";
import { ApiError, callApi, isOutcomeUnknown } from "../../../api/client";
import { errorMessage } from "../../../api/error-message";
import { plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import type { Selection } from "../../../lists/use-selection";
import { toast } from "../../../ui/toast";
import { type Outcome, whyNot } from "../../bulk/outcomes";
import { useTakeBack } from "../../bulk/use-take-back";
import { useRefresh } from "../../use-admin-change";
import { stepToPrices, useRestorePrices, useWithdrawPlanned } from "../restore-prices";
import type { ModelOffer } from "./model-offer";

/** How offers are taken. `validFrom`: when their prices come into force; undefined: at once. */
export interface Order {
  validFrom: string | undefined;
  replacesLimits: boolean;
}

/** How many models have what was offered, and which have not. */
export interface Applied {
  done: number;
  failures: Outcome[];
}

/** Takes offers one after another; a model that fails stops no other. */
export function useApply(selection: Selection<AdminModel>) {
  const [done, setDone] = useState(0);
  const refresh = useRefresh();
  const whyFailed = useWhyFailed();
  const sayDone = useSayDone(selection);
  async function apply(offers: ModelOffer[], order: Order): Promise<Applied> {
    const failures: Outcome[] = [];
    const priced: AdminModel[] = [];
    for (const [place, offer] of offers.entries()) {
      setDone(place);
      try {
        await send(offer, order, () => priced.push(offer.model));
      } catch (error) {
        failures.push({ id: offer.id, error: { message: whyFailed(error) } });
      }
    }
    await refresh();
    const applied = { done: offers.length - failures.length, failures };
    sayDone(priced, applied, order);
    return applied;
  }
  return { apply, done };
}

/** Changes one model: first its prices, which can be taken back, then the costs of its routes and its limits. */
async function send(offer: ModelOffer, order: Order, onPriced: () => void): Promise<void> {
  const { model, prices } = offer;
  const change = changeBy(offer, order.replacesLimits);
  if (change.prices) {
    const { validFrom } = order;
    await callApi("POST /api/admin/prices", {
      body: { model: model.alias, ...prices, validFrom },
      loaded: { version: model.newestPriceVersion },
    });
    onPriced();
  }
  const { costs, limits } = change;
  if (costs.length === 0 && Object.keys(limits).length === 0) return;
  const routes = model.routes.map(({ node, model: upstream, priority, weight, cost }, place) => {
    const offered = costs.includes(place) ? offer.costs[place] : undefined;
    return { node, model: upstream, priority, weight, cost: offered ?? cost };
  });
  const { contextWindow, maxOutputTokens } = model;
  await callApi("PATCH /api/admin/models/{id}", {
    params: { id: model.id },
    body: { ...limits, ...(costs.length > 0 && { routes }) },
    loaded: {
      ...(costs.length > 0 && { routes: model.routes }),
      ...("contextWindow" in limits && { contextWindow }),
      ...("maxOutputTokens" in limits && { maxOutputTokens }),
    },
  });
}

function useWhyFailed(): (error: unknown) => string {
  const { bulk, list } = useMessages("adminModels");
  const common = useMessages("common");
  const { changed_since } = common.errors.reasons;
  return (error) => {
    if (isOutcomeUnknown(error)) return bulk.unknown;
    if (!(error instanceof ApiError)) return errorMessage(error, common);
    return whyNot(error, { ...bulk.codes, changed_since, INVALID_REQUEST: list.refused });
  };
}

/** Says what was done, with the way back to the prices before. */
function useSayDone(selection: Selection<AdminModel>) {
  const words = useMessages("adminModels");
  const common = useMessages("common");
  const format = useFormat();
  const back = { selection, nameOf: ({ alias }: AdminModel) => alias };
  const restore = useTakeBack({ ...back, change: useRestorePrices(), undone: words.list.undone });
  const withdraw = useTakeBack({ ...back, change: useWithdrawPlanned(), undone: words.bulk.withdrawn });
  return (priced: AdminModel[], { done }: Applied, { validFrom }: Order) => {
    const planned = validFrom !== undefined;
    // Nothing leads back to no price.
    const returning = planned ? priced : priced.filter(({ prices }) => prices !== null);
    const steps = returning.map((model) => ({ ...stepToPrices(model), body: { ...model, validFrom } }));
    const time = planned ? format.dateTime(validFrom) : "";
    if (priced.length === 0 && done === 0) return;
    const sentence = priced.length === 0 ? words.list.done : planned ? words.list.planned : words.list.priced;
    toast.done(plural(sentence, priced.length || done, format.locale, { time }), {
      action:
        steps.length === 0
          ? undefined
          : { label: common.undo, onClick: () => void (planned ? withdraw : restore)(steps) },
    });
  };
}
