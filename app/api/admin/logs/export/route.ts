import { requireAdmin } from "@/lib/api/api-call";
import { csv, methods } from "@/lib/api/handler";
import { adminLogsExportQuery } from "@/lib/api/schemas/logs";
import { runtime } from "@/lib/gateway/runtime";
import { walkAllLogs } from "@/lib/reports/admin-reports";
import { csvStream } from "@/lib/reports/csv";

const MAX_ROWS = 1_000_000;

/** The requests of all accounts as a streamed CSV file. Throws: INVALID_REQUEST. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    const entries = walkAllLogs(runtime().db, call.query(adminLogsExportQuery), MAX_ROWS);
    const further = { username: nameOf, node: nodeOf };
    return csv("tollgate-all-logs.csv", csvStream(entries, further));
  },
});

function nameOf(entry: { username: string }): string {
  return entry.username;
}

function nodeOf(entry: { node: string | null }): string {
  return entry.node ?? "";
}
