import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor, keyMoney, logEntries, requestIdOf } from "../support/gateway-fixtures";
import { expectFetchRefusal } from "../support/v1-refusal";

const gateway = gatewayFor({
  plans: [{ id: 1, name: "Free", qps: null, rpm: 20, tpm: 40_000, keyQuotaCents: 500, selfService: true }],
  models: [
    { alias: "main", routes: [["chat", "sim-usage-499700-100"]] },
    { alias: "on-chat", routes: [["chat", "sim-a"]] },
    { alias: "on-messages", routes: [["messages", "sim-a"]] },
    { alias: "unreachable", routes: [["refusing", "sim-a"]] },
  ],
});

describe("GET /v1/usage", () => {
  test("shows what the calling key has, has used, holds and has left", async () => {
    const { server } = gateway;
    const key = await gateway.key({ quota: 120 });
    await server.gateway("/v1/chat/completions", key.key, chatBody("main"));
    const answer = await server.gateway("/v1/usage", key.key);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      quota: 120,
      usedQuota: 50,
      held: 0,
      remaining: 70,
      plan: { id: 1, name: "Free" },
      limits: { qps: { limit: null }, rpm: { limit: 20, used: 1 }, tpm: { limit: 40_000 } },
      isValid: true,
      unit: "cents",
    });
  });

  test("tells what the account has stored of Responses calls over all its keys, and its bounds", async () => {
    const { server } = gateway;
    const [one, two] = [await gateway.key(), await gateway.key()];
    const stored = async () => {
      const answer = (await (await server.gateway("/v1/usage", two.key)).json()) as {
        storedResponses: { accountUsed: number };
      };
      return answer.storedResponses;
    };
    const before = await stored();
    expect(before).toMatchObject({ accountLimit: 256 * 1024 ** 2, keyLimit: 64 * 1024 ** 2, unit: "bytes" });
    await (await server.gateway("/v1/responses", one.key, { model: "main", input: "Hello" })).text();
    expect((await stored()).accountUsed).toBeGreaterThan(before.accountUsed + 1_024);
  });
});

describe("GET /v1/usage/{requestId}", () => {
  test("is the receipt of one of the key's own requests, of a stream too", async () => {
    const { server } = gateway;
    const key = await gateway.key();
    const answer = await server.gateway("/v1/messages", key.key, chatBody("main", { stream: true }));
    await answer.text();
    expect(answer.headers.get("x-tollgate-cost")).toBeNull();
    const receipt = await server.gateway(`/v1/usage/${requestIdOf(answer)}`, key.key);
    expect(receipt.status).toBe(200);
    expect(await receipt.json()).toMatchObject({
      requestId: requestIdOf(answer),
      model: "main",
      cost: "50",
      promptTokens: 499_700,
      completionTokens: 100,
      receipt: { total: "50", billed: true },
    });
  });

  test("knows no other key's requests, not even of the same account", async () => {
    const { server } = gateway;
    const [mine, sibling, stranger] = [await gateway.key(), await gateway.key(), await server.user()];
    const answer = await server.gateway("/v1/chat/completions", mine.key, chatBody("main"));
    for (const other of [sibling, stranger]) {
      const refused = await server.gateway(`/v1/usage/${requestIdOf(answer)}`, other.key);
      await expectFetchRefusal(refused, "/v1/usage", "NOT_FOUND");
    }
    for (const id of ["nonsense", "019a0000-0000-7000-8000-000000000000", "..%2F..%2Fapi", "'"]) {
      const refused = await server.gateway(`/v1/usage/${id}`, mine.key);
      await expectFetchRefusal(refused, "/v1/usage", "NOT_FOUND");
    }
  });
});

describe("POST /v1/messages/count_tokens", () => {
  const count = async (body: Record<string, unknown>): Promise<number> => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway("/v1/messages/count_tokens", key.key, body);
    expect(answer.status).toBe(200);
    const { input_tokens: tokens }: { input_tokens: number } = await answer.json();
    expect(Number.isInteger(tokens)).toBe(true);
    return tokens;
  };

  test.each(["on-chat", "on-messages"])(
    "counts system, tools and messages of %s without max_tokens",
    async (model) => {
      const messages = [{ role: "user", content: "How many tokens is this?" }];
      const place = { type: "string", description: "The weather of a place, now. ".repeat(20) };
      const tools = [{ name: "get_weather", input_schema: { type: "object", properties: { place } } }];
      const bare = await count({ model, messages });
      const withSystem = await count({ model, messages, system: "word ".repeat(200) });
      const withTools = await count({ model, messages, tools });
      expect(bare).toBeGreaterThan(3);
      expect(withSystem).toBeGreaterThan(bare + 100);
      expect(withTools).toBeGreaterThan(bare + 30);
    },
  );

  test("answers when no node can be reached", async () => {
    expect(
      await count({ model: "unreachable", messages: [{ role: "user", content: "Hi" }] }),
    ).toBeGreaterThan(0);
  });

  /** Source: docs/reliability.md#r-19. */
  test("is not billed, not logged as a request, and validates what it counts", async () => {
    const { server } = gateway;
    const user = await server.user();
    const good = { model: "on-messages", messages: [{ role: "user", content: "Hi" }] };
    expect((await server.gateway("/v1/messages/count_tokens", user.key, good)).status).toBe(200);
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    expect(await logEntries(server, user)).toEqual([]);
    const bad = await server.gateway("/v1/messages/count_tokens", user.key, { ...good, messages: [] });
    expect((await expectFetchRefusal(bad, "/v1/messages", "INVALID_REQUEST")).param).toBe("messages");
    const unknown = await server.gateway("/v1/messages/count_tokens", user.key, { ...good, model: "none" });
    await expectFetchRefusal(unknown, "/v1/messages", "MODEL_NOT_FOUND");
  });
});
