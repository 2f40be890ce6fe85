import { z } from "zod";
import { nodeProtocols } from "@/lib/protocols/protocol";
import { billStates } from "@/lib/router/health-report";
import { callPoint } from "./call-point";
import { moment } from "./moments";

const countdown = z.int().describe("Milliseconds until it is tried again; 0 when it is in use");

const nodeError = z.object({
  agoMs: z.int(),
  upstreamModel: z.string(),
  kind: z.string(),
  status: z.int().nullable(),
  message: z.string(),
});

const circuit = z.object({
  state: z.enum(["healthy", "ejected", "half-open", "cooling"]),
  cause: z.string().nullable(),
  returnsInMs: countdown,
  consecutiveFailures: z.int().describe("Since the last success"),
  ejections: z.int(),
});

const pairHealth = circuit.extend({ upstreamModel: z.string() });

/** The health of a node in the process that answers. */
export const nodeHealth = z.object({
  nodeId: z.string(),
  state: z.enum(["healthy", "degraded", "ejected", "half-open", "cooling", "disabled"]),
  cause: z.string().nullable(),
  returnsInMs: countdown,
  inFlight: z.int(),
  maxConcurrency: z.int().nullable(),
  attempts: z.int().describe("In the last five minutes"),
  successShare: z.number().nullable(),
  p95Ms: z.int().nullable(),
  lastError: nodeError.nullable(),
  recentErrors: z.array(nodeError),
  circuit: circuit.describe(
    "Of the node itself, its address and its key: while it is not healthy, no model of the node gets requests as usual",
  ),
  bill: z
    .enum(billStates)
    .describe("Whether the account at the node can pay; unproven: after a reset, until a request succeeds"),
  models: z.array(pairHealth),
});

/** A node, with only the last four characters of its key. Source: docs/contract.md#s5. */
const nodeRecord = z.object({
  id: z.string(),
  name: z.string(),
  protocol: z.enum(nodeProtocols),
  provider: z.string().nullable().describe("Who runs the node; null: found by the host of its base URL"),
  baseUrl: z.string(),
  hasApiKey: z.boolean(),
  apiKeyHint: z.string().nullable().describe("The last four characters of a key"),
  credential: z
    .looseObject({
      kind: z.string(),
      principal: z.string().nullable().describe("Who it is; null for a key"),
    })
    .nullable()
    .describe("With its fields that are not secret; null: none"),
  headers: z.record(z.string(), z.string()),
  enabled: z.boolean(),
  proxy: z.string().nullable(),
  ca: z
    .string()
    .nullable()
    .describe("Certificates in PEM form that alone vouch for it; null: the usual ones"),
  maxConcurrency: z.int().nullable(),
  timeouts: z.object({
    connectMs: z.int(),
    firstByteMs: z.int(),
    responseMs: z.int(),
    idleMs: z.int(),
    totalMs: z.int(),
  }),
  simulated: z.boolean(),
  managedByFile: z.boolean(),
  createdAt: moment,
  updatedAt: moment,
});

/** A node with the models it serves and its health. */
export const nodeView = nodeRecord.extend({
  models: z.array(
    z.object({ alias: z.string(), upstreamModel: z.string(), priority: z.int(), weight: z.int() }),
  ),
  health: nodeHealth,
});

/** GET /api/admin/nodes/{id}. */
export const nodeDetail = nodeView.extend({
  minutes: z.array(callPoint).describe("Calls in each of the last 60 minutes, in the process that answers"),
});
