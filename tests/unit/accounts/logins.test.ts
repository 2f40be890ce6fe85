import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endLogin, issueFor, issueToken, listLogins, loginSource, sweepLogins } from "@/lib/accounts/logins";
import { closePasswordPool } from "@/lib/accounts/password";
import { endAllSessions, setPasswordHash } from "@/lib/accounts/self";
import {
  type AuthContext,
  findPrincipal,
  issueJwt,
  sealSession,
  type UserRow,
  verifyJwt,
} from "@/lib/accounts/session";
import { createUser } from "@/lib/accounts/users";
import type { Secrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import { logins, plans } from "@/lib/db/schema/accounts";
import { DAY_MS, MINUTE_MS } from "@/lib/kernel/durations";
import { forEachDatabaseInAll } from "@/tests/support/database";

const begin = new Date("2026-11-21T05:00:00Z");
const ring = (id: string) => ({ current: { id, key: randomBytes(32) }, previous: null });
const secrets = { jwt: ring("a"), session: ring("a") } as unknown as Secrets;
const from = { client: "curl/8.7.1", ip: "192.0.2.7" };
const page = { page: 1, pageSize: 20 };

afterAll(closePasswordPool);

/** Source: docs/reliability.md#s3-5, docs/contract.md#logins. */
await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let context: AuthContext;
  let now = begin;
  let people = 0;
  const errors: unknown[] = [];
  beforeAll(async () => {
    db = await open();
    context = {
      db,
      secrets,
      publicUrl: "http://gate.example",
      publicUrlGiven: false,
      now: () => now,
      onError: (e) => errors.push(e),
    };
    await db.orm.insert(plans).values({ id: 1, name: "Free", keyQuotaMicroCents: 0n, selfService: true });
  });

  async function person(): Promise<UserRow> {
    now = begin;
    people += 1;
    return createUser(db, { username: `person${people}`, password: "secret" }, { quotaCents: 0 });
  }
  const ask = (headers: Record<string, string>) =>
    findPrincipal(new Request("http://gate.example/api/user/self", { headers }), context);
  const bearer = (token: string) => ask({ authorization: `Bearer ${token}` });
  const cookie = async (token: string) => {
    const login = await verifyJwt(secrets.jwt, token, now);
    if (login === null) throw new Error("no login");
    return ask({ cookie: `tollgate-session=${await sealSession(secrets.session, login)}` });
  };
  const rowOf = async (id: string) => (await db.orm.select().from(logins).where(eq(logins.id, id)))[0];
  const list = async (user: UserRow, id: string | null = null) =>
    (await listLogins(context, user.id, id, page)).data;

  describe("a login", () => {
    test("that is ended is refused at once as token and as cookie, and the others go on", async () => {
      const user = await person();
      const [first, second] = [await issueFor(context, user, from), await issueFor(context, user, from)];
      const principal = await bearer(first.token);
      expect(principal).toMatchObject({ via: "bearer", user: { id: user.id } });
      expect(await cookie(first.token)).toMatchObject({ via: "session", loginId: principal?.loginId });
      await endLogin(db.orm, user.id, principal?.loginId ?? "");
      expect(await bearer(first.token)).toBeNull();
      expect(await cookie(first.token)).toBeNull();
      expect(await bearer(second.token)).not.toBeNull();
      expect(await cookie(second.token)).not.toBeNull();
    });

    test("of another account is neither seen nor ended", async () => {
      const [owner, other] = [await person(), await person()];
      const { token } = await issueFor(context, owner, from);
      const id = (await bearer(token))?.loginId ?? "";
      expect(await list(other)).toEqual([]);
      for (const named of [id, "nonsense", "7b0f8f9e-1111-4222-8333-444455556666"]) {
        await expect(endLogin(db.orm, other.id, named)).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
      expect(await bearer(token)).not.toBeNull();
    });

    test("of a version without rows is valid until the sessions of its account end", async () => {
      const user = await person();
      const claims = { userId: user.id, tokenVersion: user.tokenVersion };
      const { token } = await issueJwt(secrets.jwt, claims, now);
      expect(await bearer(token)).toMatchObject({ loginId: null });
      expect(await cookie(token)).toMatchObject({ loginId: null });
      await endAllSessions(db, user.id);
      expect([await bearer(token), await cookie(token)]).toEqual([null, null]);
    });

    test("whose row is of another account is refused", async () => {
      const [owner, other] = [await person(), await person()];
      const { token } = await issueFor(context, owner, from);
      const loginId = (await bearer(token))?.loginId ?? "";
      const claims = { userId: other.id, tokenVersion: other.tokenVersion, loginId };
      expect(await bearer((await issueJwt(secrets.jwt, claims, now)).token)).toBeNull();
    });

    test("is listed with where it comes from, that of the caller first", async () => {
      const user = await person();
      const { token } = await issueFor(context, user, from);
      await issueFor(context, user, { client: "", ip: "2001:db8::1" });
      const id = (await bearer(token))?.loginId ?? "";
      expect(await list(user, id)).toMatchObject([
        { id, kind: "login", name: null, ...from, createdAt: begin.toISOString(), current: true },
        { client: "", ip: "2001:db8::1", current: false },
      ]);
      expect((await list(user)).map(({ current }) => current)).toEqual([false, false]);
    });

    test("is gone from the list with a new password and with all sessions", async () => {
      const user = await person();
      await issueFor(context, user, from);
      const changed = await setPasswordHash(db.orm, user.id, "x");
      expect(await list(user)).toEqual([]);
      await issueFor(context, changed, from);
      await endAllSessions(db, user.id);
      expect(await list(user)).toEqual([]);
    });
  });

  test("the last use is written once in five minutes, and a failure of that is only told", async () => {
    const user = await person();
    const { token } = await issueFor(context, user, from);
    const id = (await bearer(token))?.loginId ?? "";
    const lastUse = async () => (await rowOf(id))?.lastUsedAt?.getTime() ?? null;
    await expect.poll(lastUse).toBe(begin.getTime());
    now = new Date(begin.getTime() + 4 * MINUTE_MS);
    await bearer(token);
    now = new Date(begin.getTime() + 6 * MINUTE_MS);
    await bearer(token);
    await expect.poll(lastUse).toBe(now.getTime());
    now = new Date(begin.getTime() + 12 * MINUTE_MS);
    const failure = new Error("no writer");
    const update = () => ({ set: () => ({ where: () => Promise.reject(failure) }) });
    const orm = new Proxy(db.orm, {
      get: (target, name) => (name === "update" ? update : Reflect.get(target, name)),
    });
    const broken = { ...context, db: { ...db, orm } as unknown as Database };
    const request = new Request("http://gate.example/", { headers: { authorization: `Bearer ${token}` } });
    expect(await findPrincipal(request, broken)).not.toBeNull();
    await expect.poll(() => errors).toEqual([failure]);
  });

  describe("a named token", () => {
    test.each([1, 7, 30, 90])("is valid for %i days, listed until then, and swept after", async (days) => {
      const user = await person();
      const input = { name: "Report", expiresInDays: days };
      const { token, login } = await issueToken(db.orm, context, user, input, from);
      now = new Date(begin.getTime() + days * DAY_MS - 1000);
      expect(await bearer(token)).toMatchObject({ loginId: login.id });
      await sweepLogins(db, now);
      expect(await list(user)).toMatchObject([{ id: login.id, kind: "token", name: "Report" }]);
      now = new Date(begin.getTime() + days * DAY_MS + 1000);
      expect(await bearer(token)).toBeNull();
      expect(await list(user)).toEqual([]);
      await sweepLogins(db, now);
      expect(await rowOf(login.id)).toBeUndefined();
    });

    test("is refused beyond fifty, and there is room again when one is revoked", async () => {
      const user = await person();
      const make = () => issueToken(db.orm, context, user, { name: "x", expiresInDays: 1 }, from);
      for (let made = 0; made < 49; made += 1) await make();
      const { login } = await make();
      await expect(make()).rejects.toMatchObject({ code: "CONFLICT" });
      await endLogin(db.orm, user.id, login.id);
      await make();
    });
  });
});

test("a user agent is kept up to 200 characters", () => {
  const request = new Request("http://gate.example/", { headers: { "user-agent": "x".repeat(300) } });
  expect(loginSource(request, "192.0.2.1")).toEqual({ client: "x".repeat(200), ip: "192.0.2.1" });
  const none = new Request("http://gate.example/");
  none.headers.delete("user-agent");
  expect(loginSource(none, "").client).toBe("");
});
