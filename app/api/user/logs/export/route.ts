import { ownTokenFilter } from "@/lib/accounts/keys";
import { requireUser } from "@/lib/api/api-call";
import { csv, methods } from "@/lib/api/handler";
import { logsExportQuery } from "@/lib/api/schemas/logs";
import { runtime } from "@/lib/gateway/runtime";
import { csvStream } from "@/lib/reports/csv";
import { walkLogs } from "@/lib/reports/logs";

const MAX_ROWS = 1_000_000;

/** The same requests as a streamed CSV file. Throws: INVALID_REQUEST, FORBIDDEN. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const { db } = runtime();
    const filter = await ownTokenFilter(db.orm, user.id, call.query(logsExportQuery));
    return csv("tollgate-logs.csv", csvStream(walkLogs(db, filter, MAX_ROWS)));
  },
});
