import { createKey, listKeys } from "@/lib/accounts/keys";
import { recordOwnAct } from "@/lib/admin/audit";
import { actorOf, requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { createKeyRequest } from "@/lib/api/schemas/account";
import { pageQuery } from "@/lib/api/schemas/fields";
import { runtime } from "@/lib/gateway/runtime";

/** The caller's keys. Source: docs/spec.md#s4-6, #s4-7, docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    return json(200, await listKeys(runtime().db, user.id, call.query(pageQuery)));
  },
  POST: async (call) => {
    const user = await requireUser(call);
    const input = await call.body(createKeyRequest);
    const { db, clock } = runtime();
    const made = await createKey(db, user, input, clock.date());
    await recordOwnAct(db, actorOf(call, user), "key.create", made.apiKey.id, made.apiKey);
    return json(201, made);
  },
});
