import { describe, expect, test } from "vitest";
import { bootstrap } from "@/lib/api/schemas/bootstrap";
import { type ApiError, accountServer, type Body, freshName, signUp } from "../support/account-server";
import type { TestServer } from "../support/server";

const ATTEMPTS = 60;
const server = accountServer({ env: { TRUST_PROXY: "1", REGISTER_PER_IP_PER_MINUTE: String(ATTEMPTS) } });
const closedAtStart = accountServer({ env: { ALLOW_REGISTRATION: "0" } });

const admin = async <T = Body>(method: string, path: string, body?: unknown, of: TestServer = server()) =>
  of.api<T>(method, `/api/admin/${path}`, await of.adminToken(), body);
const set = async (change: Body, of?: TestServer) => {
  const { status, body } = await admin("PATCH", "settings", change, of);
  expect([status, body]).toEqual([200, expect.objectContaining(change)]);
  return body;
};
const toldAll = async (of: TestServer = server()) => {
  const { registration, allowRegistration } = bootstrap.parse((await of.api("GET", "/api/bootstrap")).body);
  return { registration, allowRegistration };
};
const quotaOf = async (token: string) =>
  (await server().api<{ quota: string }>("GET", "/api/user/self", token)).body.quota;
const codeOf = async (token: string) =>
  (await server().api<{ inviteCode: string }>("GET", "/api/user/self", token)).body.inviteCode;

let address = 0;
/** Registers from an address of its own, unless one is given. */
async function register(fields: Body = {}, from = `192.0.2.${++address}`, of: TestServer = server()) {
  const answer = await fetch(`${of.url}/api/user/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ username: freshName(), password: "secret-password", ...fields }),
  });
  const body = (await answer.json()) as ApiError & { user: { id: string }; token: string };
  return { status: answer.status, body };
}

const inviteRequired = (message: string) => ({
  status: 403,
  body: { error: { code: "FORBIDDEN", reason: "invite_required", fields: { inviteCode: [message] } } },
});
const closed = { status: 403, body: { error: { code: "FORBIDDEN", reason: "registration_closed" } } };

/** Source: docs/contract.md#registration. */
describe("who can register", () => {
  test("is anybody at first, and everybody is told so", async () => {
    expect((await admin("GET", "settings")).body).toMatchObject({
      registration: "open",
      newAccountQuotaCents: null,
    });
    expect(await toldAll()).toEqual({ registration: "open", allowRegistration: true });
    expect((await register()).status).toBe(201);
    expect(await register({ inviteCode: "unknown" })).toMatchObject({
      status: 400,
      body: {
        error: { code: "INVALID_REQUEST", fields: { inviteCode: ["is not known or no longer valid"] } },
      },
    });
  });

  test("is whoever has the code of an active account, at once after an admin has said so", async () => {
    const inviter = await signUp(server());
    const gone = await signUp(server());
    const [inviteCode, goneCode] = [await codeOf(inviter.token), await codeOf(gone.token)];
    await admin("PATCH", `users/${gone.id}`, { status: "suspended" });
    await set({ registration: "invited" });
    expect(await toldAll()).toEqual({ registration: "invited", allowRegistration: true });
    expect(await register()).toMatchObject(inviteRequired("is required"));
    expect(await register({ inviteCode: "unknown" })).toMatchObject(
      inviteRequired("is not known or no longer valid"),
    );
    expect(await register({ inviteCode: goneCode })).toMatchObject(
      inviteRequired("is not known or no longer valid"),
    );
    const invited = await register({ inviteCode });
    expect(invited.status).toBe(201);
    expect((await admin("GET", `users/${invited.body.user.id}`)).body).toMatchObject({
      invitedBy: inviter.id,
    });
    expect((await register({ inviteCode })).status, "a code works any number of times").toBe(201);
    await set({ registration: "open" });
    expect((await register()).status).toBe(201);
  });

  test("is nobody, not even with a code, while it is closed; admins still add accounts", async () => {
    const inviteCode = await codeOf((await signUp(server())).token);
    await set({ registration: "closed" });
    expect(await toldAll()).toEqual({ registration: "closed", allowRegistration: false });
    expect(await register()).toMatchObject(closed);
    expect(await register({ inviteCode })).toMatchObject(closed);
    const person = { username: freshName(), password: "secret-password" };
    expect((await admin("POST", "users", person)).status).toBe(201);
    await set({ registration: "open" });
  });

  test("is nobody with ALLOW_REGISTRATION=0, whatever admins say", async () => {
    for (const registration of ["open", "invited"]) {
      const view = await set({ registration }, closedAtStart());
      expect(view).toMatchObject({ setAtStart: { allowRegistration: false }, openRegistration: null });
      expect(await toldAll(closedAtStart())).toEqual({ registration: "closed", allowRegistration: false });
      const { inviteCode } = (
        await closedAtStart().api<{ inviteCode: string }>(
          "GET",
          "/api/user/self",
          await closedAtStart().adminToken(),
        )
      ).body;
      for (const fields of [{}, { inviteCode }])
        expect(await register(fields, "192.0.2.1", closedAtStart())).toMatchObject(closed);
    }
  });

  test("is guessed no more often than anybody may register", async () => {
    await set({ registration: "invited" });
    const statuses = [];
    for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1)
      statuses.push((await register({}, "198.51.100.7")).status);
    expect([new Set(statuses.slice(0, ATTEMPTS)), statuses.at(-1)]).toEqual([new Set([403]), 429]);
    await set({ registration: "open" });
  });

  test("outlives a restart, whose first call asks for no new account where strangers get none", async () => {
    const restarted = async () => {
      await server().stop();
      return (await server().start()).output;
    };
    await set({ registration: "invited" });
    expect(await restarted()).toContain("with a key that you make at");
    expect(await toldAll()).toMatchObject({ registration: "invited" });
    await set({ registration: "open", newAccountQuotaCents: 0 });
    expect(await restarted()).toContain("with a key that you make at");
    await set({ newAccountQuotaCents: null });
    expect(await restarted()).toContain("with a new account and key");
  });
});

/** Source: docs/contract.md#registration. */
describe("the quota of a new account", () => {
  test("is what an admin has decided, for who registers and for who is added, and else as set at start", async () => {
    const added = async (fields: Body = {}) =>
      (
        await admin<{ quota: string }>("POST", "users", {
          username: freshName(),
          password: "secret-password",
          ...fields,
        })
      ).body.quota;
    expect(await set({ newAccountQuotaCents: 250 })).toMatchObject({
      signupQuotaCents: 250,
      setAtStart: { signupQuotaCents: 1_000 },
    });
    const { token } = await signUp(server());
    expect([await quotaOf(token), await added(), await added({ quota: 7 })]).toEqual(["250", "250", "7"]);
    expect((await server().api("GET", "/api/bootstrap")).body).toMatchObject({ signupQuotaCents: 250 });
    expect((await server().api("GET", "/api/user/ledger", token)).body).toMatchObject({
      total: 1,
      data: [{ type: "signup", amount: "250" }],
    });

    expect(await set({ newAccountQuotaCents: 0 })).toMatchObject({ signupQuotaCents: 0 });
    const poor = await signUp(server());
    expect([await quotaOf(poor.token), await added()]).toEqual(["0", "0"]);
    expect((await server().api("GET", "/api/user/ledger", poor.token)).body).toMatchObject({ total: 0 });

    expect(await set({ newAccountQuotaCents: null })).toMatchObject({ signupQuotaCents: 1_000 });
    expect([await quotaOf((await signUp(server())).token), await added()]).toEqual(["1000", "1000"]);
    expect(await quotaOf(token), "accounts that exist keep what they have").toBe("250");
  });
});

test.each([
  [{ registration: "members" }, "registration"],
  [{ registration: null }, "registration"],
  [{ registration: true }, "registration"],
  [{ newAccountQuotaCents: -1 }, "newAccountQuotaCents"],
  [{ newAccountQuotaCents: 1.5 }, "newAccountQuotaCents"],
  [{ newAccountQuotaCents: "250" }, "newAccountQuotaCents"],
  [{ newAccountQuotaCents: 1_000_000_000_001 }, "newAccountQuotaCents"],
  [{ newAccountPlanId: 12_345 }, "newAccountPlanId"],
  [{ newAccountPlanId: "2" }, "newAccountPlanId"],
])("%j is refused, and nothing is changed", async (change, field) => {
  const before = (await admin("GET", "settings")).body;
  const { status, body } = await admin<ApiError>("PATCH", "settings", { statusPage: true, ...change });
  expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, [field]]);
  expect((await admin("GET", "settings")).body).toEqual(before);
});

test("the plan of a new account is the one that an admin has decided, while there is one", async () => {
  const planOf = async (token: string) =>
    (await server().api<Body>("GET", "/api/user/self", token)).body.planId;
  const added = await admin<{ id: number }>("POST", "plans", {
    name: "Trial",
    qps: 1,
    rpm: 2,
    tpm: 3_000,
    keyQuotaCents: 100,
    selfService: false,
  });
  expect(added.status).toBe(201);
  const before = (await admin("GET", "settings")).body.defaultPlanId;
  expect(await set({ newAccountPlanId: added.body.id })).toMatchObject({ defaultPlanId: added.body.id });
  expect(await planOf((await signUp(server())).token)).toBe(added.body.id);
  expect(await set({ newAccountPlanId: null })).toMatchObject({ defaultPlanId: before });
  expect(await planOf((await signUp(server())).token)).toBe(before);
  const unused = await admin<{ id: number }>("POST", "plans", {
    name: "Unused",
    qps: 1,
    rpm: 2,
    tpm: 3_000,
    keyQuotaCents: 100,
    selfService: false,
  });
  await set({ newAccountPlanId: unused.body.id });
  expect((await admin("DELETE", `plans/${unused.body.id}`)).status).toBe(204);
  expect(await planOf((await signUp(server())).token)).toBe(before);
  await set({ newAccountPlanId: null });
});

test("each change is in the audit, with what was and what is", async () => {
  await set({ registration: "invited", newAccountQuotaCents: 300 });
  await set({ registration: "open", newAccountQuotaCents: null });
  const entries = async (targetId: string) =>
    (await admin<{ data: Body[] }>("GET", `audit?targetType=setting&targetId=${targetId}`)).body.data.slice(
      0,
      2,
    );
  expect(await entries("registration")).toMatchObject([
    { action: "setting.update", before: { registration: "invited" }, after: { registration: "open" } },
    { action: "setting.update", before: { registration: "open" }, after: { registration: "invited" } },
  ]);
  expect(await entries("new_account_quota_cents")).toMatchObject([
    { before: { newAccountQuotaCents: 300 }, after: { newAccountQuotaCents: null } },
    { before: { newAccountQuotaCents: null }, after: { newAccountQuotaCents: 300 } },
  ]);
});

test("users change neither", async () => {
  const { token } = await signUp(server());
  for (const change of [{ registration: "closed" }, { newAccountQuotaCents: 1_000_000 }])
    expect((await server().api("PATCH", "/api/admin/settings", token, change)).status).toBe(403);
});
