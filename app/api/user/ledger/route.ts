import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { cursorQuery } from "@/lib/api/schemas/fields";
import { runtime } from "@/lib/gateway/runtime";
import { listLedger } from "@/lib/reports/ledger-view";

/** Grants, adjustments and charges of the caller, newest first. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const { db, reports } = runtime();
    const query = call.query(cursorQuery);
    return json(200, await reports.run(user.id, () => listLedger(db, user.id, query)));
  },
});
