import { eq } from "drizzle-orm";
import type { Secrets } from "@/lib/config/secrets";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { bearerToken } from "@/lib/kernel/http";
import { openSession, sessionCookieName, type VerifiedLogin, verifyJwt } from "./session";

/** The parts of the process that authentication needs. */
export interface AuthContext {
  db: Session;
  secrets: Secrets;
  /** Base URL that browsers use; https makes the cookies secure. */
  publicUrl: string;
  now(): Date;
}

/** An account row. */
export type UserRow = typeof users.$inferSelect;

/** The account of a request, and its kind of credential. */
export interface Principal {
  user: UserRow;
  via: "bearer" | "session";
}

/**
 * The account of a request, or null. If there is an authorization header, only its bearer token counts; otherwise the
 * session cookie does. Both become invalid with the account's deletion, suspension or a newer token version.
 * Source: docs/contract.md#s5, docs/reliability.md#s3-5.
 */
export async function findPrincipal(request: Request, context: AuthContext): Promise<Principal | null> {
  const authorization = request.headers.get("authorization");
  const via = authorization === null ? "session" : "bearer";
  const login =
    authorization === null ? await cookieLogin(request, context) : await bearerLogin(authorization, context);
  const user = login && (await activeUser(context.db, login));
  return user && { user, via };
}

async function bearerLogin(authorization: string, context: AuthContext): Promise<VerifiedLogin | null> {
  const token = bearerToken(authorization);
  return token === null ? null : verifyJwt(context.secrets.jwt, token, context.now());
}

async function cookieLogin(request: Request, context: AuthContext): Promise<VerifiedLogin | null> {
  const name = sessionCookieName(isSecure(context));
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name && value) return openSession(context.secrets.session, value, context.now());
  }
  return null;
}

/** The active account of a login whose token version is still current; null for every other. */
export async function activeUser(db: Session, login: VerifiedLogin): Promise<UserRow | null> {
  const [user] = await db.orm.select().from(users).where(eq(users.id, login.userId)).limit(1);
  return user?.status === "active" && user.tokenVersion === login.tokenVersion ? user : null;
}

/** True when browsers reach the gateway over HTTPS. */
export function isSecure(context: AuthContext): boolean {
  return context.publicUrl.startsWith("https:");
}
