import { z } from "zod";
import { priceEntry } from "@/lib/config/price-entry";
import { modelKinds, nodeProtocols } from "@/lib/protocols/protocol";
import { moment } from "./moments";
import { priceVersion } from "./prices";

/** A model with its routes and the price in force. */
export const adminModelRecord = z.object({
  id: z.string(),
  alias: z.string(),
  kind: z.enum(modelKinds),
  alsoKnownAs: z.array(z.string()),
  displayName: z.string(),
  contextWindow: z.int().nullable(),
  maxOutputTokens: z.int().nullable(),
  defaultMaxTokens: z.int().nullable().describe("Null: chosen per request"),
  profile: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  managedByFile: z.boolean(),
  leftFileAt: moment
    .nullable()
    .describe("Since when the file no longer declares it; null once it is changed here"),
  prices: priceVersion.nullable(),
  plannedPrices: priceVersion.nullable().describe("The next ones that are not yet in force"),
  newestPriceVersion: z.int().nullable().describe("That of a price that is not yet in force, too"),
  routes: z.array(
    z.object({
      node: z.string(),
      nodeId: z.string(),
      protocol: z.enum(nodeProtocols),
      model: z.string(),
      priority: z.int(),
      weight: z.int(),
      cost: priceEntry.nullable().describe("What the node charges; null: not known"),
    }),
  ),
  live: z.boolean().describe("Enabled, priced and with an enabled node"),
  createdAt: moment,
  updatedAt: moment,
});
