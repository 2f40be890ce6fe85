import { describe, expect, test } from "vitest";
import { operations as apiOperations } from "@/lib/api/routes";
import { type ApiError, signUp } from "../support/account-server";
import { catalogRig, fresh } from "../support/catalog-rig";

const { server, admin, makeNode } = catalogRig();
const UNKNOWN_ID = "7b0f8f9e-1111-4222-8333-444455556666";

/** Source: docs/contract.md#query-names. */
describe("a query name that an operation does not take", () => {
  const operations = apiOperations.filter(({ caller }) => caller !== "session");

  test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "is refused by name: %s",
    async (_name, operation) => {
      const { method, path, caller } = operation;
      const filled = path.replace(/\{\w+\}/g, UNKNOWN_ID);
      const token = caller === "public" ? undefined : await server().adminToken();
      const { status, body } = await server().api<ApiError>(
        method.toUpperCase(),
        `${filled}?tokenid=1&misspelt=`,
        token,
        ["get", "delete"].includes(method) ? undefined : {},
      );
      if ("ignoresQuery" in operation) return expect(status).toBe(200);
      expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(Object.keys(body.error.fields ?? {})).toEqual(["tokenid", "misspelt"]);
      expect(body.error.message).toContain("`tokenid` is no query parameter here");
    },
  );

  test("is told with those that it takes", async () => {
    const { token } = await signUp(server());
    const { body } = await server().api<ApiError>("GET", "/api/user/logs?tokenid=1", token);
    expect(body.error.fields?.tokenid?.[0]).toMatch(/: this takes page, pageSize, cursor, .*tokenId/);
  });
});

/** Source: docs/contract.md#query-names. */
describe("a password of nothing but blanks", () => {
  const blanks = [
    "      ",
    "\t\t\t\t\t\t",
    "\u3000\u3000\u3000\u3000\u3000\u3000",
    "\u200b\u200b\u200b \u00a0\u2060",
  ];

  test.each(blanks)("is refused wherever one is set: %j", async (blank) => {
    const person = await signUp(server());
    const refused = async (method: string, path: string, token: string | undefined, body: object) => {
      const answer = await server().api<ApiError>(method, path, token, body);
      return [answer.status, answer.body.error.fields];
    };
    const told = ["must have a character that is not blank"];
    const username = fresh("blank").replace(/\W/g, "");
    expect(await refused("POST", "/api/user/register", undefined, { username, password: blank })).toEqual([
      400,
      { password: told },
    ]);
    const change = { currentPassword: person.password, newPassword: blank };
    expect(await refused("POST", "/api/user/self/password", person.token, change)).toEqual([
      400,
      { newPassword: told },
    ]);
    const boss = await server().adminToken();
    expect(await refused("POST", "/api/admin/users", boss, { username, password: blank })).toEqual([
      400,
      { password: told },
    ]);
    const reset = `/api/admin/users/${person.id}/password`;
    expect(await refused("POST", reset, boss, { newPassword: blank })).toEqual([400, { newPassword: told }]);
  });

  test("is none, and a word with blanks around it is", async () => {
    const username = fresh("spaced").replace(/\W/g, "");
    const answer = await server().api("POST", "/api/user/register", undefined, {
      username,
      password: "  a  b",
    });
    expect(answer.status).toBe(201);
  });
});

/** Source: docs/contract.md#base-urls. */
describe("names of nodes", () => {
  test("differ in more than case, also when two are made or renamed at once", async () => {
    const name = fresh("Node");
    const other = await makeNode();
    const fields = { protocol: "chat", baseUrl: "https://api.example.com/v1" };
    const create = (own: string) => admin<ApiError>("POST", "nodes", { ...fields, name: own });
    const made = await Promise.all([create(name), create(name.toLowerCase()), create(name.toUpperCase())]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [refused] = made.filter(({ status }) => status === 409);
    expect(refused?.body.error.fields).toEqual({ name: ["is the name of another node"] });
    expect((await admin("PATCH", `nodes/${other.id}`, { name: name.toUpperCase() })).status).toBe(409);
    const renamed = await admin("PATCH", `nodes/${other.id}`, { name: String(other.name).toUpperCase() });
    expect(renamed.status, "its own name in another case").toBe(200);
  });

  test("and addresses are checked before a node is made, changed and tested", async () => {
    const node = await makeNode();
    const baseUrl = `${node.baseUrl}/chat/completions`;
    const told = { baseUrl: [expect.stringContaining(`which the gateway adds: ${node.baseUrl}`)] };
    for (const [method, path, body] of [
      ["POST", "nodes", { name: fresh("node"), protocol: "chat", baseUrl }],
      ["PATCH", `nodes/${node.id}`, { baseUrl }],
      ["POST", "nodes/test", { protocol: "chat", baseUrl }],
    ] as const) {
      const answer = await admin<ApiError>(method, path, body);
      expect([path, answer.status, answer.body.error.fields]).toEqual([path, 400, told]);
    }
  });
});
