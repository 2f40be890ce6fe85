import { findAccount, removeUser, updateUser } from "@/lib/admin/users";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { userChanged } from "@/lib/api/changed";
import { json, methods, noContent } from "@/lib/api/handler";
import { updateUserRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/**
 * One account. Throws: NOT_FOUND, CONFLICT (oneself, the last admin). Source: docs/contract.md#s5,
 * docs/dashboard.md#s2-9.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, await findAccount(runtime().db, call.param("id")));
  },
  PATCH: async (call) => {
    const admin = await requireAdmin(call);
    const change = await call.body(updateUserRequest);
    const user = await updateUser(runtime().db, actorOf(call, admin), call.param("id"), change);
    await userChanged(user.id);
    return json(200, user);
  },
  DELETE: async (call) => {
    const admin = await requireAdmin(call);
    const { db, clock } = runtime();
    await removeUser(db, actorOf(call, admin), call.param("id"), clock.date());
    await userChanged(call.param("id"));
    return noContent();
  },
});
