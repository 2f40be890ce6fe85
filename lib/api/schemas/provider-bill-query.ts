import { z } from "zod";
import { statsQuery } from "./stats";

/** The most nodes that can be asked for. */
const MAX_NODES = 100;

const ID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const NODES = new RegExp(`^${ID}(?:,${ID}){0,${MAX_NODES - 1}}$`);

/** GET /api/admin/provider-bill: days in UTC. Shape: the ids as a list. */
export const providerBillQuery = statsQuery.pick({ from: true, to: true }).extend({
  nodes: z
    .string()
    .regex(NODES, `must be at most ${MAX_NODES} ids of nodes, separated by commas`)
    .transform((text) => text.split(","))
    .optional()
    .meta({ description: "Ids of nodes, separated by commas; without them all nodes" }),
});
