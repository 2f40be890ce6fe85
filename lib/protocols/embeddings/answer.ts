import { z } from "zod";

/** The schema of the answer of POST /v1/embeddings. */
export const embeddingsAnswer = z.looseObject({
  object: z.literal("list"),
  model: z.string(),
  data: z.array(
    z.looseObject({
      object: z.literal("embedding"),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string().describe("Little-endian 32-bit floats in base64")]),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
