import { addGrant } from "@/lib/admin/quota";
import { findAccount } from "@/lib/admin/users";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { grantRequest } from "@/lib/api/schemas/admin";
import { cursorQuery } from "@/lib/api/schemas/fields";
import { runtime } from "@/lib/gateway/runtime";
import { listLedger } from "@/lib/reports/ledger-view";

/** An account's ledger, and grants of quota. Throws: NOT_FOUND, INVALID_REQUEST. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const admin = await requireAdmin(call);
    const { db, reports } = runtime();
    const { id } = await findAccount(db, call.param("id"));
    const query = call.query(cursorQuery);
    return json(200, await reports.run(admin.id, () => listLedger(db, id, query)));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const input = await call.body(grantRequest);
    return json(201, await addGrant(runtime().db, actorOf(call, admin), call.param("id"), input));
  },
});
