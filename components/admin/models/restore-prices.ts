"use client";

import type { Step } from "../bulk/use-take-back";
import type { AdminModel } from "../types";
import { useAdminCall } from "../use-admin-change";

type Priced = Pick<AdminModel, "prices">;

/** Gives models the prices that they had as a new version each. */
export function useRestorePrices() {
  const call = useAdminCall();
  return async (models: AdminModel[], body: Priced, loaded: object) => {
    for (const { alias } of models) {
      if (body.prices === null) continue;
      const { input, output, cacheRead, cacheWrite, perCall } = body.prices;
      const prices = { input, output, cacheRead, cacheWrite, perCall };
      await call("POST /api/admin/prices", { body: { model: alias, ...prices }, loaded });
    }
    return { rows: models, body, outcomes: models.map(({ id }) => ({ id, error: null })) };
  };
}

/** The way back from one new price version of a model, as long as that is its newest. */
export function stepToPrices(model: AdminModel): Step<AdminModel, Priced> {
  return { body: model, rows: [model], loaded: { version: (model.newestPriceVersion ?? 0) + 1 } };
}
