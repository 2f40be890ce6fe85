import { z } from "zod";
import { clientProtocols, modelCapabilities, modelKinds } from "@/lib/protocols/protocol";

/** A model, with the members that both client libraries read. Source: docs/protocols.md#s15-1. */
export const gatewayModel = z.object({
  id: z.string(),
  object: z.literal("model"),
  type: z.literal("model"),
  created: z.int(),
  created_at: z.iso.datetime(),
  owned_by: z.string(),
  kind: z.enum(modelKinds).describe("`embedding`: for POST /v1/embeddings only"),
  display_name: z.string(),
  max_input_tokens: z.int().nullable(),
  max_tokens: z.int().nullable(),
  lifecycle: z.string(),
  line: z.null(),
  deprecated_at: z.null(),
  retires_at: z.null(),
  capabilities: z.null(),
  supports: z
    .array(z.enum(modelCapabilities))
    .describe(
      "What is known that it can do on every enabled node; what is missing is not known, or not there",
    ),
  protocols: z.array(z.enum(clientProtocols)).describe("Those that are served without conversion"),
  pricing: z.object({
    unit: z.literal("cents_per_million_tokens"),
    input: z.number(),
    output: z.number(),
    cache_read: z.number(),
    cache_write: z.number(),
  }),
});

/** GET /v1/models. */
export const gatewayModels = z.object({
  object: z.literal("list"),
  data: z.array(gatewayModel),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
