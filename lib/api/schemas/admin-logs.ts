import { z } from "zod";
import { attemptAccess } from "./attempt-access";
import { decimal } from "./fields";
import { logAttempt, logDetail, logEntry } from "./logs";

/** An entry of the log of all accounts. */
export const adminLogEntry = logEntry.extend({
  userId: z.string(),
  username: z.string(),
  nodeId: z.string().nullable().describe("The node that answered"),
  node: z.string().nullable(),
  failedAttempts: z
    .array(z.object({ nodeId: z.string().nullable(), node: z.string(), result: z.string() }))
    .describe("The attempts that got no answer, in their order"),
});

/** The detail of one request, with the names of nodes and upstream models. */
export const adminLogDetail = logDetail.extend({
  userId: z.string(),
  nodeId: z.string().nullable(),
  nodeCost: decimal.nullable().describe("Cents: what the node charges; null: not known"),
  attempts: z.array(logAttempt.extend({ nodeId: z.string().nullable(), access: attemptAccess })),
});
