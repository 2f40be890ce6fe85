import postgres from "postgres";
import { describe, expect, test } from "vitest";
import type { ApiError, Body } from "../support/account-server";
import { gatewayFor } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/budgets.md#versions. */
describe.skipIf(without !== "")(`beside a process that does not know budgets${without}`, () => {
  const gateway = gatewayFor({ database: "postgres", models: [] });

  test("none is made, and one is as soon as that process has ended", async () => {
    const sql = postgres(gateway.server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
    const user = await gateway.server.user();
    const rule = { name: "Mine", scope: "account", unit: "requests", period: "day", limit: 5 };
    const make = () => gateway.server.api<ApiError & Body>("POST", "/api/user/budgets", user.token, rule);
    await sql`INSERT INTO instances (id) VALUES ('older')`;
    const refused = await make();
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: "CONFLICT", reason: "older_process", message: expect.stringContaining("older version") },
    ]);
    await sql`DELETE FROM instances WHERE id = 'older'`;
    expect((await make()).status).toBe(201);
    await sql.end();
  });
});
