import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { decodeProtectedHeader, EncryptJWT, jwtDecrypt, jwtVerify, SignJWT } from "jose";
import type { KeyRing, NamedKey, Secrets } from "@/lib/config/secrets";
import type { Orm, Session } from "@/lib/db/database";
import { logins, users } from "@/lib/db/schema/accounts";
import { MINUTE_MS } from "@/lib/kernel/durations";
import { GatewayError } from "@/lib/kernel/errors";
import { bearerToken } from "@/lib/kernel/request-headers";
import { isUuid } from "@/lib/kernel/uuid";

const SESSION_AUDIENCE = "tollgate-session";

/** Name of the browser's session cookie. */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-tollgate-session" : "tollgate-session";
}

/**
 * Encrypts a browser session. It expires 7 days after the login even if it is renewed, and it is not valid as a bearer
 * token: it has another key, audience and format. Source: docs/reliability.md#s3-5.
 */
export function sealSession(ring: KeyRing, login: VerifiedLogin): Promise<string> {
  const loginAt = Math.floor(login.issuedAt.getTime() / 1000);
  return new EncryptJWT({ tv: login.tokenVersion, loginAt, ...(login.loginId && { sid: login.loginId }) })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: ring.current.id })
    .setAudience(SESSION_AUDIENCE)
    .setSubject(login.userId)
    .setExpirationTime(loginAt + LOGIN_SECONDS)
    .encrypt(ring.current.key);
}

/** The login inside a session cookie; null for an invalid or expired one. */
export async function openSession(ring: KeyRing, sealed: string, now: Date): Promise<VerifiedLogin | null> {
  try {
    const { payload } = await jwtDecrypt(
      sealed,
      (header) => {
        const key = [ring.current, ring.previous].find((candidate) => candidate?.id === header.kid);
        if (!key) throw new Error("unknown key");
        return key.key;
      },
      {
        audience: SESSION_AUDIENCE,
        currentDate: now,
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        requiredClaims: ["sub", "exp"],
      },
    );
    const { sub, tv, loginAt, sid } = payload;
    if (typeof sub !== "string" || typeof tv !== "number" || typeof loginAt !== "number") return null;
    if (!isLoginId(sid)) return null;
    return { userId: sub, tokenVersion: tv, loginId: sid, issuedAt: new Date(loginAt * 1000) };
  } catch {
    return null;
  }
}

/** Credentials of older versions have no login id. */
function isLoginId(sid: unknown): sid is string | undefined {
  return sid === undefined || (typeof sid === "string" && isUuid(sid));
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * True when a request with a cookie cannot come from another site: its method is safe, or the browser's headers name
 * this origin; when `PUBLIC_URL` is set that is its origin, regardless of `Host`. Source: docs/contract.md#s5,
 * docs/reliability.md#s3-6.
 */
export function isSameOrigin(request: Request, publicUrl: string, publicUrlGiven = false): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  if (publicUrlGiven && isForeignPage(request, publicUrl)) return false;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === request.headers.get("host");
}

/**
 * True when a page at another address than `PUBLIC_URL` sends the request. A page at the same host with https, while
 * `PUBLIC_URL` has http, is not foreign: its browser keeps the session.
 */
function isForeignPage({ headers }: Request, publicUrl: string): boolean {
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (!["http:", "https:"].includes(page.protocol)) return false;
  const own = new URL(publicUrl);
  return page.origin !== own.origin && !(page.protocol === "https:" && page.host === own.host);
}

/**
 * Refuses to sign in a browser at another address than `PUBLIC_URL`, where the session would be lost or could change
 * nothing. Throws: FORBIDDEN with a reason. Source: docs/contract.md#other-address.
 */
export function refuseOtherAddress(
  request: Request,
  context: Pick<AuthContext, "publicUrl" | "publicUrlGiven">,
): void {
  if (!context.publicUrlGiven || !isForeignPage(request, context.publicUrl)) return;
  throw new GatewayError(
    "FORBIDDEN",
    `Sign in at ${context.publicUrl}, the PUBLIC_URL of this gateway. At ${request.headers.get("origin")} a browser keeps no session.`,
    { reason: "other_address" },
  );
}

/** Lifetime of a login. Source: docs/spec.md#s4-5. */
export const LOGIN_SECONDS = 7 * 24 * 60 * 60;

const ALGORITHM = "HS256";
const ISSUER = "tollgate";
const TOKEN_AUDIENCE = "tollgate-api";

/** The account of a login, and its token version at that time. */
export interface LoginClaims {
  userId: string;
  tokenVersion: number;
  /** The row that ends this login alone when it is deleted; undefined in credentials of versions without such rows. */
  loginId?: string | undefined;
}

/** A bearer token and its expiry. */
export interface IssuedJwt {
  token: string;
  expiresAt: Date;
}

/**
 * Signs a bearer token, which is valid for exactly 7 days unless it was made by name.
 * Source: docs/spec.md#s4-5, docs/reliability.md#s3-5.
 */
export async function issueJwt(
  ring: KeyRing,
  claims: LoginClaims,
  now: Date,
  seconds = LOGIN_SECONDS,
): Promise<IssuedJwt> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = issuedAt + seconds;
  const token = await new SignJWT({ tv: claims.tokenVersion, ...(claims.loginId && { sid: claims.loginId }) })
    .setProtectedHeader({ alg: ALGORITHM, kid: ring.current.id, typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(claims.userId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(ring.current.key);
  return { token, expiresAt: new Date(expiresAt * 1000) };
}

/** The claims of a valid token; null for another algorithm, key or audience, and for expired or malformed tokens. */
export async function verifyJwt(ring: KeyRing, token: string, now: Date): Promise<VerifiedLogin | null> {
  const key = keyOf(ring, token);
  if (key === null) return null;
  try {
    const { payload } = await jwtVerify(token, key.key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: TOKEN_AUDIENCE,
      currentDate: now,
      requiredClaims: ["sub", "iat", "exp", "jti"],
    });
    const { sub, tv, iat, sid } = payload;
    if (typeof sub !== "string" || !isUuid(sub) || typeof tv !== "number" || typeof iat !== "number")
      return null;
    if (!isLoginId(sid)) return null;
    return { userId: sub, tokenVersion: tv, loginId: sid, issuedAt: new Date(iat * 1000) };
  } catch {
    return null;
  }
}

/** The claims of a valid token. */
export interface VerifiedLogin extends LoginClaims {
  issuedAt: Date;
}

/** The key that `kid` names, if it is one of the two in memory. */
function keyOf(ring: KeyRing, token: string): NamedKey | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return [ring.current, ring.previous].find((key) => key?.id === kid) ?? null;
  } catch {
    return null;
  }
}

/** The parts of the process that authentication needs. */
export interface AuthContext {
  db: Session;
  secrets: Secrets;
  /** Base URL that browsers use; https makes the cookies secure. */
  publicUrl: string;
  /** Whether PUBLIC_URL was set; otherwise the URL follows the listening address. */
  publicUrlGiven: boolean;
  now(): Date;
  /** Called with the error when the last use of a login could not be written. */
  onError(error: unknown): void;
}

/** An account row. */
export type UserRow = typeof users.$inferSelect;

/** The row of a sign-in or a named token. */
export type LoginRow = typeof logins.$inferSelect;

/** The account of a request, and its kind of credential. */
export interface Principal {
  user: UserRow;
  via: "bearer" | "session";
  /** The login's own row; null for a credential of an older version. */
  loginId: string | null;
}

/**
 * The account of a request, or null. If there is an authorization header, only its bearer token counts; otherwise the
 * session cookie does. Both become invalid with the account's deletion, suspension or a newer token version, and with
 * the row of their login. Writes the last use of the login in the background.
 * Source: docs/contract.md#s5, docs/reliability.md#s3-5.
 */
export async function findPrincipal(request: Request, context: AuthContext): Promise<Principal | null> {
  const authorization = request.headers.get("authorization");
  const via = authorization === null ? "session" : "bearer";
  const login =
    authorization === null ? await cookieLogin(request, context) : await bearerLogin(authorization, context);
  const active = login && (await findActive(context.db, login));
  if (active === null) return null;
  if (active.login !== null) noteUse(context, active.login);
  return { user: active.user, via, loginId: active.login?.id ?? null };
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

/**
 * The active account of a login with a current token version whose row, if it names one, exists; null for every other
 * login. One query.
 */
export async function findActive(db: Session, { userId, tokenVersion, loginId }: VerifiedLogin) {
  const isItsRow =
    loginId === undefined ? sql`false` : and(eq(logins.id, loginId), eq(logins.userId, users.id));
  const [found] = await db.orm
    .select({ user: users, login: logins })
    .from(users)
    .leftJoin(logins, isItsRow)
    .where(eq(users.id, userId))
    .limit(1);
  if (found?.user.status !== "active" || found.user.tokenVersion !== tokenVersion) return null;
  return loginId !== undefined && found.login === null ? null : found;
}

/** The shortest time between two writes of the last use of a login. */
const USE_INTERVAL_MS = 5 * MINUTE_MS;

/** Writes the last use of a login at most once in five minutes; the request does not wait for it. */
function noteUse({ db, now, onError }: AuthContext, { id, lastUsedAt }: LoginRow): void {
  const at = now();
  const before = new Date(at.getTime() - USE_INTERVAL_MS);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  db.orm
    .update(logins)
    .set({ lastUsedAt: at })
    .where(and(eq(logins.id, id), or(isNull(logins.lastUsedAt), lt(logins.lastUsedAt, before))))
    .then(() => {}, onError);
}

/** Deletes the rows of an account's logins; the caller raises its token version. */
export async function deleteLogins(orm: Orm, userId: string): Promise<void> {
  await orm.delete(logins).where(eq(logins.userId, userId));
}

/** True when browsers reach the gateway over HTTPS. */
export function isSecure(context: AuthContext): boolean {
  return context.publicUrl.startsWith("https:");
}
