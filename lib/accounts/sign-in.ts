import { eq } from "drizzle-orm";
import { type IssuedJwt, issueJwt } from "@/lib/accounts/jwt";
import { verifyNobody, verifyPassword } from "@/lib/accounts/password";
import type { AuthContext, UserRow } from "@/lib/accounts/principal";
import { checkName, clearFailures, inTurn, noteFailure } from "@/lib/accounts/sign-in-throttle";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { profileOf, usernameKey } from "./users";

/**
 * The account of a username and password. Unknown names, wrong passwords and ended accounts look and take the same.
 * Throws: INVALID_CREDENTIALS, RATE_LIMITED. Source: docs/spec.md#s4-5, docs/reliability.md#s3-4.
 */
export function signIn(db: Session, username: string, password: string): Promise<UserRow> {
  const key = usernameKey(username);
  return inTurn(key, () => compareAndNote(db, key, password));
}

async function compareAndNote(db: Session, key: string, password: string): Promise<UserRow> {
  await checkName(db, key);
  const [user] = await db.orm.select().from(users).where(eq(users.usernameKey, key)).limit(1);
  const matches = user ? await verifyPassword(password, user.passwordHash) : await verifyNobody(password);
  if (user === undefined || !matches || user.status !== "active") {
    await noteFailure(db, key);
    throw new GatewayError("INVALID_CREDENTIALS", "The username or the password is wrong.");
  }
  await clearFailures(db, key);
  return user;
}

/** A fresh bearer token for an account at its present token version. */
export function issueFor(context: AuthContext, user: UserRow): Promise<IssuedJwt> {
  return issueJwt(context.secrets.jwt, { userId: user.id, tokenVersion: user.tokenVersion }, context.now());
}

/** The body of a successful registration or login. Source: docs/contract.md#s5. */
export async function loginBody(context: AuthContext, user: UserRow) {
  const { token, expiresAt } = await issueFor(context, user);
  return { user: profileOf(user), token, expiresAt: expiresAt.toISOString() };
}
