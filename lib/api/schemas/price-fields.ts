import { z } from "zod";
import { priceWindow, serviceChange, sizeTier } from "@/lib/config/price-entry";

const callPrice = z.int().nullable();

/** The price of a call of each tool that the node runs. Units: micro-cents per call. */
const callPrices = z
  .object({
    webSearch: callPrice,
    fileSearch: callPrice,
    codeInterpreter: callPrice,
    imageGeneration: callPrice,
  })
  .describe("Micro-cents per call of a tool that the node runs; null: the tool may not be used");

const ownPrice = (parent: string) => z.number().nullable().describe(`Null: the price of \`${parent}\``);

/** Prices of a model. Units: cents per 1M tokens, micro-cents per call and request. Source: docs/prices.md#fields. */
export const priceFields = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  cacheWrite1h: ownPrice("cacheWrite"),
  audioInput: ownPrice("input"),
  imageInput: ownPrice("input"),
  reasoning: ownPrice("output"),
  audioOutput: ownPrice("output"),
  imageOutput: ownPrice("output"),
  perCall: callPrices,
  perRequest: z.int().nullable().describe("Micro-cents of each request beside its tokens"),
  tiers: z.array(sizeTier).describe("Prices of requests with longer prompts, ascending"),
  services: z
    .object({
      priority: serviceChange.optional(),
      flex: serviceChange.optional(),
      batch: serviceChange.optional(),
    })
    .describe("Prices of service tiers; one that is absent may not be asked for"),
  windows: z
    .array(priceWindow)
    .describe("Prices of parts of the week; the first one that the time lies in applies"),
});
