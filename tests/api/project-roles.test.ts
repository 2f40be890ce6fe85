import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "@/lib/api/routes";
import { keyRecord } from "@/lib/api/schemas/keys";
import { listOf } from "@/lib/api/schemas/list-of";
import { logEntry } from "@/lib/api/schemas/logs";
import { stats } from "@/lib/api/schemas/stats";
import { accountServer, type Body, createKey, signUp } from "../support/account-server";
import { addMember, chat, type ProjectPeople, projectKey, projectOfPeople } from "../support/projects";

const server = accountServer();
const roles = ["payer", "owner", "member", "outsider", "admin"] as const;
type Role = (typeof roles)[number];
const makers = ["payer", "owner", "member"] as const;
type Maker = (typeof makers)[number];

/** A key and one request with it. */
interface Called {
  keyId: string;
  requestId: string;
}

interface Rig extends ProjectPeople {
  admin: string;
  /** Keys of the project, by their maker. */
  keys: Record<Maker, Called>;
  /** A key of the payer outside of the project. */
  personal: Called;
}

let rig: Rig;

async function called(made: { apiKey: { id: string }; key: string }): Promise<Called> {
  const answer = await chat(server(), made.key);
  expect(answer.status).toBe(200);
  return { keyId: made.apiKey.id, requestId: answer.headers.get("x-request-id") ?? "" };
}

beforeAll(async () => {
  const people = await projectOfPeople(server());
  const keyOf = async (maker: Maker) =>
    called(await projectKey(server(), people[maker].token, people.id, { name: `of ${maker}` }));
  rig = {
    ...people,
    admin: await server().adminToken(),
    keys: { payer: await keyOf("payer"), owner: await keyOf("owner"), member: await keyOf("member") },
    personal: await called(await createKey(server(), people.payer.token, { name: "personal" })),
  };
});

const tokenOf = (role: Role) => (role === "admin" ? rig.admin : rig[role].token);

async function statusOf(role: Role, [method, path, body]: Call): Promise<number> {
  if (!path.includes("/export")) return (await server().api(method, path, tokenOf(role), body)).status;
  const answer = await fetch(server().url + path, { headers: { authorization: `Bearer ${tokenOf(role)}` } });
  await answer.text();
  return answer.status;
}

type Call = [method: string, path: string, body?: Body];

/** What each role gets. An admin who is no member has the operations of admins, not those of accounts. */
type Expected = Record<Role, number>;
const everybodyIn = (status: number): Expected => ({ ...onlyOwners(status), member: status });
const onlyOwners = (status: number): Expected => ({
  payer: status,
  owner: status,
  member: 403,
  outsider: 404,
  admin: 404,
});
const ownersElse404 = (status: number): Expected => ({ ...onlyOwners(status), member: 404 });
const onlyPayer: Expected = { payer: 200, owner: 404, member: 404, outsider: 404, admin: 404 };

const project = () => `/api/user/projects/${rig.id}`;
const keyPath = (key: Called) => `/api/user/tokens/${key.keyId}`;

/** A member of the project that nobody else in the test needs. */
async function someMember(): Promise<string> {
  const { id, username } = await signUp(server());
  await addMember(server(), rig.payer.token, rig.id, { username, role: "member" });
  return id;
}

/** A fresh key of the project, made by somebody. */
async function someKey(maker: Maker): Promise<string> {
  return (await projectKey(server(), rig[maker].token, rig.id)).apiKey.id;
}

/** Every operation of accounts that touches a key or a project, with what each role gets. */
const matrix: [name: string, call: () => Call | Promise<Call>, expected: Expected][] = [
  ["GET project", () => ["GET", project()], everybodyIn(200)],
  ["PATCH project", () => ["PATCH", project(), { costCentre: "1" }], onlyOwners(200)],
  ["GET members", () => ["GET", `${project()}/members`], everybodyIn(200)],
  [
    "POST member",
    async () => [
      "POST",
      `${project()}/members`,
      { username: (await signUp(server())).username, role: "member" },
    ],
    onlyOwners(201),
  ],
  [
    "PATCH member",
    async () => ["PATCH", `${project()}/members/${await someMember()}`, { role: "member" }],
    onlyOwners(200),
  ],
  [
    "PATCH the payer",
    () => ["PATCH", `${project()}/members/${rig.payer.id}`, { role: "member" }],
    onlyOwners(409),
  ],
  ["DELETE member", async () => ["DELETE", `${project()}/members/${await someMember()}`], onlyOwners(204)],
  [
    "DELETE the payer as member",
    () => ["DELETE", `${project()}/members/${rig.payer.id}`],
    { ...onlyOwners(409) },
  ],
  ["POST key", () => ["POST", "/api/user/tokens", { name: "new", projectId: rig.id }], everybodyIn(201)],
  ["GET key of payer", () => ["GET", keyPath(rig.keys.payer)], ownersElse404(200)],
  ["GET key of owner", () => ["GET", keyPath(rig.keys.owner)], ownersElse404(200)],
  ["GET key of member", () => ["GET", keyPath(rig.keys.member)], everybodyIn(200)],
  ["GET personal key", () => ["GET", keyPath(rig.personal)], onlyPayer],
  ["GET limits of owner's key", () => ["GET", `${keyPath(rig.keys.owner)}/limits`], ownersElse404(200)],
  ["GET limits of member's key", () => ["GET", `${keyPath(rig.keys.member)}/limits`], everybodyIn(200)],
  ["PATCH key of owner", () => ["PATCH", keyPath(rig.keys.owner), { name: "x" }], ownersElse404(200)],
  ["PATCH key of member", () => ["PATCH", keyPath(rig.keys.member), { name: "x" }], everybodyIn(200)],
  ["PATCH personal key", () => ["PATCH", keyPath(rig.personal), { name: "x" }], onlyPayer],
  [
    "DELETE key of owner",
    async () => ["DELETE", `/api/user/tokens/${await someKey("owner")}`],
    ownersElse404(204),
  ],
  [
    "DELETE key of member",
    async () => ["DELETE", `/api/user/tokens/${await someKey("member")}`],
    everybodyIn(204),
  ],
  [
    "GET request of owner's key",
    () => ["GET", `/api/user/logs/${rig.keys.owner.requestId}`],
    ownersElse404(200),
  ],
  [
    "GET request of member's key",
    () => ["GET", `/api/user/logs/${rig.keys.member.requestId}`],
    everybodyIn(200),
  ],
  ["GET request of personal key", () => ["GET", `/api/user/logs/${rig.personal.requestId}`], onlyPayer],
  ...["logs", "logs/values", "logs/volume", "logs/export", "stats"].flatMap((list) => {
    const path = (query: string) => ["GET", `/api/user/${list}?${query}`] as Call;
    const rows: typeof matrix = [
      [`GET ${list} of project`, () => path(`projectId=${rig.id}`), everybodyIn(200)],
      [`GET ${list} of owner's key`, () => path(`tokenId=${rig.keys.owner.keyId}`), ownersElse404(200)],
      [`GET ${list} of member's key`, () => path(`tokenId=${rig.keys.member.keyId}`), everybodyIn(200)],
      [`GET ${list} of personal key`, () => path(`tokenId=${rig.personal.keyId}`), onlyPayer],
      [
        `GET ${list} of the member in the project`,
        () => path(`projectId=${rig.id}&createdBy=${rig.member.id}`),
        everybodyIn(200),
      ],
      [
        `GET ${list} of the owner in the project`,
        () => path(`projectId=${rig.id}&createdBy=${rig.owner.id}`),
        ownersElse404(200),
      ],
    ];
    return rows;
  }),
  ...["key", "member", "project"].map((by): (typeof matrix)[number] => [
    `GET stats of project by ${by}`,
    () => ["GET", `/api/user/stats?projectId=${rig.id}&groupBy=${by}`],
    onlyOwners(200),
  ]),
];

/** Source: docs/projects.md#roles: G-23. */
describe("what each role may do", () => {
  test.each(matrix)("%s", async (_name, call, expected) => {
    const got: Partial<Expected> = {};
    for (const role of roles) got[role] = await statusOf(role, await call());
    expect(got).toEqual(expected);
  });

  test("is tested for every operation of accounts on keys, projects and requests", async () => {
    const paths = await Promise.all(matrix.map(async ([, call]) => await call()));
    const shape = (path: string) => path.replace(/\?.*/, "").replace(/[0-9a-f-]{32,36}/g, "{}");
    const tested = new Set(paths.map(([method, path]) => `${method} ${shape(path)}`));
    const further = [
      "GET /api/user/tokens",
      "GET /api/user/projects",
      "POST /api/user/projects",
      "DELETE /api/user/projects/{}",
    ];
    const wanted = operations
      .filter(({ path, caller }) => caller === "account" && /\/(tokens|projects|logs|stats)/.test(path))
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`);
    expect(wanted.filter((one) => !tested.has(one) && !further.includes(one))).toEqual([]);
  });

  test("lists show each role what it may see", async () => {
    const keysOf = async (role: Role, query = "") => {
      const { body } = await server().api("GET", `/api/user/tokens?pageSize=100${query}`, tokenOf(role));
      return new Set(
        listOf(keyRecord)
          .parse(body)
          .data.map(({ id }) => id),
      );
    };
    const all = [...Object.values(rig.keys), rig.personal].map(({ keyId }) => keyId);
    const seen = async (role: Role, query?: string) => {
      const found = await keysOf(role, query);
      return all.map((id) => found.has(id));
    };
    expect(await seen("payer")).toEqual([true, true, true, true]);
    expect(await seen("owner")).toEqual([true, true, true, false]);
    expect(await seen("member")).toEqual([false, false, true, false]);
    expect(await seen("outsider")).toEqual([false, false, false, false]);
    expect(await seen("admin")).toEqual([false, false, false, false]);
    expect(await seen("payer", `&projectId=${rig.id}`)).toEqual([true, true, true, false]);
    expect(await seen("payer", "&projectId=personal")).toEqual([false, false, false, true]);
    expect(await seen("owner", `&createdBy=${rig.member.id}`)).toEqual([false, false, true, false]);
    expect(await seen("outsider", `&projectId=${rig.id}`)).toEqual([false, false, false, false]);
    for (const role of roles) {
      const { body } = await server().api<{ data: Body[] }>("GET", "/api/user/projects", tokenOf(role));
      expect(body.data).toHaveLength(["outsider", "admin"].includes(role) ? 0 : 1);
    }
  });

  test("logs and their exports show each role the requests that it may see", async () => {
    const requests = [...Object.values(rig.keys), rig.personal].map(({ requestId }) => requestId);
    const seen = async (role: Role, query: string) => {
      const { body } = await server().api("GET", `/api/user/logs?pageSize=100&${query}`, tokenOf(role));
      const found = new Set(
        listOf(logEntry)
          .parse(body)
          .data.map(({ requestId }) => requestId),
      );
      const headers = { authorization: `Bearer ${tokenOf(role)}` };
      const csv = await fetch(`${server().url}/api/user/logs/export?${query}`, { headers });
      const text = await csv.text();
      expect(requests.map((id) => text.includes(id))).toEqual(requests.map((id) => found.has(id)));
      return requests.map((id) => found.has(id));
    };
    expect(await seen("payer", "")).toEqual([true, true, true, true]);
    expect(await seen("owner", "")).toEqual([false, false, false, false]);
    expect(await seen("member", "")).toEqual([false, false, false, false]);
    const inProject = `projectId=${rig.id}`;
    expect(await seen("payer", inProject)).toEqual([true, true, true, false]);
    expect(await seen("owner", inProject)).toEqual([true, true, true, false]);
    expect(await seen("member", inProject)).toEqual([false, false, true, false]);
    expect(await seen("payer", "projectId=personal")).toEqual([false, false, false, true]);
    expect(await seen("payer", `createdBy=${rig.owner.id}`)).toEqual([false, true, false, false]);
    expect(await seen("owner", `${inProject}&createdBy=${rig.payer.id}`)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const admin = async (query: string) => {
      const { body } = await server().api<{ total: number }>("GET", `/api/admin/logs?${query}`, rig.admin);
      return body.total;
    };
    expect(await admin(inProject)).toBe(3);
    expect(await admin(`${inProject}&createdBy=${rig.member.id}`)).toBe(1);
    expect(await admin(`createdBy=${rig.payer.id}`)).toBe(2);
    expect(await admin("projectId=nothing")).toBe(0);
  });

  test("values and volume count what the log shows", async () => {
    const counts = async (role: Role, query: string) => {
      const path = (name: string) => `/api/user/logs/${name}?${query}`;
      const values = await server().api<{ counted: number }>("GET", path("values"), tokenOf(role));
      const volume = await server().api<{ buckets: { requestCount: number }[] }>(
        "GET",
        path("volume"),
        tokenOf(role),
      );
      const total = volume.body.buckets.reduce((sum, { requestCount }) => sum + requestCount, 0);
      return [values.body.counted, total];
    };
    expect(await counts("payer", "")).toEqual([4, 4]);
    expect(await counts("owner", `projectId=${rig.id}`)).toEqual([3, 3]);
    expect(await counts("member", `projectId=${rig.id}`)).toEqual([1, 1]);
    expect(await counts("payer", "projectId=personal")).toEqual([1, 1]);
  });

  test("statistics sum what each role may see, and a member sees the sums of the whole project", async () => {
    const sums = async (role: Role, query: string) => {
      const { body } = await server().api("GET", `/api/user/stats?${query}`, tokenOf(role));
      return stats.parse(body);
    };
    const inProject = `projectId=${rig.id}`;
    for (const role of makers) expect((await sums(role, inProject)).totalRequests).toBe(3);
    const own = await sums("member", `${inProject}&createdBy=${rig.member.id}&groupBy=key`);
    expect(own.groups?.rows.map(({ id }) => id)).toEqual([rig.keys.member.keyId]);
    expect((await sums("payer", "groupBy=project")).groups?.rows).toMatchObject([
      { id: rig.id, name: "Project", requestCount: 3, deleted: false },
      { id: "personal", name: "", requestCount: 1, deleted: false },
    ]);
    const members = (await sums("owner", `${inProject}&groupBy=member`)).groups?.rows ?? [];
    expect(members.map(({ name, requestCount }) => [name, requestCount]).sort()).toEqual(
      makers.map((maker) => [rig[maker].username, 1]).sort(),
    );
    const { body } = await server().api("GET", `/api/admin/stats?${inProject}&groupBy=member`, rig.admin);
    expect(stats.parse(body).totalRequests).toBe(3);
  });

  test("admins have the same on every project, without being members", async () => {
    const path = `/api/admin/projects/${rig.id}`;
    const { username, id: userId } = await signUp(server());
    const calls: [Call, number][] = [
      [["GET", `/api/admin/projects?search=${rig.payer.username}`], 200],
      [["GET", path], 200],
      [["PATCH", path, { costCentre: "77" }], 200],
      [["GET", `${path}/members`], 200],
      [["POST", `${path}/members`, { username, role: "owner" }], 201],
      [["PATCH", `${path}/members/${userId}`, { role: "member" }], 200],
      [["DELETE", `${path}/members/${userId}`], 204],
      [["POST", "/api/admin/projects", { userId, name: "made by an admin" }], 201],
      [["POST", "/api/admin/projects", { userId: rig.id, name: "of nobody" }], 404],
      [["GET", "/api/admin/projects/unknown"], 404],
    ];
    for (const [call, expected] of calls) {
      expect([call, await statusOf("admin", call)]).toEqual([call, expected]);
      if (call[1].includes("?")) continue;
      expect(await statusOf("payer", call)).toBe(403);
    }
    const listed = await server().api<{ data: Body[] }>(
      "GET",
      `/api/admin/projects?search=${rig.payer.username}`,
      rig.admin,
    );
    expect(listed.body.data).toMatchObject([
      { id: rig.id, costCentre: "77", payer: { username: rig.payer.username }, role: null },
    ]);
    expect(Number(listed.body.data[0]?.billed30d)).toBeGreaterThan(0);
  });
});
