import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { parseSettings } from "@/lib/config/env";
import { loadSecrets } from "@/lib/config/secrets";
import { type ApiError, accountServer, type SignedUp, signUp } from "../support/account-server";

const SECRETS = {
  AUTH_SECRET: Buffer.alloc(48, "The secret that these tests sign with. ").toString("base64"),
  ENCRYPTION_KEY: Buffer.from("An encryption key of 32 bytes 01").toString("base64"),
};
const NEXT_SECRET = Buffer.alloc(48, "The one that follows it in a rotation. ").toString("base64");
const SEVEN_DAYS = 604_800;
const server = accountServer({ env: SECRETS });

/** The key that signs bearer tokens, as a process with these settings derives it. */
async function signingKey() {
  const settings = parseSettings(
    { ...SECRETS, DATA_DIR: "/nowhere" },
    { cwd: "/nowhere", exists: () => false },
  );
  return (await loadSecrets(settings)).jwt.current;
}

interface Forgery {
  alg?: string;
  kid?: string | undefined;
  audience?: string;
  issuer?: string;
  subject?: string;
  issuedAt?: number;
  expiresAt?: number;
  tv?: unknown;
  key?: Parameters<SignJWT["sign"]>[0];
}

/** A token signed with the right key unless told otherwise; only what is forged differs from a good one. */
async function forge(user: SignedUp, forgery: Forgery = {}): Promise<string> {
  const { id, key } = await signingKey();
  const now = Math.floor(Date.now() / 1_000);
  const kid = "kid" in forgery ? forgery.kid : id;
  return new SignJWT({ tv: "tv" in forgery ? forgery.tv : 0 })
    .setProtectedHeader({ alg: forgery.alg ?? "HS256", typ: "JWT", ...(kid === undefined ? {} : { kid }) })
    .setIssuer(forgery.issuer ?? "tollgate")
    .setAudience(forgery.audience ?? "tollgate-api")
    .setSubject(forgery.subject ?? user.id)
    .setJti("7b0f8f9e-1111-4222-8333-444455556666")
    .setIssuedAt(forgery.issuedAt ?? now)
    .setExpirationTime(forgery.expiresAt ?? now + 60)
    .sign(forgery.key ?? key);
}

const json = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function self(token: string): Promise<{ status: number; code: string | undefined }> {
  const { status, body } = await server().api<ApiError>("GET", "/api/user/self", token);
  return { status, code: body.error?.code };
}

/** Source: docs/reliability.md#r-114. */
test("a bearer token lives seven days; one of another making, edited, cut or ended is refused", async () => {
  const user = await signUp(server());
  const [header = "", payload = "", signature = ""] = user.token.split(".");
  const claims: { iat: number; exp: number; tv: number } = JSON.parse(
    Buffer.from(payload, "base64url").toString(),
  );
  expect(claims.exp - claims.iat).toBe(SEVEN_DAYS);
  const good = { tv: claims.tv };
  // The forger's tools work: only what each forgery changes is refused.
  expect((await self(await forge(user, good))).status).toBe(200);

  const now = Math.floor(Date.now() / 1_000);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { id } = await signingKey();
  const refused: Record<string, string> = {
    "alg none": `${json({ alg: "none", kid: id })}.${payload}.`,
    "alg NONE with the old signature": `${json({ alg: "NONE", kid: id })}.${payload}.${signature}`,
    HS512: await forge(user, { ...good, alg: "HS512" }),
    HS384: await forge(user, { ...good, alg: "HS384" }),
    RS256: await forge(user, { ...good, alg: "RS256", key: privateKey }),
    "another key": await forge(user, { ...good, key: Buffer.alloc(32, 7) }),
    "an edited payload": `${header}.${json({ ...claims, exp: claims.exp + 60 })}.${signature}`,
    "another account's payload": `${header}.${json({ ...claims, sub: "7b0f8f9e-1111-4222-8333-444455556666" })}.${signature}`,
    "an expired one": await forge(user, { ...good, issuedAt: now - SEVEN_DAYS - 5, expiresAt: now - 5 }),
    "a cut signature": `${header}.${payload}.${signature.slice(0, -2)}`,
    "no signature": `${header}.${payload}.`,
    "no kid": await forge(user, { ...good, kid: undefined }),
    "an unknown kid": await forge(user, { ...good, kid: "00000000" }),
    "a kid that is a path": await forge(user, { ...good, kid: "../../dev/null" }),
    "the session's audience": await forge(user, { ...good, audience: "tollgate-session" }),
    "another issuer": await forge(user, { ...good, issuer: "elsewhere" }),
    "a subject that is no id": await forge(user, { ...good, subject: "' OR '1'='1" }),
    "an older token version": await forge(user, { tv: claims.tv - 1 }),
    "a later token version": await forge(user, { tv: claims.tv + 1 }),
    "a token version in text": await forge(user, { tv: String(claims.tv) }),
    "the session cookie": await sessionCookie(user.token),
  };
  for (const [name, token] of Object.entries(refused))
    expect([name, await self(token)]).toEqual([name, { status: 401, code: "UNAUTHORIZED" }]);
  expect((await self(user.token)).status).toBe(200);
});

/** Source: docs/reliability.md#r-116. */
test("a rotated secret signs anew, lets old tokens live while the former is named, and ends them after", async () => {
  const user = await signUp(server());
  const running = server();
  await running.stop();
  Object.assign(running.env, { AUTH_SECRET: NEXT_SECRET, AUTH_SECRET_PREVIOUS: SECRETS.AUTH_SECRET });
  await running.start();
  expect((await self(user.token)).status).toBe(200);
  const login = { username: user.username, password: user.password };
  const { body } = await running.api<{ token: string }>("POST", "/api/user/login", undefined, login);
  await running.stop();
  delete running.env.AUTH_SECRET_PREVIOUS;
  await running.start();
  expect((await self(user.token)).status).toBe(401);
  expect((await self(body.token)).status).toBe(200);
});

/** The value of the cookie that the pages get for a bearer token. */
async function sessionCookie(jwt: string): Promise<string> {
  const csrf = await fetch(`${server().url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }; // the sign-in below fails without it
  const cookie = csrf.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  const response = await fetch(`${server().url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookie.join("; ") },
    body: new URLSearchParams({ csrfToken, jwt, json: "true", callbackUrl: `${server().url}/` }),
  });
  const set = response.headers.getSetCookie().find((line) => line.startsWith("tollgate-session="));
  const value = set?.split(";", 1)[0]?.split("=")[1] ?? "";
  expect(value.length).toBeGreaterThan(50);
  return value;
}
