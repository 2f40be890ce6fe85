import { z } from "zod";

/** How the latest attempt to send an alert ended. Source: docs/contract.md#alerts. */
export const alertResult = z.object({
  event: z.enum(["node.open", "node.closed", "node.unpaid", "node.paid", "model.down", "model.up", "test"]),
  at: z.string(),
  ok: z.boolean(),
  status: z.int().nullable().describe("Null: no response"),
  problem: z
    .enum(["address", "closed", "private", "certificate", "timeout", "unreachable", "refused", "rejected"])
    .nullable()
    .describe("Null: it arrived; `rejected`: a 2xx whose body says that the message was not taken"),
  error: z.string().nullable().describe("The problem in words"),
  said: z.string().nullable().describe("What the receiver said to what it did not take"),
});
