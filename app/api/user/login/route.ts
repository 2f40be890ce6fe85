import { inPasswordQueue } from "@/lib/accounts/password";
import { countAttempt, loginBody, signIn } from "@/lib/accounts/sign-in";
import { recordOwnAct } from "@/lib/admin/audit";
import { actorOf, authContext } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { loginRequest } from "@/lib/api/schemas/account";
import { runtime } from "@/lib/gateway/runtime";

/** Public. Throws: INVALID_CREDENTIALS, RATE_LIMITED, INVALID_REQUEST. Source: docs/spec.md#s4-5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    const { db, settings } = runtime();
    const { username, password } = await call.body(loginRequest);
    const user = await inPasswordQueue(async () => {
      await countAttempt(db, "login", call.clientIp, settings.loginPerIpPerMinute);
      return signIn(db, username, password);
    });
    if (user.role === "admin") await recordOwnAct(db, actorOf(call, user), "user.login", user.id);
    return json(200, await loginBody(authContext(), user));
  },
});
