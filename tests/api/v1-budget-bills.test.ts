import { describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, reconcile } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { rulesOf } from "../support/rules-by-sql";
import type { TestUser } from "../support/server";

const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

const CENT = 1_000_000n;
const CHAT = "/v1/chat/completions";

/** Source: docs/budgets.md#windows. */
describe.skipIf(without !== "")(`what rules are charged${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    models: [
      { alias: "long", routes: [["chat", "sim-usage-1-50"]], prices: { input: 0, output: 1_000_000 } },
      { alias: "wide", routes: [["chat", "sim-usage-1000-1"]], prices: { input: 1_000_000, output: 0 } },
      { alias: "slow", routes: [["chat", "sim-first-5000ms"]], prices: { input: 0, output: 1_000_000 } },
      { alias: "broken", routes: [["chat", "sim-500"]], prices: { input: 0, output: 1_000_000 } },
      { alias: "cut", routes: [["chat-b", "sim-cut-after-3"]], prices: { input: 0, output: 1_000_000 } },
    ],
  });
  const rules = rulesOf(gateway);

  const call = (user: TestUser, model: string, fields = {}) =>
    gateway.server.gateway(CHAT, user.key, chatBody(model, { max_tokens: 5, ...fields }));

  async function overrunCents(): Promise<number> {
    const metrics = await (await fetch(`${gateway.server.url}/metrics`)).text();
    return Number(/^tollgate_budget_overrun_total\{unit="money"\} (\S+)/m.exec(metrics)?.[1] ?? 0);
  }

  /** Source: docs/contract.md#b7. */
  test("is of ten times the output that was allowed at most 1.05 times it, so a hard rule is not passed", async () => {
    const user = await gateway.key();
    const rule = await rules.make({ of: user.keyId, limit: 5n * CENT, mode: "hard" });
    expect((await call(user, "long")).status).toBe(200);
    expect(await rules.windows(rule)).toMatchObject([{ used: String(5n * CENT), held: "0" }]);
    expect((await call(user, "long")).status).toBe(402);
    expect(await overrunCents()).toBe(0);
  });

  test("is of many times the estimated input all of it; what passes the rule is counted, and the next is refused", async () => {
    const user = await gateway.key();
    const rule = await rules.make({ of: user.keyId, limit: 500n * CENT, mode: "hard" });
    expect((await call(user, "wide")).status).toBe(200);
    expect(await rules.windows(rule)).toMatchObject([{ used: String(1_000n * CENT), held: "0" }]);
    expect(await overrunCents()).toBe(500);
    const refused = await call(user, "wide");
    expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([402, "false"]);
    const metrics = await (await fetch(`${gateway.server.url}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_budget_refusals_total\{scope="key",unit="money",mode="hard"\} \d/m);
    expect(metrics).not.toContain("November");
  });

  test("is nothing for requests that fail, break off, or whose client leaves before the answer", async () => {
    const user = await gateway.key();
    const made = await Promise.all([
      rules.make({ of: user.keyId, limit: 100n * CENT }),
      rules.make({ of: user.keyId, limit: 100n, unit: "tokens", mode: "hard" }),
      rules.make({ of: user.keyId, limit: 100n, unit: "requests" }),
    ]);
    const all = async () => (await Promise.all(made.map((rule) => rules.windows(rule)))).flat();
    expect((await call(user, "broken")).status).toBe(502);
    const cut = await call(user, "cut", { stream: true });
    expect(cut.status).toBe(200);
    await cut.text().catch(() => "");
    const leaving = new AbortController();
    const left = fetch(`${gateway.server.url}${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("slow", { max_tokens: 5 })),
      signal: leaving.signal,
    }).catch(() => null);
    await eventually(async () => ((await all()).every(({ held }) => held !== "0") ? true : null));
    leaving.abort();
    await left;
    await eventually(async () => ((await all()).every(({ held }) => held === "0") ? true : null));
    expect(await all()).toEqual(made.map(() => expect.objectContaining({ used: "0", held: "0" })));
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [], openHolds: 0 });
  });
});
