import { resetPassword } from "@/lib/admin/users";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { resetPasswordRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Sets an account's password, shown in this answer only, and ends its sessions. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const { newPassword } = await call.body(resetPasswordRequest);
    return json(200, await resetPassword(runtime().db, actorOf(call, admin), call.param("id"), newPassword));
  },
});
