import { EncryptJWT, jwtDecrypt } from "jose";
import type { KeyRing } from "@/lib/config/secrets";
import { LOGIN_SECONDS, type VerifiedLogin } from "./jwt";

const AUDIENCE = "tollgate-session";

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
  return new EncryptJWT({ tv: login.tokenVersion, loginAt })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: ring.current.id })
    .setAudience(AUDIENCE)
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
        audience: AUDIENCE,
        currentDate: now,
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        requiredClaims: ["sub", "exp"],
      },
    );
    const { sub, tv, loginAt } = payload;
    if (typeof sub !== "string" || typeof tv !== "number" || typeof loginAt !== "number") return null;
    return { userId: sub, tokenVersion: tv, issuedAt: new Date(loginAt * 1000) };
  } catch {
    return null;
  }
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * True when a request with a cookie cannot come from another site: its method is safe, or the browser's headers name
 * this origin. Source: docs/contract.md#s5, docs/reliability.md#s3-6.
 */
export function isSameOrigin(request: Request, publicUrl: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === request.headers.get("host");
}
