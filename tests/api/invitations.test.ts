import { describe, expect, test } from "vitest";
import { invitationRecord } from "@/lib/api/schemas/invitations";
import { type ApiError, accountServer, type Body, freshName, signUp } from "../support/account-server";

const server = accountServer({ env: { TRUST_PROXY: "1" } });

const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
const invite = async (fields: Body = {}) => {
  const { status, body } = await admin("POST", "invitations", fields);
  expect([status, body]).toEqual([201, expect.anything()]);
  return invitationRecord.parse(body);
};
const listed = async () => {
  const { data } = (await admin<{ data: unknown[] }>("GET", "invitations")).body;
  return data.map((one) => invitationRecord.parse(one));
};
const found = async (id: string) => (await listed()).find((one) => one.id === id);
const set = async (registration: string) => admin("PATCH", "settings", { registration });

let address = 0;
/** Registers from an address of its own. */
async function register(fields: Body = {}) {
  const answer = await fetch(`${server().url}/api/user/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `198.51.100.${++address}` },
    body: JSON.stringify({ username: freshName(), password: "secret-password", ...fields }),
  });
  return { status: answer.status, body: (await answer.json()) as ApiError & { user: { id: string } } };
}

const refused = {
  status: 403,
  body: {
    error: {
      reason: "invite_required",
      fields: { inviteCode: ["is not known or no longer valid"] },
    },
  },
};

/** Source: docs/contract.md#invitations. */
describe("an invitation", () => {
  test("lets as many register as it says, and tells in the audit who they are", async () => {
    await set("invited");
    const { id, code, ...made } = await invite({ note: "Data team", maxUses: 2 });
    expect(made).toMatchObject({ note: "Data team", maxUses: 2, usedCount: 0, expiresAt: null });
    const people = [await register({ inviteCode: code }), await register({ inviteCode: code })];
    expect(people.map(({ status }) => status)).toEqual([201, 201]);
    expect(await register({ inviteCode: code })).toMatchObject(refused);
    expect(await found(id)).toMatchObject({ usedCount: 2 });
    const audit = await admin<{ data: Body[] }>("GET", `audit?targetType=invitation&targetId=${id}`);
    expect(audit.body.data.map(({ action }) => action)).toEqual([
      "invitation.use",
      "invitation.use",
      "invitation.create",
    ]);
    const users = people.map(({ body }) => body.user.id).reverse();
    expect(audit.body.data.slice(0, 2).map(({ actorId }) => actorId)).toEqual(users);
    expect(JSON.stringify(audit.body)).not.toContain(code);
  });

  test("is used exactly as often as it may be, however many register at once", async () => {
    await set("invited");
    const { id, code } = await invite({ maxUses: 5 });
    const answers = await Promise.all(Array.from({ length: 16 }, () => register({ inviteCode: code })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(new Set(statuses)).toEqual(new Set([201, 403]));
    expect(await found(id)).toMatchObject({ usedCount: 5, maxUses: 5 });
  });

  test("gives its accounts the plan and the quota that it has, and else those of every new account", async () => {
    await set("open");
    const terms = async (fields: Body) => {
      const { code, planId, quotaCents } = await invite(fields);
      const { id } = (await register({ inviteCode: code })).body.user;
      const { body } = await admin("GET", `users/${id}`);
      return [planId, quotaCents, body.planId, body.quota];
    };
    const [, , usual, quota] = await terms({});
    expect(await terms({ planId: 3, quotaCents: 777 })).toEqual([3, 777, 3, "777"]);
    expect(await terms({ quotaCents: 0 })).toEqual([null, 0, usual, "0"]);
    const gone = await admin<{ id: number }>("POST", "plans", {
      name: "Gone",
      qps: 1,
      rpm: 2,
      tpm: 3_000,
      keyQuotaCents: 100,
      selfService: false,
    });
    expect(gone.status).toBe(201);
    const { id, code } = await invite({ planId: gone.body.id });
    expect((await admin("DELETE", `plans/${gone.body.id}`)).status).toBe(204);
    expect(await found(id)).toMatchObject({ planId: null });
    const { user } = (await register({ inviteCode: code })).body;
    expect((await admin("GET", `users/${user.id}`)).body).toMatchObject({ planId: usual, quota });
  });

  test("alone lets somebody register where the codes of accounts do not", async () => {
    await set("invitation");
    const self = await server().api<{ inviteCode: string }>(
      "GET",
      "/api/user/self",
      await server().adminToken(),
    );
    expect(await register({ inviteCode: self.body.inviteCode })).toMatchObject(refused);
    expect((await register()).status).toBe(403);
    expect((await register({ inviteCode: (await invite()).code })).status).toBe(201);
  });

  test("is not used up by a registration that fails", async () => {
    await set("invited");
    const { id, code } = await invite();
    const taken = await signUpWith(code);
    expect(taken.status).toBe(409);
    expect(await found(id)).toMatchObject({ usedCount: 0 });
    expect((await register({ inviteCode: code })).status).toBe(201);
  });

  test("works no more once it has expired or was revoked", async () => {
    await set("invited");
    const soon = await invite({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    const kept = await invite({ expiresAt: "2999-01-01" });
    expect((await register({ inviteCode: soon.code })).status, "before its end").toBe(201);
    const next = await invite({ expiresAt: new Date(Date.now() + 2_000).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await register({ inviteCode: next.code })).toMatchObject(refused);
    expect((await admin("DELETE", `invitations/${kept.id}`)).status).toBe(204);
    expect(await register({ inviteCode: kept.code })).toMatchObject(refused);
    expect(await found(kept.id)).toBeUndefined();
    expect((await admin("DELETE", `invitations/${kept.id}`)).status).toBe(404);
    const audit = await admin("GET", `audit?targetId=${kept.id}&action=invitation.revoke`);
    expect(audit.body).toMatchObject({ data: [{ before: { maxUses: 1, usedCount: 0 }, after: null }] });
  });

  test("counts where anybody may register, gives no reward, and lets nobody in while registration is closed", async () => {
    const { id, code } = await invite({ maxUses: 3 });
    await set("open");
    const { body } = await register({ inviteCode: code });
    expect((await admin("GET", `users/${body.user.id}`)).body).toMatchObject({ invitedBy: null });
    expect(await found(id)).toMatchObject({ usedCount: 1 });
    await set("closed");
    expect(await register({ inviteCode: code })).toMatchObject({
      status: 403,
      body: { error: { reason: "registration_closed" } },
    });
    expect(await found(id)).toMatchObject({ usedCount: 1 });
    await set("open");
  });

  test.each([
    [{ maxUses: 0 }, "maxUses"],
    [{ maxUses: 1_001 }, "maxUses"],
    [{ maxUses: null }, "maxUses"],
    [{ note: "n".repeat(101) }, "note"],
    [{ expiresAt: "2020-01-01" }, "expiresAt"],
    [{ code: "mine" }, "code"],
    [{ planId: 12_345 }, "planId"],
    [{ quotaCents: -1 }, "quotaCents"],
  ])("%j is refused", async (fields, field) => {
    const { status, body } = await admin<ApiError>("POST", "invitations", fields);
    expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, [field]]);
  });

  test("is for admins to list, make and revoke; at most 200 are kept", async () => {
    const { token } = await signUp(server());
    const { id } = await invite();
    const as = async (method: string, path: string, body?: unknown) =>
      (await server().api(method, `/api/admin/${path}`, token, body)).status;
    expect(await as("GET", "invitations")).toBe(403);
    expect(await as("POST", "invitations", {})).toBe(403);
    expect(await as("DELETE", `invitations/${id}`)).toBe(403);
    for (let count = (await listed()).length; count < 200; count += 1) await invite();
    expect((await admin("POST", "invitations", {})).status).toBe(409);
    for (const one of await listed()) await admin("DELETE", `invitations/${one.id}`);
    expect(await listed()).toEqual([]);
  });
});

/** Registers with a name that is taken. */
async function signUpWith(inviteCode: string) {
  const username = freshName();
  expect((await admin("POST", "users", { username, password: "secret-password" })).status).toBe(201);
  return register({ username, inviteCode });
}
