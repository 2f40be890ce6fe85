import { describe, expect, test } from "vitest";
import { createTokenResponse, loginRecord } from "@/lib/api/schemas/logins";
import { type ApiError, accountServer, type SignedUp, signUp } from "../support/account-server";
import { signInBrowser } from "../support/browser";

const PATH = "/api/user/logins";
const server = accountServer();

interface Browser extends SignedUp {
  cookie: string;
}

async function browserOf(account: SignedUp): Promise<Browser> {
  const login = await server().api<{ token: string }>("POST", "/api/user/login", undefined, {
    username: account.username,
    password: account.password,
  });
  const { token } = login.body;
  return { ...account, token, cookie: (await signInBrowser(server().url, token)).cookie };
}

const send = (cookie: string, method: string, path: string, body?: object) =>
  fetch(server().url + path, {
    method,
    headers: { cookie, origin: server().url, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });

const self = (token: string) => server().api("GET", "/api/user/self", token);
const selfOf = async (cookie: string) => (await send(cookie, "GET", "/api/user/self")).status;

async function loginsOf(cookie: string) {
  const response = await send(cookie, "GET", PATH);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: unknown[] }).data.map((each) => loginRecord.parse(each));
}

async function createToken(cookie: string, name: string, expiresInDays = 30) {
  const response = await send(cookie, "POST", PATH, { name, expiresInDays });
  expect(response.status).toBe(201);
  return createTokenResponse.parse(await response.json());
}

/** Source: docs/contract.md#logins, docs/reliability.md#s3-5. */
describe("sign-ins", () => {
  test("are listed as what they have become, and end one by one at once", async () => {
    const account = await signUp(server());
    const [here, there] = [await browserOf(account), await browserOf(account)];
    const listed = await loginsOf(here.cookie);
    expect(listed.map(({ kind, current }) => [kind, current])).toEqual([
      ["browser", true],
      ["browser", false],
      ["login", false],
    ]);
    expect(listed.every(({ client, ip }) => client !== "" && ip !== "")).toBe(true);
    const other = listed.find(({ kind, current }) => kind === "browser" && !current);
    expect((await send(here.cookie, "DELETE", `${PATH}/${other?.id}`)).status).toBe(204);
    expect([await selfOf(there.cookie), (await self(there.token)).status]).toEqual([401, 401]);
    expect((await signInBrowser(server().url, there.token)).cookie).toBe("");
    expect([await selfOf(here.cookie), (await self(account.token)).status]).toEqual([200, 200]);
    expect((await send(here.cookie, "DELETE", `${PATH}/${other?.id}`)).status).toBe(404);
  });

  test("of another account are not there", async () => {
    const [owner, other] = [await browserOf(await signUp(server())), await signUp(server())];
    const [own] = await loginsOf(owner.cookie);
    const ended = await server().api<ApiError>("DELETE", `${PATH}/${own?.id}`, other.token);
    expect([ended.status, ended.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(await selfOf(owner.cookie)).toBe(200);
  });

  test("end where somebody signs out, and nowhere else", async () => {
    const account = await signUp(server());
    const [here, there] = [await browserOf(account), await browserOf(account)];
    const csrf = await fetch(`${server().url}/api/auth/csrf`, { headers: { cookie: here.cookie } });
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const cookies = csrf.headers.getSetCookie().map((each) => each.split(";", 1)[0]);
    const out = await fetch(`${server().url}/api/auth/signout`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        cookie: [here.cookie, ...cookies].join("; "),
      },
      body: new URLSearchParams({ csrfToken, json: "true", callbackUrl: `${server().url}/` }),
    });
    expect(out.status).toBe(200);
    expect([await selfOf(here.cookie), (await self(here.token)).status]).toEqual([401, 401]);
    expect([await selfOf(there.cookie), (await self(account.token)).status]).toEqual([200, 200]);
    expect((await loginsOf(there.cookie)).length).toBe(2);
  });

  test("stay with their session when the browser reads it, which seals its cookie anew", async () => {
    const { cookie } = await browserOf(await signUp(server()));
    const [before] = await loginsOf(cookie);
    const session = await fetch(`${server().url}/api/auth/session`, { headers: { cookie } });
    const again = session.headers.getSetCookie().find((each) => each.startsWith("tollgate-session="));
    const [after] = await loginsOf(again?.split(";", 1)[0] ?? "");
    expect(after).toMatchObject({ id: before?.id, current: true });
  });

  test("are all gone after a suspension by an admin, and after a new password but its own", async () => {
    const account = await browserOf(await signUp(server()));
    const change = { currentPassword: account.password, newPassword: "another-secret" };
    const changed = await server().api<{ token: string }>(
      "POST",
      "/api/user/self/password",
      account.token,
      change,
    );
    expect(await selfOf(account.cookie)).toBe(401);
    const { cookie } = await signInBrowser(server().url, changed.body.token);
    expect((await loginsOf(cookie)).map(({ kind }) => kind)).toEqual(["browser"]);
    const admin = await server().adminToken();
    const status = (to: string) =>
      server().api("PATCH", `/api/admin/users/${account.id}`, admin, { status: to });
    await status("suspended");
    await status("active");
    expect(await selfOf(cookie)).toBe(401);
    const back = await browserOf({ ...account, password: "another-secret" });
    expect((await loginsOf(back.cookie)).length).toBe(1);
  });
});

describe("a token for scripts", () => {
  test("opens the account API under its name, is told once, and ends when it is revoked", async () => {
    const { cookie } = await browserOf(await signUp(server()));
    const { login, token } = await createToken(cookie, "Monthly report", 90);
    expect(login).toMatchObject({ kind: "token", name: "Monthly report", lastUsedAt: null, current: false });
    const days = (Date.parse(login.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
    expect((await self(token)).status).toBe(200);
    const shown = await server().api("GET", PATH, token);
    expect(JSON.stringify(shown.body)).not.toContain(token);
    expect(shown.body).toMatchObject({ data: [{ id: login.id, current: true }, {}, {}] });
    expect((await send(cookie, "DELETE", `${PATH}/${login.id}`)).status).toBe(204);
    expect((await self(token)).status).toBe(401);
    expect(await selfOf(cookie)).toBe(200);
  });

  test("is made by a signed-in browser only, becomes no browser session, and makes no other token", async () => {
    const { cookie, token: ofLogin } = await browserOf(await signUp(server()));
    const { token } = await createToken(cookie, "Report");
    for (const bearer of [token, ofLogin]) {
      const made = await server().api("POST", PATH, bearer, { name: "More", expiresInDays: 90 });
      expect(made.status).toBe(403);
    }
    expect((await signInBrowser(server().url, token)).cookie).toBe("");
    expect((await self(token)).status).toBe(200);
  });

  test("is one of at most 50, also when they are made at once", async () => {
    const { cookie } = await browserOf(await signUp(server()));
    const body = { name: "One of many", expiresInDays: 1 };
    // So many at once may be too many for the database of a slow machine: those are asked again.
    async function made(): Promise<Response> {
      const answer = await send(cookie, "POST", PATH, body);
      return answer.status === 503 ? made() : answer;
    }
    const answers = await Promise.all(Array.from({ length: 60 }, made));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(50).fill(201), ...Array(10).fill(409)]);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ error: { code: "CONFLICT" } });
  });

  test.each([
    [{ name: "", expiresInDays: 7 }, "name"],
    [{ name: "  ", expiresInDays: 7 }, "name"],
    [{ name: "x".repeat(61), expiresInDays: 7 }, "name"],
    [{ name: "x", expiresInDays: 8 }, "expiresInDays"],
    [{ name: "x", expiresInDays: "7" }, "expiresInDays"],
    [{ name: "x" }, "expiresInDays"],
  ])("is refused for %j with the field", async (body, field) => {
    const { cookie } = await browserOf(await signUp(server()));
    const response = await send(cookie, "POST", PATH, body);
    expect(response.status).toBe(400);
    expect(Object.keys(((await response.json()) as ApiError).error.fields ?? {})).toEqual([field]);
  });

  test("is in the audit when it is made and when it is revoked, without its secret", async () => {
    const account = await browserOf(await signUp(server()));
    const { login, token } = await createToken(account.cookie, "Audited");
    await send(account.cookie, "DELETE", `${PATH}/${login.id}`);
    const admin = await server().adminToken();
    const audit = await server().api("GET", `/api/admin/audit?targetId=${account.id}`, admin);
    expect(audit.body).toMatchObject({
      data: [
        { action: "login.delete", before: { name: "Audited", kind: "token" } },
        { action: "login.create", after: { name: "Audited" } },
        {},
      ],
    });
    expect(JSON.stringify(audit.body)).not.toContain(token);
  });
});
