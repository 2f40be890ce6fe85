import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";

const nodes = ["chat", "messages", "responses"] as const;
const gateway = gatewayFor({
  models: nodes.map((node) => ({ alias: `on-${node}`, routes: [[node, "sim-a"]] })),
});

/** Source: docs/protocols.md#s13-4. */
describe.each(nodes)("a message thread on a %s node", (node) => {
  const model = `on-${node}`;
  const client = async () =>
    new Anthropic({ baseURL: gateway.server.url, apiKey: (await gateway.key()).key, maxRetries: 0 });

  test("is refused with the SDK's own error", async () => {
    const anthropic = await client();
    const asked = anthropic.beta.messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: "user", content: "hi" }],
      thread: { type: "create" },
    });
    await expect(asked).rejects.toBeInstanceOf(Anthropic.ThreadUnsupportedRequestError);
    await expect(asked).rejects.toMatchObject({
      status: 400,
      errorCode: "thread_unsupported_request",
      details: { error_code: "thread_unsupported_request" },
    });
  });

  test.each([false, true])(
    "does not stop the tool runner (streamed: %s), which sends the whole conversation",
    async (stream) => {
      const anthropic = await client();
      const asked: unknown[] = [];
      const weather = betaTool({
        name: "get_weather",
        description: "The weather of a city.",
        inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        run: (input) => {
          asked.push(input);
          return "18 degrees";
        },
      });
      const messages = [{ role: "user" as const, content: "What is the weather in Paris and Tokyo?" }];
      const runner = anthropic.beta.messages.toolRunner({
        model,
        max_tokens: 300,
        messages,
        tools: [weather],
        stream,
      });
      const last = await runner.runUntilDone();
      expect(asked.length).toBeGreaterThan(0);
      expect(last.stop_reason).toBe("end_turn");
      expect(JSON.stringify(last.content)).toContain("18 degrees");
    },
  );
});
