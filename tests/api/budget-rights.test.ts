import { beforeAll, describe, expect, test } from "vitest";
import { accountServer, type Body } from "../support/account-server";
import { addMember, type ProjectPeople, projectKey, projectOfPeople } from "../support/projects";

const server = accountServer();
const roles = ["payer", "owner", "member", "outsider"] as const;
type Role = (typeof roles)[number];

interface Rule extends Body {
  id: string;
  mayChange: boolean;
}

/** Who may make and see budgets of projects and of their keys. Source: docs/budgets.md#operations, docs/projects.md#roles. */
describe("budgets of a project", () => {
  let people: ProjectPeople;
  let keys: { owner: string; member: string };

  beforeAll(async () => {
    people = await projectOfPeople(server());
    const keyOf = async (role: "owner" | "member") =>
      (await projectKey(server(), people[role].token, people.id)).apiKey.id;
    keys = { owner: await keyOf("owner"), member: await keyOf("member") };
  });

  const ask = <Answer = Rule>(role: Role, method: string, path: string, body?: Body) =>
    server().api<Answer>(method, `/api/user/budgets${path}`, people[role].token, body);

  const rule = (fields: Body) => ({
    name: "Rule",
    unit: "money",
    period: "month",
    limit: 100_000,
    ...fields,
  });

  /** The status that each role gets; what was made ends at once. */
  async function made(fields: Body): Promise<Record<string, number>> {
    const got: Record<string, number> = {};
    for (const role of roles) {
      const { status, body } = await ask(role, "POST", "", rule(fields));
      got[role] = status;
      if (status === 201) expect((await ask(role, "DELETE", `/${body.id}`)).status).toBe(204);
    }
    return got;
  }

  test("owners make those of the project, whoever may change a key those of the key", async () => {
    const owners = { payer: 201, owner: 201, member: 400, outsider: 400 };
    expect(await made({ scope: "project", projectId: people.id })).toEqual(owners);
    expect(await made({ scope: "project", projectId: people.id, each: "member" })).toEqual(owners);
    expect(await made({ scope: "key", tokenId: keys.owner })).toEqual(owners);
    expect(await made({ scope: "key", tokenId: keys.member })).toEqual({ ...owners, member: 201 });
  });

  test("members see those of the project, and of keys only their own", async () => {
    const ofProject = await ask("owner", "POST", "", rule({ scope: "project", projectId: people.id }));
    const ofKeys = [
      await ask("owner", "POST", "", rule({ scope: "key", tokenId: keys.owner })),
      await ask("owner", "POST", "", rule({ scope: "key", tokenId: keys.member })),
    ];
    const rules = [ofProject, ...ofKeys].map(({ body }) => body.id);
    const seen: Record<string, unknown> = {};
    for (const role of roles) {
      const answers = await Promise.all(rules.map((id) => ask(role, "GET", `/${id}`)));
      seen[role] = answers.map(({ status, body }) => (status === 200 ? body.mayChange : status));
      const listed = await ask<{ data: Rule[] }>(role, "GET", "");
      expect(rules.filter((id) => listed.body.data.some((one) => one.id === id))).toEqual(
        rules.filter((_, index) => answers[index]?.status === 200),
      );
    }
    expect(seen).toEqual({
      payer: [true, true, true],
      owner: [true, true, true],
      member: [false, 404, true],
      outsider: [404, 404, 404],
    });
    for (const id of rules) expect((await ask("payer", "DELETE", `/${id}`)).status).toBe(204);
  });

  test("who has left sees and changes nothing of it, not even of the own keys that are kept", async () => {
    const leaver = people.outsider;
    await addMember(server(), people.payer.token, people.id, { username: leaver.username, role: "member" });
    const { apiKey } = await projectKey(server(), leaver.token, people.id);
    const own = await ask("outsider", "POST", "", rule({ scope: "key", tokenId: apiKey.id }));
    expect(own.status).toBe(201);
    const left = `/api/user/projects/${people.id}/members/${leaver.id}?keys=keep`;
    expect((await server().api("DELETE", left, people.payer.token)).status).toBe(204);
    expect((await ask("outsider", "GET", `/${own.body.id}`)).status).toBe(404);
    expect((await ask("outsider", "PATCH", `/${own.body.id}`, { limit: 1 })).status).toBe(404);
    expect((await ask("outsider", "POST", "", rule({ scope: "key", tokenId: apiKey.id }))).status).toBe(400);
    const met = await ask<{ data: Rule[] }>("outsider", "GET", `?tokenId=${apiKey.id}`);
    expect(met.body.data).toEqual([]);
    expect((await ask("owner", "DELETE", `/${own.body.id}`)).status).toBe(204);
  });

  test("asked for a key, a budget with a counter for each tells that of the key or of its maker", async () => {
    const { id: projectId } = people;
    const each = await ask(
      "owner",
      "POST",
      "",
      rule({ scope: "project", projectId, each: "member", limit: 7 }),
    );
    const limitOf = { exceptions: [{ member: people.member.id, limit: 5 }] };
    expect((await ask("owner", "PATCH", `/${each.body.id}`, limitOf)).status).toBe(200);
    const shown = async (tokenId: string) =>
      (await ask<{ data: Rule[] }>("owner", "GET", `?tokenId=${tokenId}`)).body.data;
    expect(await shown(keys.member)).toMatchObject([{ window: { limit: 5 } }]);
    expect(await shown(keys.owner)).toMatchObject([{ window: { limit: 7 } }]);
    expect((await ask("owner", "DELETE", `/${each.body.id}`)).status).toBe(204);
  });

  test("another limit is for members and for makers of keys, not for any account", async () => {
    const each = await ask(
      "owner",
      "POST",
      "",
      rule({ scope: "project", projectId: people.id, each: "member" }),
    );
    const limitOf = (member: string) =>
      ask("owner", "PATCH", `/${each.body.id}`, { exceptions: [{ member, limit: 5 }] });
    expect((await limitOf(people.member.id)).status).toBe(200);
    expect((await limitOf(people.outsider.id)).status, "made a key that was kept").toBe(200);
    const { body } = await server().api<{ id: string }>("GET", "/api/user/self", await server().adminToken());
    expect(await limitOf(body.id)).toMatchObject({
      status: 400,
      body: {
        error: { fields: { "exceptions.0.member": [expect.stringContaining("member of the project")] } },
      },
    });
    expect((await ask("owner", "DELETE", `/${each.body.id}`)).status).toBe(204);
  });
});
