"use client";

import type { AdminModel } from "../../api/admin/types";
import { callApi } from "../../api/client";
import { useMessages } from "../../i18n/provider";
import type { Step } from "../bulk/use-take-back";
import { useAdminCall } from "../use-admin-change";

type Priced = Pick<AdminModel, "prices">;

/** All prices of a version, as a new version takes them. */
export function pricesOfVersion(prices: NonNullable<AdminModel["prices"]>) {
  const { version: _, validFrom: __, ...all } = prices;
  return all;
}

/** Gives models the prices that they had as a new version each. */
export function useRestorePrices() {
  const call = useAdminCall();
  return async (models: AdminModel[], body: Priced, loaded: object) => {
    for (const { alias } of models) {
      if (body.prices === null) continue;
      await call("POST /api/admin/prices", {
        body: { model: alias, ...pricesOfVersion(body.prices) },
        loaded,
      });
    }
    return { rows: models, body, outcomes: models.map(({ id }) => ({ id, error: null })) };
  };
}

/** Withdraws the version that a change of several models has planned; one that is not there any more, or not the same, stays. */
export function useWithdrawPlanned() {
  const call = useAdminCall();
  const { changed_since } = useMessages("common").errors.reasons;
  return async (models: AdminModel[], body: Priced & { validFrom?: string | undefined }) => {
    const outcomes = [];
    for (const { id, alias, newestPriceVersion } of models) {
      const version = (newestPriceVersion ?? 0) + 1;
      const { data } = await callApi("GET /api/admin/prices", { query: { model: alias } });
      const isThere = data.some((price) => price.version === version && price.validFrom === body.validFrom);
      if (isThere) await call("DELETE /api/admin/models/{id}/prices/{version}", { params: { id, version } });
      outcomes.push({ id, error: isThere ? null : { message: changed_since } });
    }
    return { rows: models, body, outcomes };
  };
}

/** The way back from one new price version of a model, as long as that is its newest. */
export function stepToPrices(model: AdminModel): Step<AdminModel, Priced> {
  return { body: model, rows: [model], loaded: { version: (model.newestPriceVersion ?? 0) + 1 } };
}
