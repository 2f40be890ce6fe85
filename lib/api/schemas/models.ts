import { z } from "zod";
import { clientProtocols, modelCapabilities, modelKinds } from "@/lib/protocols/protocol";
import { listOf } from "./list-of";

const callPrice = z.int().nullable();

/** The price of a call of each tool that the node runs. Units: micro-cents per call. */
export const callPrices = z
  .object({
    webSearch: callPrice,
    fileSearch: callPrice,
    codeInterpreter: callPrice,
    imageGeneration: callPrice,
  })
  .describe("Micro-cents per call of a tool that the node runs; null: the tool may not be used");

/** Cents per 1M tokens, and micro-cents per call. */
const pricesRecord = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  perCall: callPrices,
});

/** A model that can be called. Source: docs/contract.md#s5. */
export const modelRecord = z.object({
  id: z.string(),
  kind: z.enum(modelKinds).describe("What it is for: `embedding` is served by POST /v1/embeddings only"),
  alsoKnownAs: z.array(z.string()),
  displayName: z.string(),
  contextWindow: z.int().nullable(),
  maxOutputTokens: z.int().nullable(),
  defaultMaxTokens: z.int().nullable().describe("Null: chosen per request"),
  protocols: z.array(z.enum(clientProtocols)),
  capabilities: z
    .array(z.enum(modelCapabilities))
    .describe(
      "What is known that it can do on every enabled node; what is missing is not known, or not there",
    ),
  simulated: z.boolean(),
  prices: pricesRecord,
});

/** GET /api/user/models. */
export const modelsResponse = listOf(modelRecord);
