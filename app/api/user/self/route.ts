import { deleteSelf, updateSelf } from "@/lib/accounts/self";
import { profileOf } from "@/lib/accounts/users";
import { recordOwnAct } from "@/lib/admin/audit";
import { actorOf, requireUser } from "@/lib/api/api-call";
import { userChanged } from "@/lib/api/changed";
import { json, methods, noContent } from "@/lib/api/handler";
import { deleteSelfRequest, updateSelfRequest } from "@/lib/api/schemas/account";
import { runtime } from "@/lib/gateway/runtime";

/** The caller's own account. Source: docs/spec.md#s4-10, #s4-11, docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    return json(200, profileOf(user));
  },
  PATCH: async (call) => {
    const user = await requireUser(call);
    const change = await call.body(updateSelfRequest);
    return json(200, profileOf(await updateSelf(runtime().db, user, change)));
  },
  DELETE: async (call) => {
    const user = await requireUser(call);
    const { password } = await call.body(deleteSelfRequest);
    const { db, clock } = runtime();
    await deleteSelf(db, user, password, clock.date());
    await recordOwnAct(db, { ...actorOf(call, user), username: "deleted" }, "user.delete", user.id);
    await userChanged(user.id);
    return noContent();
  },
});
