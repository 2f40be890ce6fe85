import { listAudit } from "@/lib/admin/audit";
import { requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { auditQuery } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Who changed what, newest first. Source: docs/contract.md#s5, docs/reliability.md#s3-11. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    const query = call.query(auditQuery);
    return json(200, await listAudit(runtime().db, query, query));
  },
});
