import { z } from "zod";
import { nodeProtocols } from "@/lib/protocols/protocol";
import { characters, must } from "./fields";

/** States that a rehearsal can assume for a node: known states, or faults that the router has not detected. */
const assumedStates = [
  "healthy",
  "ejected",
  "cooling",
  "half-open",
  "busy",
  "down",
  "failing",
  "slow",
  "limited",
  "refused",
] as const;

const assume = z.record(
  z.string(),
  z.enum(assumedStates, must(`must be one of ${assumedStates.join(", ")}`)),
);

/** POST /api/admin/rehearsal. */
export const rehearsalRequest = z.strictObject({ model: characters(1, 200), assume: assume.default({}) });

/** POST /api/admin/rehearsal/models. */
export const modelsRehearsalRequest = z.strictObject({ assume });

const rehearsedNode = z.object({
  node: z.string(),
  nodeId: z.string(),
  protocol: z.enum(nodeProtocols),
  upstreamModel: z.string(),
});

const rehearsedAnswer = z.object({
  status: z.int(),
  code: z.string().nullable(),
  node: z.string().nullable(),
  afterMs: z.int(),
  retryAfterSeconds: z.int().nullable(),
});

const nodeShares = z.array(z.object({ node: z.string(), share: z.number().describe("Of the draws") }));

/** POST /api/admin/rehearsal. */
export const rehearsalResponse = z.object({
  model: z.string(),
  order: z.array(
    rehearsedNode.extend({
      n: z.int(),
      priority: z.int(),
      weight: z.int(),
      mode: z.enum(["normal", "trial", "spared", "probe"]),
      reason: z.string(),
      result: z.enum(["answers", "fails", "unused"]),
      failure: z.string().nullable().describe("How the call failed"),
      status: z.int().nullable().describe("What the node answered"),
      startMs: z.int(),
      endMs: z.int(),
    }),
  ),
  skipped: z.array(rehearsedNode.extend({ why: z.string(), returnsInMs: z.int().nullable() })),
  answer: rehearsedAnswer,
  learnt: z
    .array(
      z.object({
        node: z.string(),
        afterRequests: z.int(),
        state: z.enum(["ejected", "cooling"]),
        cause: z.string(),
        forMs: z.int(),
      }),
    )
    .describe("When the router has noticed a fault, and for how long it avoids the node"),
  shares: nodeShares.describe("How often each node comes first in a thousand draws"),
});

/** POST /api/admin/rehearsal/models. */
export const modelsRehearsalResponse = z.object({
  data: z
    .array(
      z.object({
        model: z.string(),
        affected: z.boolean().describe("Whether it has a route to a node whose state is assumed"),
        now: nodeShares.describe("How often each node comes first without the assumption"),
        first: rehearsedAnswer.describe("What the first request gets, before the router knows of a fault"),
        later: z
          .object({
            answer: rehearsedAnswer,
            nodes: z.int().describe("How many nodes can answer"),
            shares: nodeShares.describe("Empty: no node answers"),
          })
          .describe("Once the router has detected the faults"),
      }),
    )
    .describe("Every live model, by alias"),
});
