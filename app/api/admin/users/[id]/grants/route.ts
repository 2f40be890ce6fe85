import { listLedger } from "@/lib/accounts/ledger-view";
import { addGrant } from "@/lib/admin/quota";
import { findAccount } from "@/lib/admin/users";
import { actorOf, requireAdmin } from "@/lib/api/guard";
import { methods } from "@/lib/api/handler";
import { json } from "@/lib/api/respond";
import { grantRequest } from "@/lib/api/schemas/admin";
import { cursorQuery } from "@/lib/api/schemas/lists";
import { runtime } from "@/lib/runtime";

/** An account's ledger, and giving or taking quota. Throws: NOT_FOUND, INVALID_REQUEST. Source: contract 5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    const { id } = await findAccount(runtime().db, call.param("id"));
    return json(200, await listLedger(runtime().db, id, call.query(cursorQuery)));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const input = await call.body(grantRequest);
    return json(201, await addGrant(runtime().db, actorOf(call, admin), call.param("id"), input));
  },
});
