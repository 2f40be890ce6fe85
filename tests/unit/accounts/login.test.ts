import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  isSameOrigin,
  issueJwt,
  openSession,
  refuseOtherAddress,
  sealSession,
  verifyJwt,
} from "@/lib/accounts/session";
import type { KeyRing } from "@/lib/config/secrets";

const now = new Date("2026-11-21T05:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const ring = (id: string, previous: KeyRing["previous"] = null): KeyRing => ({
  current: { id, key: randomBytes(32) },
  previous,
});
const claims = { userId: "7b0f8f9e-1111-4222-8333-444455556666", tokenVersion: 3 };

describe("a bearer token", () => {
  test("lives exactly seven days", async () => {
    const keys = ring("a");
    const { token, expiresAt } = await issueJwt(keys, claims, now);
    const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(payload.exp - payload.iat).toBe(604_800);
    expect(expiresAt).toEqual(later(604_800));
    expect(await verifyJwt(keys, token, later(604_799))).toMatchObject(claims);
    expect(await verifyJwt(keys, token, later(604_801))).toBeNull();
  });

  /** Source: docs/reliability.md#r-116. */
  test("signed before a rotation still holds, and ends with the previous key", async () => {
    const old = ring("a");
    const { token } = await issueJwt(old, claims, now);
    expect(await verifyJwt(ring("b", old.current), token, now)).toMatchObject(claims);
    expect(await verifyJwt(ring("b"), token, now)).toBeNull();
  });

  test("with another algorithm, key id, audience or body is refused", async () => {
    const keys = ring("a");
    const { token } = await issueJwt(keys, claims, now);
    const [header, body, signature] = token.split(".");
    const edited = Buffer.from(JSON.stringify({ sub: "x", tv: 3 })).toString("base64url");
    const none = Buffer.from('{"alg":"none","kid":"a"}').toString("base64url");
    const sign = (alg: string, kid: string, audience: string) =>
      new SignJWT({ tv: 3 })
        .setProtectedHeader({ alg, kid })
        .setIssuer("tollgate")
        .setAudience(audience)
        .setSubject(claims.userId)
        .setJti("1")
        .setIssuedAt(now)
        .setExpirationTime(later(60))
        .sign(keys.current.key);
    const refused = [
      "",
      "x.y.z",
      `${header}.${edited}.${signature}`,
      `${header}.${body}.${signature?.slice(0, -2)}`,
      `${none}.${body}.`,
      await sign("HS512", "a", "tollgate-api"),
      await sign("HS256", "../a", "tollgate-api"),
      await sign("HS256", "a", "tollgate-session"),
      await sealSession(keys, { ...claims, issuedAt: now }),
    ];
    for (const text of refused) expect(await verifyJwt(keys, text, now)).toBeNull();
    expect(await verifyJwt(keys, await sign("HS256", "a", "tollgate-api"), now)).toMatchObject(claims);
  });
});

describe("a session cookie", () => {
  test("ends seven days after the login, however often it is sealed anew", async () => {
    const keys = ring("a");
    const first = await openSession(keys, await sealSession(keys, { ...claims, issuedAt: now }), now);
    expect(first).toEqual({ ...claims, issuedAt: now });
    const again = first && (await sealSession(keys, first));
    expect(await openSession(keys, again ?? "", later(604_799))).toEqual(first);
    expect(await openSession(keys, again ?? "", later(604_801))).toBeNull();
  });

  test("is not a bearer token, and a bearer token is not a session", async () => {
    const keys = ring("a");
    const { token } = await issueJwt(keys, claims, now);
    expect(await openSession(keys, token, now)).toBeNull();
  });
});

describe("a request with a cookie", () => {
  const post = (headers: Record<string, string>) =>
    new Request("http://gate.example/api/user/self", {
      method: "POST",
      headers: { host: "gate.example", ...headers },
    });

  test.each([
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "cross-site", origin: "http://gate.example" }, false],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ origin: "http://gate.example" }, true],
    [{ origin: "https://public.example" }, true],
    [{ origin: "http://evil.example" }, false],
    [{ origin: "null" }, false],
    [{}, false],
  ])("changes things with %j: %s", (headers, allowed) => {
    expect(isSameOrigin(post(headers), "https://public.example")).toBe(allowed);
  });

  /** Source: docs/contract.md#other-address. */
  test.each([
    ["https://public.example", true],
    ["http://public.example", false],
    ["https://public.example:8443", false],
    ["http://gate.example", false],
  ])(
    "where PUBLIC_URL is https://public.example, signs in and changes things from %s: %s",
    (origin, allowed) => {
      const context = { publicUrl: "https://public.example", publicUrlGiven: true };
      expect(isSameOrigin(post({ origin }), context.publicUrl, true)).toBe(allowed);
      const refusal = () => refuseOtherAddress(post({ origin }), context);
      if (allowed) expect(refusal).not.toThrow();
      else expect(refusal).toThrow(/^Sign in at https:\/\/public\.example,/);
    },
  );

  test("may always read", () => {
    expect(isSameOrigin(new Request("http://gate.example/"), "https://public.example")).toBe(true);
  });
});
