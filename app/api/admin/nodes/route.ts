import { wholeList } from "@/lib/accounts/page";
import { createNode, listNodes } from "@/lib/admin/nodes";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods } from "@/lib/api/handler";
import { nodeRequest } from "@/lib/api/schemas/admin";
import { nodeRulesOf, withHealth } from "@/lib/api/views";
import { runtime } from "@/lib/gateway/runtime";

/** Upstream nodes with their health in this process. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, wholeList((await listNodes(runtime().db)).map(withHealth)));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const input = await call.body(nodeRequest);
    const node = await createNode(runtime().db, actorOf(call, admin), input, nodeRulesOf());
    await configChanged();
    return json(201, withHealth({ ...node, models: [] }));
  },
});
