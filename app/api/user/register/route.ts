import { inPasswordQueue } from "@/lib/accounts/password";
import { countAttempt, loginBody } from "@/lib/accounts/sign-in";
import { createUser } from "@/lib/accounts/users";
import { signupQuotaCents } from "@/lib/admin/open-registration";
import { authContext } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { registerRequest } from "@/lib/api/schemas/account";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";

/** Public. Throws: INVALID_REQUEST, FORBIDDEN (registration is closed), CONFLICT, RATE_LIMITED. Source: docs/spec.md#s4-4. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    const { db, settings, catalog } = runtime();
    if (!settings.allowRegistration) throw new GatewayError("FORBIDDEN", "Registration is closed here.");
    const input = await call.body(registerRequest);
    const user = await inPasswordQueue(async () => {
      await countAttempt(db, "register", call.clientIp, settings.registerPerIpPerMinute);
      return createUser(db, input, { quotaCents: signupQuotaCents(settings, catalog.current) });
    });
    return json(201, await loginBody(authContext(), user));
  },
});
