import {
  type AuthContext,
  findPrincipal,
  isSameOrigin,
  type Principal,
  refuseOtherAddress,
  type UserRow,
} from "@/lib/accounts/session";
import type { Actor } from "@/lib/admin/audit";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import type { Operation } from "./operation";

/** The authentication context of the runtime. */
export function authContext(): AuthContext {
  const { db, secrets, settings, clock, log } = runtime();
  return {
    db,
    secrets,
    publicUrl: settings.publicUrl,
    publicUrlGiven: settings.publicUrlGiven,
    now: () => clock.date(),
    onError: (error) => log.warn({ err: error }, "the last use of a login could not be written"),
  };
}

/**
 * The account and the login of a request to an operation for accounts, for browser sessions or for admins; a reader may
 * call those of admins that say so and only read. Throws: UNAUTHORIZED, FORBIDDEN (a cookie from another origin, no
 * session, no admin). Source: docs/contract.md#s5, #roles, docs/reliability.md#s3-6, #s3-7.
 */
export async function requireCaller(
  { caller, method, reader }: Pick<Operation, "caller" | "method" | "reader">,
  request: Request,
): Promise<Principal> {
  const context = authContext();
  const principal = await findPrincipal(request, context);
  if (principal === null) {
    throw new GatewayError("UNAUTHORIZED", "Sign in first: send `Authorization: Bearer <jwt>` from login.");
  }
  const { user, via } = principal;
  if (via === "session" && !isSameOrigin(request, context.publicUrl, context.publicUrlGiven)) {
    refuseOtherAddress(request, context);
    throw new GatewayError("FORBIDDEN", "A browser session may change things from its own origin only.");
  }
  if (caller === "session" && via !== "session") {
    throw new GatewayError("FORBIDDEN", "Only a signed-in browser gets this.");
  }
  const reads = reader === true && method === "get" && user.role === "reader";
  if (caller === "admin" && user.role !== "admin" && !reads) {
    throw new GatewayError("FORBIDDEN", "This is for admins only.");
  }
  return principal;
}

/** The account as the actor of an audit entry. */
export function actorOf(user: UserRow, clientIp: string, loaded: string | null = null): Actor {
  const actor = { id: user.id, username: user.username, ip: clientIp };
  return loaded === null ? actor : { ...actor, loaded: new Map(new URLSearchParams(loaded)) };
}
