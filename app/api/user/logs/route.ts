import { ownTokenFilter } from "@/lib/accounts/keys";
import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { logsQuery } from "@/lib/api/schemas/logs";
import { runtime } from "@/lib/gateway/runtime";
import { listLogs } from "@/lib/reports/logs";

/**
 * The caller's requests, newest first. Throws: INVALID_REQUEST, FORBIDDEN (another's key). Source: docs/spec.md#s4-12.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const { db, reports } = runtime();
    const query = call.query(logsQuery);
    const filter = await ownTokenFilter(db.orm, user.id, query);
    return json(200, await reports.run(user.id, () => listLogs(db, filter, query)));
  },
});
