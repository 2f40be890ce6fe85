import { z } from "zod";
import { clientProtocols, modelCapabilities, modelKinds } from "@/lib/protocols/protocol";
import { listOf } from "./list-of";
import { priceFields } from "./price-fields";

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
  prices: priceFields,
});

/** GET /api/user/models. */
export const modelsResponse = listOf(modelRecord);
