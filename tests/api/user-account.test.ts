import { describe, expect, test } from "vitest";
import { profile } from "@/lib/api/schemas/profile";
import { loginResponse } from "@/lib/api/schemas/sign-in";
import { type ApiError, accountServer, freshName, signUp } from "../support/account-server";

/** A name has five free failures. */
const NAMES = 5;
const TRIES = 4;

const server = accountServer();
const self = (token: string) => server().api<Record<string, string>>("GET", "/api/user/self", token);
const login = (username: string, password: string) =>
  server().api<{ token: string } & ApiError>("POST", "/api/user/login", undefined, { username, password });

describe("registering", () => {
  test("answers 201 with the profile and a token of exactly seven days", async () => {
    const username = freshName();
    const { status, body, headers } = await server().api("POST", "/api/user/register", undefined, {
      username,
      password: "secret",
      email: "a@example.org",
    });
    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    const { user, token } = loginResponse.parse(body);
    expect(user).toMatchObject({
      username,
      email: "a@example.org",
      role: "user",
      status: "active",
      quota: "1000",
      usedQuota: "0",
      requestCount: "0",
      planId: 1,
    });
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(claims.exp - claims.iat).toBe(604_800);
    expect((await self(token)).body).toEqual(user);
  });

  test("refuses a taken name in any case with 409", async () => {
    const { username } = await signUp(server());
    const { status, body } = await server().api<ApiError>("POST", "/api/user/register", undefined, {
      username: username.toUpperCase(),
      password: "secret",
    });
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    expect(body.error.fields).toHaveProperty("username");
  });

  /** Source: docs/reliability.md#r-109, #r-110, #r-118. */
  test.each([
    [{ password: "12345" }, "password"],
    [{ password: "x".repeat(1025) }, "password"],
    [{ username: "ab" }, "username"],
    [{ username: "with space" }, "username"],
    [{ username: 12345 }, "username"],
    [{ email: "a＠b.co" }, "email"],
    [{ email: "a@b.co\r\nBcc: x@y.zz" }, "email"],
    [{ email: '"a b"@c.co' }, "email"],
    [{ email: "a@b.co, c@d.co" }, "email"],
    [{ email: `${"a".repeat(394)}@b.co` }, "email"],
    [{ email: `a@${"b.".repeat(198)}co` }, "email"],
    [{ inviteCode: "unknown" }, "inviteCode"],
    [{ role: "admin" }, "role"],
    [{ quota: 5 }, "quota"],
    [{ usedQuota: 0 }, "usedQuota"],
    [{ status: "active" }, "status"],
    [{ id: "7b0f8f9e-1111-4222-8333-444455556666" }, "id"],
    [{ password: undefined }, "password"],
  ])("refuses %j with 400 and names the field", async (fields, field) => {
    const { status, body } = await server().api<ApiError>("POST", "/api/user/register", undefined, {
      username: freshName(),
      password: "secret",
      ...fields,
    });
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(Object.keys(body.error.fields ?? {})).toContain(field);
  });

  test("with an invite code records the inviter and pays what the admin has set", async () => {
    const inviter = await signUp(server());
    const { inviteCode = "" } = (await self(inviter.token)).body;
    const admin = await server().adminToken();
    await server().api("PATCH", "/api/admin/settings", admin, { inviteRewardCents: 25 });
    const invited = await signUp(server(), { inviteCode });
    await server().api("PATCH", "/api/admin/settings", admin, { inviteRewardCents: 0 });
    const record = await server().api<{ invitedBy: string }>("GET", `/api/admin/users/${invited.id}`, admin);
    expect(record.body.invitedBy).toBe(inviter.id);
    expect((await self(inviter.token)).body.quota).toBe("1025");
  });

  test("with an invite code succeeds, too, where the reward would pass the largest quota there is", async () => {
    const inviter = await signUp(server());
    const { inviteCode = "" } = (await self(inviter.token)).body;
    const admin = await server().adminToken();
    await server().api("PATCH", "/api/admin/settings", admin, { inviteRewardCents: 1_000_000_000_000 });
    await signUp(server(), { inviteCode });
    await server().api("PATCH", "/api/admin/settings", admin, { inviteRewardCents: 0 });
    expect((await self(inviter.token)).body.quota).toBe("1000");
    const ledger = await server().api("GET", "/api/user/ledger", inviter.token);
    expect(ledger.body).toMatchObject({ total: 1, data: [{ type: "signup" }] });
  });
});

describe("logging in", () => {
  test("answers alike for a wrong password and an unknown name", async () => {
    const { username } = await signUp(server());
    const wrong = await login(username, "wrong-password");
    const unknown = await login(freshName(), "wrong-password");
    for (const { status, body } of [wrong, unknown]) {
      expect([status, body.error.code]).toEqual([401, "INVALID_CREDENTIALS"]);
    }
    expect(wrong.body.error.message).toBe(unknown.body.error.message);
  });

  /** Source: docs/reliability.md#r-111. */
  test("tells a wrong password from an unknown name neither by its answer nor by its time", {
    timeout: 120_000,
  }, async () => {
    const times = { unknown: [] as number[], wrong: [] as number[] };
    const answers = new Set<string>();
    const attempt = async (kind: "unknown" | "wrong", username: string) => {
      const begun = performance.now();
      const { status, body } = await login(username, "not-it-at-all");
      times[kind].push(performance.now() - begun);
      answers.add(JSON.stringify([status, { ...body.error, requestId: "" }]));
    };
    for (let name = 0; name < NAMES; name += 1) {
      const [known, unknown] = [(await signUp(server())).username, freshName()];
      for (let index = 0; index < TRIES; index += 1) {
        await attempt("wrong", known);
        await attempt("unknown", unknown);
      }
    }
    expect([...answers]).toEqual([expect.stringContaining("INVALID_CREDENTIALS")]);
    const ratio = median(times.unknown) / median(times.wrong);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });

  test("knows the name in any case", async () => {
    const { username, password } = await signUp(server());
    expect((await login(username.toUpperCase(), password)).status).toBe(200);
  });

  /** Source: docs/reliability.md#r-112. */
  test("slows down after failures of one name, whatever X-Forwarded-For says, and of no other", async () => {
    const victim = await signUp(server());
    const other = await signUp(server());
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const response = await fetch(`${server().url}/api/user/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `198.51.100.${attempt}` },
        body: JSON.stringify({ username: victim.username, password: "wrong-password" }),
      });
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses).toContain(429);
    expect((await login(other.username, other.password)).status).toBe(200);
    await expect
      .poll(async () => (await login(victim.username, victim.password)).status, { timeout: 9_000 })
      .toBe(200);
  });
});

/** Source: docs/reliability.md#r-112. */
describe("logging in many times at once", () => {
  test("is no way to more guesses: five are compared, the others wait", async () => {
    const { username, token } = await signUp(server());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => login(username, `guess-${index}`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
    const change = { currentPassword: "guess", newPassword: "another-secret" };
    const guess = await server().api("POST", "/api/user/self/password", token, change);
    expect([400, 429]).toContain(guess.status);
  });

  test("with the right password succeeds each time", async () => {
    const { username, password } = await signUp(server());
    const answers = await Promise.all(Array.from({ length: 8 }, () => login(username, password)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

describe("one's own profile", () => {
  test("changes by PATCH and PUT, and nothing but name and e-mail", async () => {
    const { token } = await signUp(server());
    const patched = await server().api("PATCH", "/api/user/self", token, {
      name: "Ann",
      email: "b@example.org",
    });
    expect(profile.parse(patched.body)).toMatchObject({ name: "Ann", email: "b@example.org" });
    expect((await server().api("PUT", "/api/user/self", token, { email: "" })).body).toMatchObject({
      name: "Ann",
      email: "",
    });
  });

  /** Source: docs/reliability.md#r-109. */
  test("takes no other field, neither alone nor beside one that may change", async () => {
    const { token } = await signUp(server());
    const before = (await self(token)).body;
    const foreign = [
      { role: "admin" },
      { quota: "99999" },
      { quota: 99_999 },
      { status: "active" },
      { usedQuota: 0 },
      { id: "7b0f8f9e-1111-4222-8333-444455556666" },
      { username: "somebody" },
      { planId: 4 },
      { passwordHash: "x" },
      { tokenVersion: 0 },
      { inviteCode: "x" },
      { limitOverrides: { qps: 1_000 } },
    ];
    for (const fields of foreign) {
      for (const method of ["PATCH", "PUT"]) {
        for (const body of [fields, { name: "Taken", ...fields }]) {
          const refused = await server().api<ApiError>(method, "/api/user/self", token, body);
          expect([body, refused.status]).toEqual([body, 400]);
          expect(Object.keys(refused.body.error.fields ?? {})).toEqual(Object.keys(fields));
        }
      }
    }
    expect((await self(token)).body).toEqual(before);
  });

  test("is reached with a trailing slash too, without a redirect", async () => {
    const { token } = await signUp(server());
    const response = await fetch(`${server().url}/api/user/self/`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
    });
    expect(response.status).toBe(200);
  });
});

describe("ending sessions", () => {
  /** Source: docs/reliability.md#r-115. */
  test("a new password ends every older token and gives one that works", async () => {
    const { username, password, token } = await signUp(server());
    const change = { currentPassword: password, newPassword: "another-secret" };
    const changed = await server().api<{ token: string }>("POST", "/api/user/self/password", token, change);
    expect(changed.status).toBe(200);
    expect((await self(token)).status).toBe(401);
    expect((await self(changed.body.token)).status).toBe(200);
    expect((await login(username, password)).status).toBe(401);
    expect((await login(username, "another-secret")).status).toBe(200);
  });

  test("needs the current password", async () => {
    const { token } = await signUp(server());
    const change = { currentPassword: "wrong-one", newPassword: "another-secret" };
    const { status, body } = await server().api<ApiError>("POST", "/api/user/self/password", token, change);
    expect([status, body.error.fields]).toEqual([400, { currentPassword: ["is wrong"] }]);
    expect((await self(token)).status).toBe(200);
  });

  test("everywhere ends this token too", async () => {
    const { token } = await signUp(server());
    expect((await server().api("POST", "/api/user/self/logout-everywhere", token)).status).toBe(204);
    expect((await self(token)).status).toBe(401);
  });
});

describe("deleting the account", () => {
  test("needs the password, ends tokens and keys at once and frees the name", async () => {
    const user = await server().user();
    expect(
      (await server().api("DELETE", "/api/user/self", user.token, { password: "wrong-one" })).status,
    ).toBe(400);
    expect((await server().gateway("/v1/models", user.key)).status).toBe(200);
    const gone = await server().api("DELETE", "/api/user/self", user.token, { password: "secret-password" });
    expect(gone.status).toBe(204);
    expect((await self(user.token)).status).toBe(401);
    expect((await server().gateway("/v1/models", user.key)).status).toBe(401);
    expect((await login(user.username, "secret-password")).status).toBe(401);
    const again = { username: user.username, password: "secret" };
    expect((await server().api("POST", "/api/user/register", undefined, again)).status).toBe(201);
  });

  test("is refused to the last admin", async () => {
    const admin = await server().adminToken();
    const refused = await server().api("DELETE", "/api/user/self", admin, {
      password: "correct-horse-battery",
    });
    expect(refused.status).toBe(409);
  });
});

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
