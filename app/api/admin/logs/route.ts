import { requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { adminLogsQuery } from "@/lib/api/schemas/logs";
import { runtime } from "@/lib/gateway/runtime";
import { listAllLogs } from "@/lib/reports/admin-reports";

/** The requests of all accounts, newest first. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const admin = await requireAdmin(call);
    const { db, reports } = runtime();
    const query = call.query(adminLogsQuery);
    return json(200, await reports.run(admin.id, () => listAllLogs(db, query, query)));
  },
});
