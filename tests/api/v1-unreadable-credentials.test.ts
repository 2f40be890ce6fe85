import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, logEntry, requestIdOf } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";

const database = await postgresServer();

/** Source: docs/clouds.md#failures, #stored. */
describe.skipIf("unavailable" in database)("a node whose credential cannot be read", () => {
  const gateway = gatewayFor({
    database: "postgres",
    nodes: [
      { name: "later", apiKey: "sk-canary-0123456789" },
      { name: "changed", apiKey: "sk-canary-0123456789" },
    ],
    models: ["later", "changed"].map((name) => ({
      alias: `with-${name}`,
      routes: [
        [name, "m", 0],
        ["chat", "m", 1],
      ],
    })),
  });

  test.each([
    ["later", "is of a kind of a later version", "kind_unknown"],
    ["changed", "does not decrypt", "credential_unreadable"],
  ])("%s: it %s, and another node answers", async (name, _, code) => {
    const { server } = gateway;
    const admin = await server.adminToken();
    const sql = postgres(server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
    await sql`UPDATE nodes SET credential_kind = 'aws_next' WHERE name = 'later'`;
    await sql`UPDATE nodes SET credential = decode('00', 'hex') || credential WHERE name = 'changed'`;
    await sql.end();
    const made = { name: `other-${name}`, protocol: "chat", baseUrl: "https://api.openai.com/v1" };
    expect((await server.api("POST", "/api/admin/nodes", admin, made)).status).toBe(201); // reads all nodes again
    const key = await gateway.key();
    const attempts = await eventually(async () => {
      const answer = await server.gateway("/v1/chat/completions", key.key, chatBody(`with-${name}`));
      expect([answer.status, await answer.json()]).toMatchObject([200, { choices: [{}] }]);
      const { body } = await server.api<{ attempts: { node: string }[] }>(
        "GET",
        `/api/admin/logs/${(await logEntry(server, key, requestIdOf(answer))).requestId}`,
        admin,
      );
      return body.attempts.length === 2 ? body.attempts : null;
    });
    expect(attempts).toMatchObject([
      { node: name, result: "credential", access: { code, principal: null } },
      { node: "chat", result: "ok" },
    ]);
    const { body } = await server.api<{ data: { id: string; name: string }[] }>(
      "GET",
      "/api/admin/nodes",
      admin,
    );
    const id = body.data.find((node) => node.name === name)?.id;
    const tested = await server.api("POST", `/api/admin/nodes/${id}/test`, admin, { model: "m" });
    expect(tested).toMatchObject(
      name === "later"
        ? { status: 200, body: { ok: false, problem: "credential", error: expect.stringContaining(code) } }
        : { status: 400, body: { error: { fields: { apiKey: [expect.stringMatching(/decrypted/)] } } } },
    );
  });
});
