import { describe, expect, test } from "vitest";
import {
  chatBody,
  eventually,
  gatewayFor,
} from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

/** Source: docs/budgets.md#operations. */
describe("rules by period, made over the API", () => {
  const gateway = gatewayFor({
    models: [{ alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices: { input: 0, output: 1_000_000 } }],
  });
  const ask = (user: TestUser) =>
    gateway.server.gateway("/v1/chat/completions", user.key, { ...chatBody("two-cents"), max_tokens: 5 });
  const own = <T>(user: TestUser, method: string, path: string, body?: unknown) =>
    gateway.server.api<T>(method, `/api/user/${path}`, user.token, body);

  test("smoke", async () => {
    const user = await gateway.server.user();
    console.log((await ask(user)).status);
    const made = await own<Record<string, unknown>>(user, "POST", "budgets", { name: "Mine", scope: "account", unit: "money", period: "month", limit: 10 });
    console.log(JSON.stringify(made));
    console.log(JSON.stringify(await own(user, "GET", "budgets")));
    const id = made.body.id;
    console.log(JSON.stringify(await own(user, "GET", `budgets/${id}/windows`)));
    console.log(JSON.stringify(await own(user, "GET", `budgets/${id}/members`)));
    console.log(JSON.stringify(await own(user, "PATCH", `budgets/${id}`, { limit: 3 })));
    console.log((await ask(user)).status);
    console.log(JSON.stringify(await own(user, "PUT", `budgets/${id}/extra`, { amount: 3 })));
    console.log(JSON.stringify(await own(user, "GET", `budget-preview?scope=account&unit=money&period=total`)));
    console.log(JSON.stringify(await own(user, "DELETE", `budgets/${id}`)));
    console.log(JSON.stringify(await own(user, "GET", "budgets")));
  });
});
