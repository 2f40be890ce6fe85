import type { z } from "zod";
import { listOf } from "@/lib/api/schemas/fields";
import { modelEntry } from "@/lib/config/file-schema";
import type { ErrorCode } from "@/lib/kernel/errors";
import {
  createPlanRequest,
  nodeRequest,
  nodeTestRequest,
  priceRequest,
  pricesQuery,
  rehearsalRequest,
  updatePlanRequest,
} from "../schemas/admin";
import {
  adminModelRecord,
  adminPlanRecord,
  adminPlanView,
  nodeDetail,
  nodeTestResult,
  nodeView,
  priceRecord,
  rehearsalResponse,
} from "../schemas/admin-records";
import type { ApiOperation } from "./operation";

const tag = "Admin: gateway" as const;
const caller = "admin" as const;
const changing: ErrorCode[] = ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"];

const node = {
  name: "openai-main",
  protocol: "chat",
  baseUrl: "https://api.openai.com/v1",
  apiKey: "sk-proj-example",
};
const model = {
  alias: "gpt-main",
  prices: { input: 900, output: 7200 },
  routes: [{ node: "openai-main", model: "gpt-5.2", priority: 0, weight: 100 }],
};
const plan = { name: "Team", qps: 20, rpm: 300, tpm: 500000, keyQuotaCents: 2000, selfService: false };

/** The operations list, create, show, change and delete; `detail`: the schema of a single record. */
function crud(options: {
  path: `/${string}`;
  one: string;
  many: string;
  name: string;
  list: ApiOperation["success"]["schema"];
  record: ApiOperation["success"]["schema"];
  detail?: z.ZodType;
  create: NonNullable<ApiOperation["body"]>;
  update: NonNullable<ApiOperation["body"]>;
}): ApiOperation[] {
  const { path, one, many, name, record } = options;
  const shared = { tag, caller };
  const onePath = `${path}/{id}` as const;
  const body = (description: string, status: 200 | 201, schema = record) => ({
    status,
    description,
    ...(schema ? { schema } : {}),
  });
  return [
    {
      ...shared,
      method: "get",
      path,
      id: `list${name}s`,
      summary: `List the ${many}`,
      success: { status: 200, description: `All ${many}`, ...(options.list ? { schema: options.list } : {}) },
    },
    {
      ...shared,
      method: "post",
      path,
      id: `create${name}`,
      summary: `Add a ${one}`,
      body: options.create,
      success: body(`The ${one}`, 201),
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    {
      ...shared,
      method: "get",
      path: onePath,
      id: `get${name}`,
      summary: `Show a ${one}`,
      success: body(`The ${one}`, 200, options.detail),
      errors: ["NOT_FOUND"],
    },
    {
      ...shared,
      method: "patch",
      path: onePath,
      id: `update${name}`,
      summary: `Change a ${one}`,
      description:
        "Only what is given changes. What the configuration file declares is read-only here (409).",
      body: { ...options.update, partial: true },
      success: body(`The ${one}`, 200),
      errors: changing,
    },
    {
      ...shared,
      method: "delete",
      path: onePath,
      id: `delete${name}`,
      summary: `Remove a ${one}`,
      success: { status: 204, description: "Removed" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
  ];
}

/** Nodes, models, prices, plans and the rehearsal. Source: docs/contract.md#s5. */
export const adminGatewayOperations: ApiOperation[] = [
  ...crud({
    path: "/api/admin/nodes",
    one: "node",
    many: "nodes",
    name: "Node",
    list: listOf(nodeView),
    record: nodeView,
    detail: nodeDetail,
    create: { schema: nodeRequest, example: node },
    update: { schema: nodeRequest, example: { enabled: false } },
  }),
  {
    method: "post",
    path: "/api/admin/nodes/{id}/test",
    id: "testNode",
    tag,
    caller,
    summary: "Ask a node for a few tokens",
    description: "Outside limits, billing and health. The upstream key is never shown.",
    body: { schema: nodeTestRequest, example: { model: "gpt-5.2" } },
    success: { status: 200, description: "How it answered", schema: nodeTestResult },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  {
    method: "post",
    path: "/api/admin/nodes/{id}/reset",
    id: "resetNode",
    tag,
    caller,
    summary: "Close a node's circuits and end its cool-downs",
    description: "In the process that answers.",
    success: { status: 200, description: "The node", schema: nodeView },
    errors: ["NOT_FOUND"],
  },
  ...crud({
    path: "/api/admin/models",
    one: "model",
    many: "models",
    name: "AdminModel",
    list: listOf(adminModelRecord),
    record: adminModelRecord,
    create: { schema: modelEntry, example: model },
    update: { schema: modelEntry, example: { routes: model.routes } },
  }),
  {
    method: "get",
    path: "/api/admin/prices",
    id: "listPrices",
    tag,
    caller,
    summary: "List price versions, newest first",
    query: pricesQuery,
    success: { status: 200, description: "Cents per million tokens", schema: listOf(priceRecord) },
    errors: ["INVALID_REQUEST"],
  },
  {
    method: "post",
    path: "/api/admin/prices",
    id: "addPrice",
    tag,
    caller,
    summary: "Add a price version",
    description: "Older versions are never changed; requests already running keep theirs.",
    body: { schema: priceRequest, example: { model: "gpt-main", input: 900, output: 7200 } },
    success: { status: 201, description: "The version", schema: priceRecord },
    errors: ["INVALID_REQUEST", "CONFLICT"],
  },
  ...crud({
    path: "/api/admin/plans",
    one: "plan",
    many: "plans",
    name: "AdminPlan",
    list: listOf(adminPlanView),
    record: adminPlanRecord,
    create: { schema: createPlanRequest, example: plan },
    update: { schema: updatePlanRequest, example: { rpm: 600 } },
  }),
  {
    method: "post",
    path: "/api/admin/rehearsal",
    id: "rehearse",
    tag,
    caller,
    summary: "Show where requests would go if nodes were in given states",
    description: "The router's own code decides; nothing is sent and no health changes.",
    body: { schema: rehearsalRequest, example: { model: "demo-mixed", assume: {} } },
    success: { status: 200, description: "Order, skipped nodes and final answer", schema: rehearsalResponse },
    errors: ["INVALID_REQUEST"],
  },
];
