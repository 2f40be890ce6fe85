import { z } from "zod";
import { modelEntry } from "@/lib/config/file-schema";
import { characters, must } from "./fields";
import { startMoment } from "./moments";

/** The most models in a change of several, because the answer waits for all of them. */
export const MAX_AT_ONCE = 100;

/** POST /api/admin/models/batch. */
export const modelsRequest = z.strictObject({ models: z.array(modelEntry).min(1).max(100) });

/** PATCH /api/admin/models. Units: the factor multiplies the prices in force. */
export const updateModelsRequest = z.strictObject({
  ids: z
    .array(characters(1, 100), must("must be a list of ids of models"))
    .min(1, "must name at least one model")
    .max(MAX_AT_ONCE, `must name at most ${MAX_AT_ONCE} models`),
  enabled: z.boolean(must("must be true or false")).optional(),
  priceFactor: z
    .number(must("must be a number"))
    .min(0.01, "must be at least 0.01")
    .max(100, "must be at most 100")
    .multipleOf(0.0001, "must have at most 4 decimals")
    .optional()
    .describe("A new price version of each model: every price in force times this"),
  validFrom: startMoment.optional().describe("From when on, with `priceFactor`; without it at once"),
});
