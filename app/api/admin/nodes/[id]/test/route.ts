import { testNode } from "@/lib/admin/node-test";
import { nodeById } from "@/lib/admin/nodes";
import { requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { nodeTestRequest } from "@/lib/api/schemas/admin";
import { callableNode } from "@/lib/gateway/attempt-failure";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";

/**
 * Sends a small test request to a node; it does not count for limits, billing or health.
 * Source: docs/dashboard.md#s2-9.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    await requireAdmin(call);
    const { model } = await call.body(nodeTestRequest);
    const { db, catalog, pools, provenanceKey } = runtime();
    const { id } = await nodeById(db.orm, call.param("id"));
    const node = catalog.current.nodes.get(id);
    if (node === undefined) throw new GatewayError("NOT_FOUND", "There is no such node.");
    return json(200, await testNode(pools, callableNode(node), model, provenanceKey));
  },
});
