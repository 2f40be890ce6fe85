import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "@/tools/simulator/server";

let provider: Simulator;
let openai: OpenAI;

beforeAll(async () => {
  provider = await startSimulator({ port: 0 });
  openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "any", maxRetries: 0 });
});
afterAll(() => provider.close());

const weather = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
};
const tools = [{ type: "function" as const, name: "get_weather", parameters: weather, strict: false }];

function ask(input: string | OpenAI.Responses.ResponseInput) {
  return { model: "sim-responses", max_output_tokens: 500, input };
}

/** Ids come from the whole request, of which `stream` is a part; the SDK adds what it has parsed. */
function withoutIds(item: object) {
  const shown = ["type", "status", "name", "arguments", "summary"].map((name) => [
    name,
    Reflect.get(item, name),
  ]);
  const content = "content" in item && Array.isArray(item.content) ? item.content : [];
  return { ...Object.fromEntries(shown), texts: content.map((part) => part.text) };
}

describe("the simulated provider speaks Responses:", () => {
  test.each([
    ["text", ask("Tell me something")],
    ["one tool call", { ...ask("What is the weather in Oslo?"), tools }],
    ["parallel tool calls", { ...ask("Weather in Oslo and Rome, please"), tools }],
    ["reasoning", { ...ask("Think"), reasoning: { effort: "high" as const } }],
    [
      "a search of the provider's own",
      { ...ask("Search for Oslo"), tools: [{ type: "web_search" as const }] },
    ],
    ["a cut text", { ...ask("Tell me something"), max_output_tokens: 5 }],
  ])("streamed and whole are the same: %s", async (_, request) => {
    const { output_text, ...whole } = await openai.responses.create(request);
    const folded = await openai.responses.stream(request).finalResponse();
    expect(folded.output.map(withoutIds)).toEqual(whole.output.map(withoutIds));
    expect(folded.status).toBe(whole.status);
    expect(folded.output_text).toBe(output_text);
    expect(whole.usage?.total_tokens).toBe(
      (whole.usage?.input_tokens ?? 0) + (whole.usage?.output_tokens ?? 0),
    );
  });

  test("runs its own tools as often as the model name says, else those that the prompt is about", async () => {
    const own = [{ type: "web_search" as const }, { type: "image_generation" as const }];
    const typesOf = async (model: string, input: string) => {
      const { output } = await openai.responses.create({ ...ask(input), model, tools: own });
      return output.map(({ type }) => type);
    };
    expect(await typesOf("sim-hosted-2", "Hello")).toEqual([
      "web_search_call",
      "web_search_call",
      "image_generation_call",
      "image_generation_call",
      "message",
    ]);
    expect(await typesOf("sim", "Make an image of Oslo")).toEqual(["image_generation_call", "message"]);
    expect(await typesOf("sim", "Hello")).toEqual(["message"]);
  });

  test("an answer says what it was told, and by which tool", async () => {
    const { output_text } = await openai.responses.create({
      ...ask([
        { role: "developer", content: "Be brief." },
        { role: "user", content: "What is the weather in Oslo?" },
        { type: "function_call", call_id: "c1", name: "get_weather", arguments: '{"city":"Oslo"}' },
        { type: "function_call_output", call_id: "c1", output: "Rain" },
      ]),
      tools,
    });
    for (const part of ["simulated", "Rain", "Be brief."]) expect(output_text).toContain(part);
  });

  test("results must answer a call, and a request must ask something", async () => {
    const orphan = ask([{ type: "function_call_output", call_id: "c1", output: "Rain" }]);
    await expect(openai.responses.create(orphan)).rejects.toMatchObject({ status: 400, param: "input" });
    await expect(openai.responses.create(ask([]))).rejects.toMatchObject({ status: 400, param: "input" });
  });

  test("a stream may break", async () => {
    const broken = openai.responses.stream({ ...ask("Hello"), model: "sim-error-mid-stream" });
    const types: string[] = [];
    for await (const event of broken) types.push(event.type);
    expect(types.at(-1)).toBe("response.failed");
  });
});
