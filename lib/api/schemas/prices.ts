import { z } from "zod";
import { priceEntry } from "@/lib/config/price-entry";
import { atMost, characters } from "./fields";
import { startMoment } from "./moments";
import { priceFields } from "./price-fields";

/** POST /api/admin/prices. */
export const priceRequest = priceEntry.safeExtend({
  model: characters(1, 128),
  validFrom: startMoment.optional(),
});

/** GET /api/admin/prices. */
export const pricesQuery = z.object({ model: atMost(200).optional() });

/** A price version. Units: cents per 1M tokens, micro-cents per call and request. */
export const priceVersion = priceFields.extend({ version: z.int(), validFrom: z.iso.datetime() });

/** A price version with the alias it belongs to. */
export const priceRecord = priceVersion.extend({ model: z.string() });

/** A price version in a list. */
export const listedPrice = priceRecord.extend({
  createdBy: z
    .string()
    .nullable()
    .describe("The username of the admin who added it; null: the configuration, or not known any more"),
});
