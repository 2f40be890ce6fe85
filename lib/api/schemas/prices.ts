import { z } from "zod";
import { priceEntry } from "@/lib/config/file-schema";
import { atMost, characters } from "./fields";
import { callPrices } from "./models";
import { startMoment } from "./moments";

/** POST /api/admin/prices. */
export const priceRequest = priceEntry.extend({
  model: characters(1, 128),
  validFrom: startMoment.optional(),
});

/** GET /api/admin/prices. */
export const pricesQuery = z.object({ model: atMost(200).optional() });

/** A price version. Units: cents per 1M tokens, micro-cents per call. */
export const priceVersion = z.object({
  version: z.int(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  perCall: callPrices,
  validFrom: z.iso.datetime(),
});

/** A price version with the alias it belongs to. */
export const priceRecord = priceVersion.extend({ model: z.string() });

/** A price version in a list. */
export const listedPrice = priceRecord.extend({
  createdBy: z
    .string()
    .nullable()
    .describe("The username of the admin who added it; null: the configuration, or not known any more"),
});
