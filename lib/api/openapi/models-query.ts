import { z } from "zod";

/** The page parameters of the model list, for both protocols. */
export const gatewayModelsQuery = z.object({
  limit: z
    .string()
    .regex(/^(0{0,3}[1-9]|0{0,2}[1-9]\d|0?[1-9]\d\d|1000)$/)
    .optional()
    .describe(
      "At most this many, 1 to 1000; the whole list comes without `limit`, `after_id` and `before_id`",
    ),
  after: z.string().optional().describe("Id of the model before the page"),
  after_id: z.string().optional().describe("The same as `after`"),
  before_id: z.string().optional().describe("Id of the model behind the page"),
});
