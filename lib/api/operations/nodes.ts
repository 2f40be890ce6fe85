import { wholeList } from "@/lib/accounts/page";
import { recordAudit } from "@/lib/admin/audit";
import { draftNode, withCredential } from "@/lib/admin/draft-node";
import { knownKind } from "@/lib/admin/known-kind";
import { listNodeModels } from "@/lib/admin/node-models";
import { testDraft, testNode } from "@/lib/admin/node-test";
import {
  createNode,
  deleteNode,
  findNode,
  listNodes,
  type NodeRules,
  nodeById,
  updateNode,
} from "@/lib/admin/nodes";
import { rehearse, rehearseModels } from "@/lib/admin/rehearsal";
import { configChanged } from "@/lib/api/announce-changes";
import { listOf } from "@/lib/api/schemas/list-of";
import { nodeRequest } from "@/lib/api/schemas/node-request";
import { nodeStats, nodeStatsQuery } from "@/lib/api/schemas/node-stats";
import {
  draftTestRequest,
  draftTestResult,
  nodeModels,
  nodeTestRequest,
  nodeTestResult,
} from "@/lib/api/schemas/node-tests";
import { nodeDetail, nodeView } from "@/lib/api/schemas/nodes";
import {
  modelsRehearsalRequest,
  modelsRehearsalResponse,
  rehearsalRequest,
  rehearsalResponse,
} from "@/lib/api/schemas/rehearsal";
import { storedCredential } from "@/lib/config/node-credential";
import { callableNode } from "@/lib/gateway/callable-node";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { readNodeStats } from "@/lib/reports/node-stats";
import type { HealthTarget } from "@/lib/router/health";
import { nodeMinutes, nodeReport } from "@/lib/router/health-report";
import type { CallableNode } from "@/lib/upstream/call-node";
import { systemMachine } from "@/lib/upstream/credentials/system-machine";
import { defineOperation } from "../operation";

const shared = { tag: "Admin: gateway", caller: "admin" } as const;
const onlyGiven = "Only what is given changes. What the configuration file declares is read-only here (409).";
const changing = ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"] as const;

const example = {
  name: "openai-main",
  protocol: "chat",
  baseUrl: "https://api.openai.com/v1",
  apiKey: "sk-proj-example",
};

const draftExample = { protocol: example.protocol, baseUrl: example.baseUrl, apiKey: example.apiKey };

/** Upstream nodes, whose keys are write-only. Source: docs/contract.md#s5. */
export const nodeOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/nodes",
      id: "listNodes",
      summary: "List the nodes",
      success: { status: 200, description: "All nodes", schema: listOf(nodeView) },
    },
    async () => wholeList((await listNodes(runtime().db)).map(withHealth)),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/nodes",
      id: "createNode",
      summary: "Add a node",
      body: { schema: nodeRequest, example: example },
      success: { status: 201, description: "The node", schema: nodeView },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const node = await createNode(runtime().db, actor, body, nodeRulesOf());
      await configChanged();
      return withHealth({ ...node, models: [] });
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/nodes/{id}",
      id: "getNode",
      summary: "Show a node",
      success: { status: 200, description: "The node", schema: nodeDetail },
      errors: ["NOT_FOUND"],
    },
    async ({ params }) => withMinutes(await findNode(runtime().db, params.id)),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/nodes/{id}",
      id: "updateNode",
      summary: "Change a node",
      description: onlyGiven,
      body: { schema: nodeRequest, example: { enabled: false }, partial: true },
      success: { status: 200, description: "The node", schema: nodeView },
      errors: changing,
    },
    async ({ actor, params, body }) => {
      const { db } = runtime();
      const { id } = await updateNode(db, actor, params.id, body, nodeRulesOf());
      await configChanged();
      return withHealth(await findNode(db, id));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/nodes/{id}",
      id: "deleteNode",
      summary: "Delete a node",
      success: { status: 204, description: "Deleted" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params }) => {
      await deleteNode(runtime().db, actor, params.id);
      await configChanged();
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/nodes/{id}/test",
      id: "testNode",
      summary: "Ask a node for a few tokens, or for an embedding",
      description:
        "Without `kind` the models that the node serves decide, else the name. A node that gives no whole answer is asked for a stream. Outside limits, billing and health. The upstream key is never shown.",
      body: { schema: nodeTestRequest, example: { model: "gpt-5.2" } },
      success: { status: 200, description: "How it answered", schema: nodeTestResult },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ params, body }) => {
      const { db, pools, provenanceKey } = runtime();
      const node = await storedNode(params.id);
      const kind = await knownKind(db, { ...node, storedId: node.id }, body.model, body.kind);
      return testNode(pools, node, { upstreamModel: body.model, kind, provenanceKey });
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/nodes/test",
      id: "testNodeDraft",
      summary: "Test a node before it is saved",
      description:
        "Reads the node's list of models and, with `model`, asks for a few tokens, or for an embedding. Outside limits, billing and health; nothing is stored. The upstream key is never shown.",
      body: { schema: draftTestRequest, example: draftExample, partial: true },
      success: { status: 200, description: "How it answered", schema: draftTestResult },
      errors: ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, body: { nodeId, model, kind: wanted, ...draft } }) => {
      const { db, pools, provenanceKey, tokenSources } = runtime();
      const node = await draftNode(db, actor, nodeId, draft, { ...nodeRulesOf(), sources: tokenSources });
      if (model === undefined) return testDraft(pools, node, null);
      const kind = await knownKind(db, { ...node, storedId: nodeId }, model, wanted);
      return testDraft(pools, node, { upstreamModel: model, kind, provenanceKey });
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/nodes/{id}/models",
      id: "listNodeModels",
      summary: "Ask a node for its own list of models",
      description: "Outside limits, billing and health. What went wrong with the node is in `problem`.",
      success: { status: 200, description: "Its models, in order of id", schema: nodeModels },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    // A copy, because addresses of pages are cached as long as the node object is.
    async ({ params }) => listNodeModels(runtime().pools, { ...(await storedNode(params.id)) }),
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/nodes/{id}/stats",
      id: "getNodeStats",
      summary: "Show how fast and how well a node answered over time",
      query: nodeStatsQuery,
      success: { status: 200, description: "Every bucket of the period, oldest first", schema: nodeStats },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, params, query: { period, tz } }) => {
      const { db, clock, reports, settings } = runtime();
      const { id } = await nodeById(db.orm, params.id);
      const request = { nodeId: id, period, timeZone: tz ?? settings.reportTimezone };
      return reports.run(user.id, () => readNodeStats(db, request, clock.date()));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/nodes/{id}/reset",
      id: "resetNode",
      summary: "Close a node's circuits and end its cool-downs",
      description: "In the process that answers.",
      success: { status: 200, description: "The node", schema: nodeView },
      errors: ["NOT_FOUND"],
    },
    async ({ actor, params }) => {
      const { db, health } = runtime();
      const { id } = await nodeById(db.orm, params.id);
      health.reset(id);
      await recordAudit(db.orm, actor, { action: "node.reset", targetType: "node", targetId: id });
      return withHealth(await findNode(db, id));
    },
  ),
];

/** A stored node as calls use it. Throws: NOT_FOUND, INVALID_REQUEST when its key cannot be decrypted. */
async function storedNode(nodeId: string): Promise<CallableNode> {
  const { id } = await nodeById(runtime().db.orm, nodeId);
  const node = runtime().catalog.current.nodes.get(id);
  if (node === undefined) throw new GatewayError("NOT_FOUND", "There is no such node.");
  const callable = callableNode(runtime(), node);
  if (callable.accessProblem === "credential_unreadable")
    withCredential(() => storedCredential(runtime().secrets.credentials, node));
  return callable;
}

/** The rules for nodes of this process. */
function nodeRulesOf(): NodeRules {
  const { secrets, settings } = runtime();
  return {
    ring: secrets.credentials,
    allowPrivate: settings.allowPrivateUpstreams,
    allowAmbient: settings.cloudCredentialsAmbient,
    machine: systemMachine,
  };
}

/** A node with its health in this process. Recorded errors contain no secrets. */
function withHealth<Node extends { id: string; enabled: boolean; maxConcurrency: number | null }>(
  node: Node,
) {
  return { ...node, health: nodeReport(runtime().health, node) };
}

/** The same, with the calls of the last sixty minutes. */
function withMinutes<Node extends { id: string; enabled: boolean; maxConcurrency: number | null }>(
  node: Node,
) {
  const { clock, health } = runtime();
  const now = clock.date().getTime();
  const minutes = nodeMinutes(health, node.id).map(({ agoMs, ...point }) => ({
    bucketStart: new Date(now - agoMs).toISOString(),
    ...point,
  }));
  return { ...withHealth(node), minutes };
}

/** The rehearsal of a failover; sends nothing. Source: docs/contract.md#s5. */
export const rehearsalOperations = [
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/rehearsal",
      id: "rehearse",
      summary: "Show where requests would go if nodes were in given states",
      description: "The router's own code decides; nothing is sent and no health changes.",
      body: { schema: rehearsalRequest, example: { model: "demo-mixed", assume: {} } },
      success: {
        status: 200,
        description: "Order, skipped nodes and final answer",
        schema: rehearsalResponse,
      },
      errors: ["INVALID_REQUEST"],
    },
    async ({ body }) => rehearse(stageNow(), body),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/rehearsal/models",
      id: "rehearseModels",
      summary: "Show where requests for every model would go if nodes were in given states",
      description: "As for one model, for all live models: what a node's failure would do.",
      body: { schema: modelsRehearsalRequest, example: { assume: { "openai-main": "down" } } },
      success: { status: 200, description: "Each live model", schema: modelsRehearsalResponse },
      errors: ["INVALID_REQUEST"],
    },
    ({ body }) => rehearseModels(stageNow(), body.assume),
  ),
];

function stageNow() {
  const { catalog, health, random } = runtime();
  return {
    snapshot: catalog.current,
    availability: (target: HealthTarget) => health.availability(target),
    random,
  };
}
