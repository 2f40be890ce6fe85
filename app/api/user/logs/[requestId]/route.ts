import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { runtime } from "@/lib/gateway/runtime";
import { findLogEntry } from "@/lib/reports/log-detail";

/**
 * One request of the caller with attempts, timeline and receipt. Throws: NOT_FOUND, FORBIDDEN.
 * Source: docs/contract.md#s5.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const reader = { admin: false, userId: user.id } as const;
    return json(200, await findLogEntry(runtime().db, reader, call.param("requestId")));
  },
});
