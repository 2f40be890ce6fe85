import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, tool as agentTool, Runner } from "@openai/agents-core";
import { OpenAIProvider } from "@openai/agents-openai";
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { protocolIds } from "@/lib/protocols/protocol";
import { gatewayFor } from "../support/gateway-fixtures";

const QUESTION = "What is the weather in Paris and Tokyo?";
const FURTHER = "And the weather in Rome?";

const gateway = gatewayFor({
  models: protocolIds.map((node) => ({ alias: `on-${node}`, routes: [[node, "sim-usage-120-30"]] })),
});

let key = "";
beforeAll(async () => {
  ({ key } = await gateway.key());
});

function vendorSdk(): OpenAI {
  return new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: key, maxRetries: 0 });
}

const cityOf = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false as const,
};

describe.each(protocolIds)("on a %s node", (node) => {
  const alias = `on-${node}`;

  /** `store` is unset, so that what was said before comes back as references. */
  describe.each(["ai sdk, openai", "ai sdk, open responses"])("the %s", (name) => {
    const options = {
      tools: {
        get_weather: tool({
          description: "The weather of a city.",
          inputSchema: jsonSchema<{ city: string }>(cityOf),
          execute: async ({ city }) => `18 degrees in ${city}`,
        }),
      },
      stopWhen: stepCountIs(4),
      maxRetries: 0,
    };

    function model() {
      const baseURL = `${gateway.server.url}/v1`;
      return name === "ai sdk, openai"
        ? createOpenAI({ baseURL, apiKey: key }).responses(alias)
        : createOpenResponses({ name: "tollgate", url: `${baseURL}/responses`, apiKey: key })(alias);
    }

    test.each(["whole", "streamed"])("runs its tool loop over two turns, %s", async (way) => {
      const messages: ModelMessage[] = [];
      for (const [prompt, cities] of [
        [QUESTION, ["Paris", "Tokyo"]],
        [FURTHER, ["Rome"]],
      ] as const) {
        messages.push({ role: "user", content: prompt });
        const { text, steps, response } = await ask(messages, way === "streamed");
        expect(steps).toBe(2);
        for (const city of cities) expect(text).toContain(`“18 degrees in ${city}”`);
        messages.push(...response);
      }
    });

    async function ask(messages: ModelMessage[], stream: boolean) {
      const request = { ...options, model: model(), messages };
      if (!stream) {
        const { text, steps, response } = await generateText(request);
        return { text, steps: steps.length, response: response.messages };
      }
      const answer = streamText({ ...request, onError: () => {} });
      for await (const part of answer.fullStream) if (part.type === "error") throw part.error;
      const [text, steps, response] = await Promise.all([answer.text, answer.steps, answer.response]);
      return { text, steps: steps.length, response: response.messages };
    }
  });

  describe("the agents' SDK", () => {
    const weather = agentTool({
      name: "get_weather",
      description: "The weather of a city.",
      parameters: cityOf,
      strict: true,
      execute: async (input) => `18 degrees in ${JSON.stringify(input)}`,
    });

    test.each(["whole", "streamed"])("hands over to an agent, which calls its tool, %s", async (way) => {
      const modelSettings = { toolChoice: "required" as const };
      const expert = new Agent({
        name: "Weather expert",
        handoffDescription: "Knows the weather.",
        instructions: "Tell the weather.",
        model: alias,
        tools: [weather],
        modelSettings,
      });
      const desk = new Agent({
        name: "Front desk",
        instructions: "Find somebody who knows.",
        model: alias,
        handoffs: [expert],
        modelSettings,
      });
      const modelProvider = new OpenAIProvider({ openAIClient: vendorSdk(), useResponses: true });
      const runner = new Runner({ modelProvider, tracingDisabled: true });
      const prompt = "What is the weather in Paris?";
      const result =
        way === "whole" ? await runner.run(desk, prompt) : await runner.run(desk, prompt, { stream: true });
      if ("completed" in result) await result.completed;
      expect(result.lastAgent?.name).toBe("Weather expert");
      expect(result.newItems.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["handoff_call_item", "handoff_output_item", "tool_call_item"]),
      );
      expect(result.finalOutput).toContain("18 degrees in");
      expect(result.finalOutput).toContain("Paris");
    });
  });

  describe("the vendor's SDK", () => {
    test("goes on with a response of which it knows only the id, reads and deletes it", async () => {
      const api = vendorSdk().responses;
      const first = await api.create({ model: alias, input: "My name is Ada." });
      const streamed = api.stream({ model: alias, previous_response_id: first.id, input: "Who am I?" });
      const second = await streamed.finalResponse();
      expect(second.output_text).toContain("“My name is Ada.”");
      expect(second.previous_response_id).toBe(first.id);
      expect((await api.retrieve(first.id)).output_text).toBe(first.output_text);
      await api.delete(first.id);
      await expect(api.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    });
  });
});
