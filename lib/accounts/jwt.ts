import { randomUUID } from "node:crypto";
import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import type { KeyRing, NamedKey } from "@/lib/config/secrets";
import { isUuid } from "@/lib/kernel/http";

/** Lifetime of a login. Source: docs/spec.md#s4-5. */
export const LOGIN_SECONDS = 7 * 24 * 60 * 60;

const ALGORITHM = "HS256";
const ISSUER = "tollgate";
const AUDIENCE = "tollgate-api";

/** The account of a login, and its token version at that time. */
export interface LoginClaims {
  userId: string;
  tokenVersion: number;
}

/** A bearer token and its expiry. */
export interface IssuedJwt {
  token: string;
  expiresAt: Date;
}

/** Signs a bearer token that is valid for exactly 7 days. Source: docs/spec.md#s4-5, docs/reliability.md#s3-5. */
export async function issueJwt(ring: KeyRing, claims: LoginClaims, now: Date): Promise<IssuedJwt> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = issuedAt + LOGIN_SECONDS;
  const token = await new SignJWT({ tv: claims.tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, kid: ring.current.id, typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
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
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ["sub", "iat", "exp", "jti"],
    });
    const { sub, tv, iat } = payload;
    if (typeof sub !== "string" || !isUuid(sub) || typeof tv !== "number" || typeof iat !== "number")
      return null;
    return { userId: sub, tokenVersion: tv, issuedAt: new Date(iat * 1000) };
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
