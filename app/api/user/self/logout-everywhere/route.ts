import { endAllSessions } from "@/lib/accounts/self";
import { requireUser } from "@/lib/api/api-call";
import { methods, noContent } from "@/lib/api/handler";
import { runtime } from "@/lib/gateway/runtime";

/** Ends every bearer token and session of the caller, this one too. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    const user = await requireUser(call);
    await endAllSessions(runtime().db, user.id);
    return noContent();
  },
});
