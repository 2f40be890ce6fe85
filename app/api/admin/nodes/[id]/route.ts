import { deleteNode, findNode, updateNode } from "@/lib/admin/nodes";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods, noContent } from "@/lib/api/handler";
import { nodeRequest } from "@/lib/api/schemas/admin";
import { nodeRulesOf, withHealth, withMinutes } from "@/lib/api/views";
import { runtime } from "@/lib/gateway/runtime";

/**
 * One node; its key is write-only. Throws: NOT_FOUND, CONFLICT (managed by file, in use). Source: docs/contract.md#s5.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, withMinutes(await findNode(runtime().db, call.param("id"))));
  },
  PATCH: async (call) => {
    const admin = await requireAdmin(call);
    const change = await call.changes(nodeRequest);
    const { db } = runtime();
    const { id } = await updateNode(db, actorOf(call, admin), call.param("id"), change, nodeRulesOf());
    await configChanged();
    return json(200, withHealth(await findNode(db, id)));
  },
  DELETE: async (call) => {
    const admin = await requireAdmin(call);
    await deleteNode(runtime().db, actorOf(call, admin), call.param("id"));
    await configChanged();
    return noContent();
  },
});
