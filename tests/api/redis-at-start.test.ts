import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { privateRedisSkipReason } from "../support/redis";
import { type RedisServer, startRedisServer } from "../support/redis-servers";
import { discardServer, startServer } from "../support/server";

const PASSWORD = "not-the-right-one";

/** Source: docs/contract.md#redis, docs/contract.md#s9. */
describe.skipIf(privateRedisSkipReason !== null)("a server whose Redis does not do its work at start", () => {
  let secured: RedisServer;
  beforeAll(async () => {
    secured = await startRedisServer(() => ["--requirepass", "right"], { password: "right" });
  });
  afterAll(() => secured.stop());

  test.each([
    [
      "nothing listens",
      async () => `redis://127.0.0.1:${await freePort()}`,
      "cannot be reached (ECONNREFUSED)",
    ],
    [
      "its password is wrong",
      async () => `redis://:${PASSWORD}@127.0.0.1:${secured.port}`,
      "refuses the user or password of REDIS_URL",
    ],
    ["its password is missing", async () => `redis://127.0.0.1:${secured.port}`, "asks for a password"],
  ])("because %s is ready and degraded at once, and says so in one line", async (_, url, sentence) => {
    const server = await startServer({ env: { REDIS_URL: await url(), DEMO_PROVIDER: "1" } });
    const state = await (await fetch(`${server.url}/api/health/ready`)).json();
    expect(state).toEqual({ status: "ready", problems: [], degraded: ["redis"] });
    const { key } = await server.user();
    const asked = { model: "demo-chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
    expect((await server.gateway("/v1/chat/completions", key, asked)).status).toBe(200);
    const lines = server.output.split("\n").filter((line) => /redis/i.test(line) && line.startsWith("{"));
    expect(lines).toEqual([expect.stringContaining(sentence)]);
    expect(server.output).not.toContain(PASSWORD);
    await discardServer(server);
  });
});
