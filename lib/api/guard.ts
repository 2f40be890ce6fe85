import { type AuthContext, findPrincipal, type UserRow } from "@/lib/accounts/principal";
import { isSameOrigin } from "@/lib/accounts/same-origin";
import type { Actor } from "@/lib/admin/audit";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import type { ApiCall } from "./api-call";

/** The authentication context of the runtime. */
export function authContext(): AuthContext {
  const { db, secrets, settings, clock } = runtime();
  return { db, secrets, publicUrl: settings.publicUrl, now: () => clock.date() };
}

/**
 * The account of the request; the first call of every handler for users.
 * Throws: UNAUTHORIZED, FORBIDDEN (a cookie from another origin). Source: docs/contract.md#s5,
 * docs/reliability.md#s3-6, #s3-7.
 */
export async function requireUser(call: ApiCall): Promise<UserRow> {
  const context = authContext();
  const principal = await findPrincipal(call.request, context);
  if (principal === null) {
    throw new GatewayError("UNAUTHORIZED", "Sign in first: send `Authorization: Bearer <jwt>` from login.");
  }
  if (principal.via === "session" && !isSameOrigin(call.request, context.publicUrl)) {
    throw new GatewayError("FORBIDDEN", "A browser session may change things from its own origin only.");
  }
  return principal.user;
}

/** The admin account of the request. Throws: UNAUTHORIZED, FORBIDDEN. */
export async function requireAdmin(call: ApiCall): Promise<UserRow> {
  const user = await requireUser(call);
  if (user.role !== "admin") throw new GatewayError("FORBIDDEN", "This is for admins only.");
  return user;
}

/** The account as the actor of an audit entry. */
export function actorOf(call: ApiCall, admin: UserRow): Actor {
  return { id: admin.id, username: admin.username, ip: call.clientIp };
}
