import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { rulesOf } from "../support/rules-by-sql";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";

const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/** Prompt, of that from the cache, and output: requests of coding agents as they were recorded, a quarter of their size. */
const SHAPES = [
  [14_000, 13_200, 160],
  [15_200, 13_900, 320],
  [9_800, 8_300, 1_100],
  [16_400, 15_800, 90],
  [13_100, 12_400, 490],
  [15_900, 14_600, 640],
  [12_200, 11_700, 210],
  [14_800, 12_900, 1_900],
  [11_500, 10_900, 380],
  [15_600, 15_100, 520],
] as const;

/** Cents a million tokens. */
const PRICES = { input: 10_800, cacheWrite: 13_500, cacheRead: 1_080, output: 54_000 };
const MICRO_CENTS_OF = SHAPES.map(
  ([prompt, cached, output]) =>
    (prompt - cached) * PRICES.input + cached * PRICES.cacheRead + output * PRICES.output,
);
const AVERAGE = MICRO_CENTS_OF.reduce((sum, cost) => sum + cost, 0) / SHAPES.length;
const BUDGET = BigInt(Math.round(50 * AVERAGE));

/** As long as the largest prompt by the byte formula. */
const PROMPT = "word ".repeat(12_000);
const AT_ONCE = 20;
const ANSWERS_AFTER_MS = 40;

/** Source: docs/budgets.md#expected. */
describe.skipIf(without !== "")(`a budget of fifty requests of agents, ${AT_ONCE} at once${without}`, () => {
  let upstream: ScriptedUpstream;
  let calls = 0;
  beforeAll(async () => {
    upstream = await startScriptedUpstream((response) => {
      const [prompt, cached, output] = SHAPES[calls % SHAPES.length] ?? SHAPES[0];
      calls += 1;
      const usage = {
        prompt_tokens: prompt,
        completion_tokens: output,
        total_tokens: prompt + output,
        prompt_tokens_details: { cached_tokens: cached },
      };
      const choices = [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }];
      const answer = { id: "c", object: "chat.completion", created: 1, model: "m", choices, usage };
      setTimeout(() => sendJson(response, 200, answer), ANSWERS_AFTER_MS);
    });
  });
  afterAll(() => upstream.close());

  const gateway = gatewayFor({
    database: "postgres",
    nodes: () => [{ name: "agents", url: upstream.url }],
    models: [{ alias: "agent", maxOutputTokens: 32_000, routes: [["agents", "m"]], prices: PRICES }],
  });
  const rules = rulesOf(gateway);

  const ask = (user: TestUser, headers: Record<string, string> = {}) => {
    const messages = [{ role: "user", content: PROMPT }];
    const body = { model: "agent", max_tokens: 32_000, messages };
    return gateway.server.gateway("/v1/chat/completions", user.key, body, headers);
  };

  /** Runs agents until each is refused for good; one that running requests stand in the way of goes on when one has ended. */
  async function workUntilRefused(user: TestUser): Promise<void> {
    let ended = 0;
    let waiting: (() => void)[] = [];
    const agent = async (): Promise<void> => {
      const endedBefore = ended;
      const answer = await ask(user);
      await answer.arrayBuffer();
      if (answer.status === 200) {
        ended += 1;
        for (const wake of waiting) wake();
        waiting = [];
        return agent();
      }
      expect(answer.status).toBe(402);
      if (answer.headers.get("x-should-retry") === "false") return;
      if (ended === endedBefore) await new Promise<void>((resolve) => waiting.push(resolve));
      return agent();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, agent));
  }

  const usedOf = async (rule: string) => {
    const [window] = await rules.windows(rule);
    expect(window?.held).toBe("0");
    return Number(BigInt(window?.used ?? 0)) / Number(BUDGET);
  };

  test("after a restart the averages come from the log", async () => {
    const user = await gateway.server.user();
    for (let n = 0; n < SHAPES.length; n += 1) expect((await ask(user)).status).toBe(200);
    await gateway.server.stop();
    await gateway.server.start();
    await rules.make({ of: user.keyId, limit: BUDGET });
    const { budgets } = await (await ask(user, { "x-tollgate-explain": "1" })).json();
    expect(budgets[0].expected).toBeLessThan(budgets[0].needed / 10);
    expect(budgets[0].expected * 1_000_000).toBeGreaterThan(AVERAGE / 2);
  }, 120_000);

  test("that stops is used up, and passed by little", async () => {
    const user = await gateway.server.user();
    const rule = await rules.make({ of: user.keyId, limit: BUDGET });
    await workUntilRefused(user);
    const used = await usedOf(rule);
    expect(used).toBeGreaterThanOrEqual(0.95);
    expect(used).toBeLessThanOrEqual(1.1);
  }, 120_000);

  test("that is hard is never passed", async () => {
    const user = await gateway.server.user();
    const rule = await rules.make({ of: user.keyId, limit: BUDGET, mode: "hard" });
    await workUntilRefused(user);
    const used = await usedOf(rule);
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThanOrEqual(1);
  }, 120_000);
});
