import { z } from "zod";
import { priceEntry } from "@/lib/config/file-schema";
import { refusalNames } from "@/lib/kernel/refusals";
import { modelKinds, nodeProtocols } from "@/lib/protocols/protocol";
import { billStates } from "@/lib/router/health-report";
import { priceVersion } from "./catalog";
import { logAttempt, logDetail, logEntry } from "./logs";
import { stats } from "./stats";

const moment = z.iso.datetime();
const protocol = z.enum(nodeProtocols);
const decimal = z.string().describe("Cents as exact decimal text");
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
  protocol,
  provider: z.string().nullable().describe("Who runs the node; null: found by the host of its base URL"),
  baseUrl: z.string(),
  hasApiKey: z.boolean(),
  apiKeyHint: z.string().nullable().describe("The last four characters"),
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

const callPoint = z.object({
  bucketStart: moment,
  attemptCount: z.int(),
  failureCount: z.int(),
  averageLatencyMs: z.int().nullable(),
});

/** GET /api/admin/nodes/{id}. */
export const nodeDetail = nodeView.extend({
  minutes: z.array(callPoint).describe("Calls in each of the last 60 minutes, in the process that answers"),
});

/** A model with its routes and the price in force. */
export const adminModelRecord = z.object({
  id: z.string(),
  alias: z.string(),
  kind: z.enum(modelKinds),
  alsoKnownAs: z.array(z.string()),
  displayName: z.string(),
  contextWindow: z.int().nullable(),
  maxOutputTokens: z.int().nullable(),
  defaultMaxTokens: z.int().nullable().describe("Null: chosen per request"),
  profile: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  managedByFile: z.boolean(),
  leftFileAt: moment
    .nullable()
    .describe("Since when the file no longer declares it; null once it is changed here"),
  prices: priceVersion.nullable(),
  plannedPrices: priceVersion.nullable().describe("The next ones that are not yet in force"),
  newestPriceVersion: z.int().nullable().describe("That of a price that is not yet in force, too"),
  routes: z.array(
    z.object({
      node: z.string(),
      nodeId: z.string(),
      protocol,
      model: z.string(),
      priority: z.int(),
      weight: z.int(),
      cost: priceEntry.nullable().describe("What the node charges; null: not known"),
    }),
  ),
  live: z.boolean().describe("Enabled, priced and with an enabled node"),
  createdAt: moment,
  updatedAt: moment,
});

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
  attempts: z.array(logAttempt.extend({ nodeId: z.string().nullable() })),
});

/** GET /api/admin/stats. */
export const adminStats = stats.extend({
  activeUsers: z.int(),
  topUsers: z.array(
    z.object({
      userId: z.string(),
      username: z.string(),
      requestCount: z.int(),
      errorCount: z.int(),
      cost: decimal,
    }),
  ),
  topNodes: z.array(
    z.object({
      nodeId: z.string(),
      node: z.string(),
      attemptCount: z.int(),
      failureCount: z.int(),
      promptTokens: z.int(),
      completionTokens: z.int(),
      cost: decimal,
      averageLatencyMs: z.int(),
    }),
  ),
  nodeSeries: z
    .array(z.object({ nodeId: z.string(), node: z.string(), points: z.array(callPoint) }))
    .describe("Calls to every node that was called, zero-filled"),
});

/** One entry of the audit log; without secrets. */
export const auditEntry = z.object({
  id: z.string(),
  createdAt: moment,
  actorId: z.string().nullable(),
  actorName: z.string(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  ip: z.string(),
  batchId: z.string().nullable().describe("Shared by the entries of one change of several accounts"),
  batchCount: z
    .int()
    .describe("Of how many matching entries this is the newest: more than 1 only when `grouped`"),
  names: z
    .record(z.string(), z.string())
    .describe("The current names of the accounts, keys, nodes and models that it mentions, by id"),
});

const rehearsedNode = z.object({
  node: z.string(),
  nodeId: z.string(),
  protocol,
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

/** A reason for which this process has refused something in the last hour. Source: docs/contract.md#refusals. */
export const refusalCount = z.object({
  reason: z.enum(refusalNames),
  count: z.int(),
  last: moment.describe("The newest one"),
});

/** GET /api/admin/reconcile. Micro-cents as text. */
export const reconcileResponse = z.object({
  checkedAt: moment.describe("When the comparison began"),
  ok: z.boolean(),
  usedMicroCents: z.string(),
  ledgerMicroCents: z.string(),
  heldMicroCents: z.string(),
  openHolds: z.int(),
  mismatches: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      counterMicroCents: z.string(),
      sumMicroCents: z.string(),
    }),
  ),
});

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
