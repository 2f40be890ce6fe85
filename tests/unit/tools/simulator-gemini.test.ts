import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { nodeAdapters } from "@/lib/protocols/registry";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { type Simulator, startSimulator } from "@/tools/simulator/server";

let provider: Simulator;

beforeAll(async () => {
  provider = await startSimulator({ port: 0 });
});
afterAll(() => provider.close());

async function post(method: string, body: JsonObject): Promise<Response> {
  return fetch(`${provider.url}/v1beta/models/sim-gemini:${method}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
}

const { decoder, decodeWhole } = nodeAdapters.gemini;

async function whole(body: JsonObject): Promise<GenerationEvent[]> {
  return decodeWhole(await (await post("generateContent", body)).json(), { id: "own" });
}

async function streamed(body: JsonObject): Promise<GenerationEvent[]> {
  const text = await (await post("streamGenerateContent?alt=sse", body)).text();
  const reader = decoder({ id: "own" });
  const sse = new SseDecoder();
  const frames = [...sse.push(Buffer.from(text)), ...sse.end()];
  return [...frames.flatMap((frame) => reader.push(frame)), ...reader.end()];
}

/** Ids come from the whole request, of which the method is a part. */
function meaningOf(events: readonly GenerationEvent[]) {
  const said = (type: "text" | "reasoning" | "tool_args") =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  return {
    texts: [said("reasoning"), said("text"), said("tool_args")],
    calls: events.flatMap((event) => (event.type === "tool_open" ? [event.name] : [])),
    signatures: events.filter(({ type }) => type === "reasoning_opaque").length,
    finish: events.find(({ type }) => type === "finish"),
    usage: events.findLast(({ type }) => type === "usage"),
  };
}

const functionDeclarations = [
  {
    name: "get_weather",
    parametersJsonSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];
const ask = (text: string, more: JsonObject = {}) => ({
  contents: [{ role: "user", parts: [{ text }] }],
  ...more,
});

describe("the simulated provider speaks Gemini:", () => {
  test.each([
    ["text", ask("Tell me something"), "end"],
    ["a call", ask("What is the weather in Oslo?", { tools: [{ functionDeclarations }] }), "tool_use"],
    ["thoughts", ask("Think", { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH" } } }), "end"],
    ["a cut text", ask("Tell me something", { generationConfig: { maxOutputTokens: 5 } }), "length"],
  ])("streamed and whole are the same: %s", async (_, body, reason) => {
    const meaning = meaningOf(await whole(body));
    expect(meaningOf(await streamed(body))).toEqual(meaning);
    expect(meaning).toMatchObject({ finish: { reason }, signatures: reason === "tool_use" ? 1 : 0 });
  });

  test("an answer says what a tool told, and counts are the same before and after", async () => {
    const body = {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "What is the weather in Oslo?" }] },
        { role: "model", parts: [{ functionCall: { name: "get_weather", args: { city: "Oslo" } } }] },
        {
          role: "user",
          parts: [{ functionResponse: { name: "get_weather", response: { output: "Rain" } } }],
        },
      ],
      tools: [{ functionDeclarations }],
    };
    const { texts, usage } = meaningOf(await whole(body));
    expect(texts.join()).toContain("Rain");
    const count = await (await post("countTokens", { generateContentRequest: body })).json();
    expect(usage).toMatchObject({ usage: { inputUncached: count.totalTokens } });
  });

  test("refuses what Google refuses", async () => {
    const refused = await post("generateContent", { contents: [] });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { status: "INVALID_ARGUMENT" } },
    ]);
  });
});
