import { deleteKey, keyRecordOf, requireOwnKey, updateKey } from "@/lib/accounts/keys";
import { recordOwnAct } from "@/lib/admin/audit";
import { actorOf, requireUser } from "@/lib/api/api-call";
import { keyChanged } from "@/lib/api/changed";
import { json, methods, noContent } from "@/lib/api/handler";
import { updateKeyRequest } from "@/lib/api/schemas/account";
import { runtime } from "@/lib/gateway/runtime";

/**
 * One key of the caller. Throws: NOT_FOUND, FORBIDDEN (another account's). Source: docs/spec.md#s4-8, #s4-9,
 * docs/contract.md#s5.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    return json(200, keyRecordOf(await requireOwnKey(runtime().db.orm, user.id, call.param("id"))));
  },
  PATCH: async (call) => {
    const user = await requireUser(call);
    const { db, clock } = runtime();
    const { id } = await requireOwnKey(db.orm, user.id, call.param("id"));
    const record = await updateKey(db, user, id, await call.body(updateKeyRequest), clock.date());
    await keyChanged(id);
    await recordOwnAct(db, actorOf(call, user), "key.update", id, record);
    return json(200, record);
  },
  DELETE: async (call) => {
    const user = await requireUser(call);
    const { db, clock } = runtime();
    await deleteKey(db, user.id, call.param("id"), clock.date());
    await keyChanged(call.param("id"));
    await recordOwnAct(db, actorOf(call, user), "key.delete", call.param("id"));
    return noContent();
  },
});
