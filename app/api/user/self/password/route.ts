import { changePassword } from "@/lib/accounts/self";
import { issueFor } from "@/lib/accounts/sign-in";
import { recordOwnAct } from "@/lib/admin/audit";
import { actorOf, authContext, requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { changePasswordRequest } from "@/lib/api/schemas/account";
import { runtime } from "@/lib/gateway/runtime";

/**
 * Sets a new password and ends every older session. Throws: INVALID_REQUEST, RATE_LIMITED. Source: docs/contract.md#s5.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    const user = await requireUser(call);
    const { currentPassword, newPassword } = await call.body(changePasswordRequest);
    const changed = await changePassword(runtime().db, user, currentPassword, newPassword);
    await recordOwnAct(runtime().db, actorOf(call, user), "user.password", user.id);
    const { token, expiresAt } = await issueFor(authContext(), changed);
    return json(200, { token, expiresAt: expiresAt.toISOString() });
  },
});
