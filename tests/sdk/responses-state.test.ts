import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const gateway = gatewayFor({
  models: [
    { alias: "on-chat", routes: [["chat", "sim-usage-120-30"]] },
    { alias: "on-messages", routes: [["messages", "sim-usage-120-30"]] },
  ],
});

let user: TestUser;
let openai: OpenAI;
beforeAll(async () => {
  user = await gateway.server.user();
  openai = new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: user.key, maxRetries: 0 });
});

describe.each(["on-chat", "on-messages"])("state on %s", (model) => {
  test("serves every call that the vendor's SDK has for stored responses", async () => {
    const { responses } = openai;
    const first = await responses.create({ model, input: "Hello" });
    const second = await responses.create({ model, input: "And?", previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect(await responses.retrieve(second.id)).toEqual(second);
    const items = [];
    for await (const item of responses.inputItems.list(second.id)) items.push(item);
    expect(items).toMatchObject([{ type: "message", role: "user", content: "And?" }]);
    const counted = await responses.inputTokens.count({ model, input: "x", previous_response_id: second.id });
    expect(counted.input_tokens).toBeGreaterThan(5);
    const compacted = await responses.compact({ model, previous_response_id: second.id });
    const [item] = compacted.output;
    expect(item?.type).toBe("compaction");
    const input = [
      ...compacted.output,
      { role: "user", content: "Go on." },
    ] as OpenAI.Responses.ResponseInput;
    expect((await responses.create({ model, input })).status).toBe("completed");
    await responses.delete(second.id);
    await expect(responses.retrieve(second.id)).rejects.toThrow(OpenAI.NotFoundError);
    const gone = responses.create({ model, input: "x", previous_response_id: second.id });
    await expect(gone).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
    await expect(responses.cancel(first.id)).rejects.toThrow(OpenAI.BadRequestError);
  });

  test("lets the AI SDK run two turns of its tool loop with store unset, whole and streamed", async () => {
    const weather = tool({
      description: "The weather of a city.",
      inputSchema: jsonSchema<{ city: string }>({
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      }),
      execute: async ({ city }) => `18 degrees in ${city}`,
    });
    const provider = createOpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: user.key });
    const options = {
      model: provider.responses(model),
      tools: { get_weather: weather },
      stopWhen: stepCountIs(4),
      maxRetries: 0,
    };
    const messages: ModelMessage[] = [{ role: "user", content: "What is the weather in Paris and Tokyo?" }];
    const whole = await generateText({ ...options, messages });
    expect(whole.steps).toHaveLength(2);
    expect(whole.text).toContain("“18 degrees in Paris”");
    const again: ModelMessage = { role: "user", content: "What is the weather in Rome?" };
    const second = streamText({ ...options, messages: [...messages, ...whole.response.messages, again] });
    await second.consumeStream();
    expect(await second.finishReason).toBe("stop");
    expect(await second.text).not.toBe("");
  });
});
