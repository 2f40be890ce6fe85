import { eq } from "drizzle-orm";
import { type IssuedJwt, issueJwt } from "@/lib/accounts/jwt";
import { verifyPassword, verifyUnknownUser } from "@/lib/accounts/password";
import type { AuthContext, UserRow } from "@/lib/accounts/principal";
import {
  clearFailures,
  recordFailure,
  requireNotBlocked,
  serializeByName,
} from "@/lib/accounts/sign-in-throttle";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { profileOf, usernameKey } from "./users";

/**
 * The account of a username and password. Unknown names, wrong passwords and inactive accounts get the same error after
 * the same time.
 * Throws: INVALID_CREDENTIALS, RATE_LIMITED. Source: docs/spec.md#s4-5, docs/reliability.md#s3-4.
 */
export function signIn(db: Session, username: string, password: string): Promise<UserRow> {
  const key = usernameKey(username);
  return serializeByName(key, () => authenticate(db, key, password));
}

async function authenticate(db: Session, key: string, password: string): Promise<UserRow> {
  await requireNotBlocked(db, key);
  const [user] = await db.orm.select().from(users).where(eq(users.usernameKey, key)).limit(1);
  const matches = user
    ? await verifyPassword(password, user.passwordHash)
    : await verifyUnknownUser(password);
  if (user === undefined || !matches || user.status !== "active") {
    await recordFailure(db, key);
    throw new GatewayError("INVALID_CREDENTIALS", "The username or the password is wrong.");
  }
  await clearFailures(db, key);
  return user;
}

/** Issues a bearer token for an account at its current token version. */
export function issueFor(context: AuthContext, user: UserRow): Promise<IssuedJwt> {
  return issueJwt(context.secrets.jwt, { userId: user.id, tokenVersion: user.tokenVersion }, context.now());
}

/** The body of a successful registration or login. Source: docs/contract.md#s5. */
export async function loginBody(context: AuthContext, user: UserRow) {
  const { token, expiresAt } = await issueFor(context, user);
  return { user: profileOf(user), token, expiresAt: expiresAt.toISOString() };
}
