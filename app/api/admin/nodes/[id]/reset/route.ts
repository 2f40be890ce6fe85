import { recordAudit } from "@/lib/admin/audit";
import { findNode, nodeById } from "@/lib/admin/nodes";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { withHealth } from "@/lib/api/views";
import { runtime } from "@/lib/gateway/runtime";

/** Closes the circuits of a node and ends its cool-downs in this process. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const { db, health } = runtime();
    const { id } = await nodeById(db.orm, call.param("id"));
    health.reset(id);
    await recordAudit(db.orm, actorOf(call, admin), {
      action: "node.reset",
      targetType: "node",
      targetId: id,
    });
    return json(200, withHealth(await findNode(db, id)));
  },
});
