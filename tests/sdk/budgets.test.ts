import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { eventually, gatewayFor } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { rulesOf } from "../support/rules-by-sql";
import type { TestUser } from "../support/server";

const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

const CENT = 1_000_000n;
const prices = { input: 0, output: 1_000_000 };
const messages = [{ role: "user" as const, content: "Hi" }];

/** Source: docs/budgets.md#refusal. */
describe.skipIf(without !== "")(`a budget that is used up, through the official SDKs${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    models: [
      { alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices },
      { alias: "slow", routes: [["chat", "sim-first-1500ms+usage-1-2"]], prices },
    ],
  });
  const rules = rulesOf(gateway);

  const openai = (user: TestUser, maxRetries = 2) =>
    new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: user.key, maxRetries });
  const anthropic = (user: TestUser) => new Anthropic({ baseURL: gateway.server.url, apiKey: user.key });

  const calls = {
    chat: (user: TestUser) =>
      openai(user).chat.completions.create({ model: "two-cents", max_tokens: 5, messages }),
    messages: (user: TestUser) =>
      anthropic(user).messages.create({ model: "two-cents", max_tokens: 5, messages }),
    responses: (user: TestUser) =>
      openai(user).responses.create({ model: "two-cents", max_output_tokens: 16, input: "Hi", store: false }),
  };

  /** What the SDK throws; it fails when it throws nothing. */
  async function thrownBy(call: Promise<unknown>): Promise<unknown> {
    return call.then(
      () => expect.fail("the call was answered"),
      (error: unknown) => error,
    );
  }

  test.each(["chat", "messages", "responses"] as const)(
    "is its quota error on %s, once, and names scope, limit, use and reset",
    async (path) => {
      const user = await gateway.key();
      const day = await rules.make({ of: user.keyId, limit: 2n * CENT, period: "day", name: "Today" });
      const month = await rules.make({ of: user.keyId, limit: 2n * CENT, name: "November" });
      await calls[path](user);
      const error = await thrownBy(calls[path](user));
      const told =
        path === "messages" ? bodyOfAnthropic(error) : bodyOfOpenai(error, path === "responses" ? 429 : 402);
      expect(told.type).toBe(path === "messages" ? "billing_error" : "insufficient_quota");
      expect(told.message).toMatch(
        /^The budget "November" of this key allows ¥0.02 a month; ¥0.02 are used\. /,
      );
      // Of two that refuse, the one that starts again later.
      expect(told.details.budget).toMatchObject({
        id: month,
        scope: "key",
        limit: "2",
        used: "2",
        held: "0",
      });
      expect(told.details.budget.id).not.toBe(day);
      expect(told.details.budget.resetsAt).toMatch(/-01T00:00:00\+08:00$/);
      expect(await rules.windows(month)).toMatchObject([{ used: String(2n * CENT) }]);
    },
  );

  test("for running requests alone is tried again by itself, and answered", async () => {
    const user = await gateway.key();
    const rule = await rules.make({ of: user.keyId, limit: 30n * CENT, mode: "hard" });
    const running = openai(user).chat.completions.create({ model: "slow", max_tokens: 26, messages });
    await eventually(async () => ((await rules.windows(rule))[0]?.held === String(26n * CENT) ? true : null));
    expect(bodyOfOpenai(await thrownBy(responsesOnce(user)), 429).code).toBe("rate_limit_exceeded");
    const answers = await Promise.all([calls.responses(user), calls.chat(user), calls.messages(user)]);
    expect(answers[0].usage?.output_tokens).toBe(2);
    await running;
    expect(await rules.windows(rule)).toMatchObject([{ used: String(8n * CENT), held: "0" }]);
  });

  const responsesOnce = (user: TestUser) =>
    openai(user, 0).responses.create({
      model: "two-cents",
      max_output_tokens: 16,
      input: "Hi",
      store: false,
    });
});

interface RefusedBudget {
  type: string;
  code: string;
  message: string;
  details: { budget: Record<string, string> };
}

function bodyOfOpenai(error: unknown, status: number): RefusedBudget {
  if (!(error instanceof OpenAI.APIError)) throw error;
  expect(error.status).toBe(status);
  expect(error instanceof OpenAI.RateLimitError).toBe(status === 429);
  return error.error as RefusedBudget; // asserted on by the tests
}

function bodyOfAnthropic(error: unknown): RefusedBudget {
  if (!(error instanceof Anthropic.APIError)) throw error;
  expect(error.status).toBe(402);
  return (error.error as { error: RefusedBudget }).error; // asserted on by the tests
}
