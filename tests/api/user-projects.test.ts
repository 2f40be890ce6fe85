import { describe, expect, test } from "vitest";
import { listOf } from "@/lib/api/schemas/list-of";
import { projectMember } from "@/lib/api/schemas/project-members";
import { projectListed } from "@/lib/api/schemas/project-records";
import { accountServer, type Body, createKey, signUp } from "../support/account-server";
import { addMember, chat, createProject, projectKey, projectOfPeople } from "../support/projects";

const server = accountServer();
const PROJECTS = "/api/user/projects";

const send = async (method: string, path: string, token: string, body?: Body) =>
  (await server().api(method, path, token, body)).status;

const list = async (token: string, query = "") =>
  listOf(projectListed).parse((await server().api("GET", `${PROJECTS}${query}`, token)).body);

async function audited(targetId: string) {
  const path = `/api/admin/audit?targetId=${targetId}&pageSize=50`;
  const { body } = await server().api<{ data: { action: string; after: Body }[] }>(
    "GET",
    path,
    await server().adminToken(),
  );
  return body.data;
}

describe("a project", () => {
  test("is made, shown, changed and archived by its payer, and every write is in the audit", async () => {
    const { token, username, id: payerId } = await signUp(server());
    const made = await createProject(server(), token, { name: "Search", costCentre: "4711" });
    expect(made).toMatchObject({
      name: "Search",
      costCentre: "4711",
      payer: { id: payerId, username },
      role: "owner",
      memberCount: 1,
      keyCount: 0,
      archivedAt: null,
    });
    const changed = await server().api("PATCH", `${PROJECTS}/${made.id}`, token, { name: "Find" });
    expect(changed).toMatchObject({ status: 200, body: { name: "Find", costCentre: "4711" } });
    expect(await send("DELETE", `${PROJECTS}/${made.id}`, token)).toBe(204);
    expect((await list(token)).data).toMatchObject([{ id: made.id, name: "Find", billed30d: "0" }]);
    expect((await list(token, "?status=live")).data).toEqual([]);
    for (const [method, path, body] of [
      ["PATCH", "", { name: "again" }],
      ["DELETE", "", undefined],
      ["POST", "/members", { username, role: "member" }],
    ] as const)
      expect(await send(method, `${PROJECTS}/${made.id}${path}`, token, body)).toBe(409);
    expect((await audited(made.id)).map(({ action }) => action)).toEqual([
      "project.archive",
      "project.update",
      "project.create",
    ]);
  });

  test("has a name that no other live project of its payer has, whatever the case", async () => {
    const { token } = await signUp(server());
    const first = await createProject(server(), token, { name: "Search" });
    const second = await createProject(server(), token, { name: "Other" });
    const taken = await server().api("POST", PROJECTS, token, { name: "sEARCH" });
    expect(taken).toMatchObject({ status: 409, body: { error: { fields: { name: expect.anything() } } } });
    expect(await send("PATCH", `${PROJECTS}/${second.id}`, token, { name: "SEARCH" })).toBe(409);
    expect(await send("DELETE", `${PROJECTS}/${first.id}`, token)).toBe(204);
    expect(await send("PATCH", `${PROJECTS}/${second.id}`, token, { name: "SEARCH" })).toBe(200);
    await createProject(server(), (await signUp(server())).token, { name: "Search" });
  });

  test.each([
    [{}],
    [{ name: "" }],
    [{ name: " " }],
    [{ name: "x".repeat(81) }],
    [{ name: "a", costCentre: "x".repeat(41) }],
    [{ name: "a", costCentre: null }],
    [{ name: "a", userId: "b" }],
  ])("with %j is refused", async (fields: Body) => {
    const { token } = await signUp(server());
    expect(await send("POST", PROJECTS, token, fields)).toBe(400);
  });

  test("that was changed since a form loaded it is not overwritten", async () => {
    const { token } = await signUp(server());
    const { id } = await createProject(server(), token);
    const answer = await fetch(`${server().url}${PROJECTS}/${id}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-loaded": "name=another",
      },
      body: JSON.stringify({ costCentre: "1" }),
    });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { reason: "changed_since", current: { id } } });
  });
});

describe("members", () => {
  test("are added by exact username, once, and listed with the payer first", async () => {
    const { token, username } = await signUp(server());
    const other = await signUp(server());
    const { id } = await createProject(server(), token);
    const path = `${PROJECTS}/${id}/members`;
    expect(await send("POST", path, token, { username: "nobody123", role: "member" })).toBe(400);
    expect(await send("POST", path, token, { username: other.username, role: "boss" })).toBe(400);
    await addMember(server(), token, id, { username: other.username.toUpperCase(), role: "member" });
    expect(await send("POST", path, token, { username: other.username, role: "owner" })).toBe(409);
    const { body } = await server().api("GET", path, other.token);
    expect(listOf(projectMember).parse(body).data).toMatchObject([
      { username, role: "owner", isPayer: true, keyCount: 0 },
      { username: other.username, role: "member", isPayer: false },
    ]);
    expect((await list(other.token)).data).toMatchObject([{ id, role: "member", memberCount: 2 }]);
  });

  test("change their role, but not the payer, who cannot leave either", async () => {
    const { id, payer, owner, member } = await projectOfPeople(server());
    const path = `${PROJECTS}/${id}/members`;
    expect(await send("PUT", `${path}/${member.id}`, owner.token, { role: "owner" })).toBe(200);
    expect(await send("PUT", `${path}/${member.id}`, owner.token, { role: "member" })).toBe(200);
    expect(await send("PUT", `${path}/${payer.id}`, owner.token, { role: "member" })).toBe(409);
    expect(await send("DELETE", `${path}/${payer.id}`, owner.token)).toBe(409);
    expect(await send("DELETE", `${path}/${payer.id}`, payer.token)).toBe(409);
    expect((await audited(id)).map(({ action }) => action).slice(0, 3)).toEqual([
      "member.update",
      "member.update",
      "member.add",
    ]);
  });
});

/** Source: docs/projects.md#keys. */
describe("a key of a project", () => {
  test("belongs to the payer, whose quota it spends, and tells project and maker", async () => {
    const { id, payer, member } = await projectOfPeople(server());
    const { apiKey, key } = await projectKey(server(), member.token, id);
    expect(apiKey).toMatchObject({ projectId: id, createdBy: member.id });
    const answer = await chat(server(), key);
    expect(answer.status).toBe(200);
    const cost = answer.headers.get("x-tollgate-cost");
    const used = async (token: string) =>
      (await server().api<{ usedExact: string }>("GET", "/api/user/self", token)).body.usedExact;
    expect(await used(payer.token)).toBe(cost);
    expect(await used(member.token)).toBe("0");
    expect((await list(member.token)).data).toMatchObject([{ id, billed30d: cost, keyCount: 1 }]);
    const { body } = await server().api<{ data: Body[] }>("GET", "/api/user/logs", payer.token);
    expect(body.data).toMatchObject([{ tokenId: apiKey.id, cost }]);
  });

  /** Source: docs/projects.md#keys: G-24. */
  test("keeps project and maker for life", async () => {
    const { id, payer } = await projectOfPeople(server());
    const other = await createProject(server(), payer.token, { name: "other" });
    const { apiKey } = await projectKey(server(), payer.token, id);
    const path = `/api/user/tokens/${apiKey.id}`;
    for (const fields of [{ projectId: other.id }, { projectId: null }, { createdBy: payer.id }])
      expect(await send("PATCH", path, payer.token, fields)).toBe(400);
    expect((await server().api("GET", path, payer.token)).body).toEqual(apiKey);
  });

  test("has the payer's plan, its choice of plans and its number of keys", async () => {
    const { id, payer, member } = await projectOfPeople(server());
    const admin = await server().adminToken();
    const limits = { limitOverrides: { keys: 1 }, planId: 4 };
    expect(await send("PATCH", `/api/admin/users/${payer.id}`, admin, limits)).toBe(200);
    expect(await send("POST", "/api/user/tokens", member.token, { name: "own", planId: 4 })).toBe(403);
    const { apiKey } = await projectKey(server(), member.token, id);
    expect(apiKey.planId).toBe(4);
    const refused = { name: "second", projectId: id };
    expect(await send("POST", "/api/user/tokens", member.token, refused)).toBe(409);
    await createKey(server(), member.token);
    expect(await send("PATCH", `/api/user/tokens/${apiKey.id}`, member.token, { planId: 4 })).toBe(200);
    const shown = await server().api("GET", `/api/user/tokens/${apiKey.id}/limits`, member.token);
    expect(shown.body).toMatchObject({ plan: { id: 4 }, account: { keys: { limit: 1, used: 1 } } });
  });
});

/** Source: docs/projects.md#end: G-23. */
describe("keys of a project end", () => {
  const status = async (key: string) => (await chat(server(), key)).status;

  test("with the next call when their maker is removed, unless an owner keeps them", async () => {
    const { id, payer, owner, member } = await projectOfPeople(server());
    const ofMember = await projectKey(server(), member.token, id);
    const ofOwner = await projectKey(server(), owner.token, id);
    const ofPayer = await projectKey(server(), payer.token, id);
    for (const { key } of [ofMember, ofOwner, ofPayer]) expect(await status(key)).toBe(200);
    const path = `${PROJECTS}/${id}/members`;
    expect(await send("DELETE", `${path}/${member.id}?keys=keep`, member.token)).toBe(403);
    expect(await send("DELETE", `${path}/${member.id}`, payer.token)).toBe(204);
    expect(await status(ofMember.key)).toBe(401);
    expect(await send("DELETE", `${path}/${owner.id}?keys=keep`, payer.token)).toBe(204);
    expect(await status(ofOwner.key)).toBe(200);
    expect(await status(ofPayer.key)).toBe(200);
    expect(await send("GET", `/api/user/tokens/${ofOwner.apiKey.id}`, owner.token)).toBe(404);
    expect((await audited(id)).slice(0, 2)).toMatchObject([
      { action: "member.remove", after: { keys: "keep", disabledKeys: [] } },
      { action: "member.remove", after: { keys: "disable", disabledKeys: [ofMember.apiKey.id] } },
    ]);
  });

  test("when a member leaves", async () => {
    const { id, member } = await projectOfPeople(server());
    const { key } = await projectKey(server(), member.token, id);
    expect(await status(key)).toBe(200);
    expect(await send("DELETE", `${PROJECTS}/${id}/members/${member.id}`, member.token)).toBe(204);
    expect(await status(key)).toBe(401);
    expect(await send("GET", `${PROJECTS}/${id}`, member.token)).toBe(404);
  });

  test("blocked, when an admin suspends or deletes their maker; kept ones of former members go on", async () => {
    const { id, payer, owner, member } = await projectOfPeople(server());
    const admin = await server().adminToken();
    const ofMember = await projectKey(server(), member.token, id);
    const ofOwner = await projectKey(server(), owner.token, id);
    const former = await signUp(server());
    await addMember(server(), payer.token, id, { username: former.username, role: "member" });
    const kept = await projectKey(server(), former.token, id);
    expect(await send("DELETE", `${PROJECTS}/${id}/members/${former.id}?keys=keep`, payer.token)).toBe(204);
    for (const { key } of [ofMember, ofOwner, kept]) expect(await status(key)).toBe(200);
    const suspend = { status: "suspended" };
    expect(await send("PATCH", `/api/admin/users/${member.id}`, admin, suspend)).toBe(200);
    expect(await status(ofMember.key)).toBe(401);
    expect(await send("DELETE", `/api/admin/users/${owner.id}`, admin)).toBe(204);
    expect(await status(ofOwner.key)).toBe(401);
    expect(await send("PATCH", `/api/admin/users/${former.id}`, admin, suspend)).toBe(200);
    expect(await status(kept.key)).toBe(200);
    for (const { apiKey } of [ofMember, ofOwner]) {
      const path = `/api/user/tokens/${apiKey.id}`;
      expect((await server().api("GET", path, payer.token)).body).toMatchObject({ blocked: true });
      expect(await send("PATCH", path, payer.token, { status: "active" })).toBe(409);
      expect((await audited(apiKey.id))[0]).toMatchObject({ action: "key.update", after: { blocked: true } });
    }
    expect(await send("PATCH", `/api/admin/users/${member.id}`, admin, { status: "active" })).toBe(200);
    expect(await send("GET", `${PROJECTS}/${id}`, member.token)).toBe(401);
    const members = listOf(projectMember).parse(
      (await server().api("GET", `${PROJECTS}/${id}/members`, payer.token)).body,
    );
    expect(members.data.map((one) => one.username).sort()).toEqual([payer.username, member.username].sort());
  });

  test("disabled, when their maker deletes the own account", async () => {
    const { id, payer, member } = await projectOfPeople(server());
    const { apiKey, key } = await projectKey(server(), member.token, id);
    expect(await status(key)).toBe(200);
    const self = { password: member.password };
    expect(await send("DELETE", "/api/user/self", member.token, self)).toBe(204);
    expect(await status(key)).toBe(401);
    const shown = await server().api("GET", `/api/user/tokens/${apiKey.id}`, payer.token);
    expect(shown.body).toMatchObject({ status: "disabled", blocked: false, createdBy: member.id });
    expect((await audited(apiKey.id))[0]).toMatchObject({ action: "key.update" });
  });

  test("deleted, with the project or with its payer, whose projects are archived", async () => {
    const { id, payer, owner, member } = await projectOfPeople(server());
    const second = await createProject(server(), payer.token, { name: "second" });
    await addMember(server(), payer.token, second.id, { username: member.username, role: "member" });
    const inFirst = await projectKey(server(), member.token, id);
    const inSecond = await projectKey(server(), member.token, second.id);
    const personal = await createKey(server(), member.token);
    expect(await status(inFirst.key)).toBe(200);
    expect(await status(inSecond.key)).toBe(200);
    expect(await send("DELETE", `${PROJECTS}/${id}`, owner.token)).toBe(204);
    expect(await status(inFirst.key)).toBe(401);
    expect(await send("GET", `/api/user/tokens/${inFirst.apiKey.id}`, payer.token)).toBe(404);
    expect(await send("POST", "/api/user/tokens", member.token, { name: "k", projectId: id })).toBe(409);
    const admin = await server().adminToken();
    expect(await send("DELETE", `/api/admin/users/${payer.id}`, admin)).toBe(204);
    expect(await status(inSecond.key)).toBe(401);
    expect(await status(personal.key)).toBe(200);
    const shown = await server().api("GET", `${PROJECTS}/${second.id}`, member.token);
    expect(shown.body).toMatchObject({ role: "member", archivedAt: expect.any(String) });
    expect((await audited(second.id))[0]).toMatchObject({ action: "project.archive" });
  });

  test("all of them, however often keys are made while their maker is removed", async () => {
    const { id, payer, member } = await projectOfPeople(server());
    const making = Array.from({ length: 6 }, (_, index) =>
      server().api<{ key: string }>("POST", "/api/user/tokens", member.token, {
        name: `k${index}`,
        projectId: id,
      }),
    );
    const removal = send("DELETE", `${PROJECTS}/${id}/members/${member.id}`, payer.token);
    const made = await Promise.all(making);
    expect(await removal).toBe(204);
    for (const { status: answer, body } of made) {
      // On a busy machine a call may wait too long for its turn.
      expect([201, 404, 503]).toContain(answer);
      if (answer === 201) expect(await status(body.key)).toBe(401);
    }
  });
});
