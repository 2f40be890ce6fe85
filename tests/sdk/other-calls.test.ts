import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { guideExamples } from "@/components/docs/examples/examples";
import { guides } from "@/components/docs/examples/guide";
import { dictionaries } from "@/components/i18n/dictionaries";
import { eventually, gatewayFor, keyMoney, logEntries } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const aliases = ["on-chat", "on-messages", "vendor/other:1"];
const gateway = gatewayFor({
  models: [
    { alias: "on-chat", routes: [["chat", "sim-usage-120-30"]] },
    { alias: "on-messages", routes: [["messages", "sim-usage-120-30"]] },
    { alias: "vendor/other:1", routes: [["chat", "sim-a"]] },
    { alias: "long", routes: [["chat", "sim-chunks-100+every-40ms"]] },
    { alias: "cut", routes: [["messages", "sim-cut-after-8"]] },
  ],
});

let user: TestUser;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  const { server } = gateway;
  user = await server.user();
  openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: user.key, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: server.url, apiKey: user.key, maxRetries: 0 });
});

describe("models", () => {
  test("are listed and shown by both vendors' SDKs, over several pages", async () => {
    const seenByOpenAI: string[] = [];
    for await (const model of openai.models.list()) seenByOpenAI.push(model.id);
    const seenByAnthropic: string[] = [];
    for await (const model of anthropic.models.list({ limit: 2 })) seenByAnthropic.push(model.id);
    expect(seenByOpenAI.toSorted()).toEqual([...aliases, "cut", "long"].toSorted());
    expect(seenByAnthropic).toEqual(seenByOpenAI);
    expect(await openai.models.retrieve("vendor/other:1")).toMatchObject({
      id: "vendor/other:1",
      owned_by: "tollgate",
    });
    expect(await anthropic.models.retrieve("vendor/other:1")).toMatchObject({
      id: "vendor/other:1",
      type: "model",
    });
  });
});

test("tokens are counted by the vendor's SDK", async () => {
  const messages = [{ role: "user" as const, content: "How many tokens is this?" }];
  for (const model of ["on-chat", "on-messages"])
    expect((await anthropic.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0);
});

describe("the AI SDK runs its own tool loop", () => {
  const weather = tool({
    description: "The weather of a city.",
    inputSchema: jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    }),
    execute: async ({ city }) => `18 degrees in ${city}`,
  });
  const options = {
    tools: { get_weather: weather },
    stopWhen: stepCountIs(4),
    maxOutputTokens: 300,
    maxRetries: 0,
    prompt: "What is the weather in Paris and Tokyo?",
  };

  test.each(["on-chat", "on-messages"])(
    "to its end on %s, whole and streamed, in both protocols",
    async (alias) => {
      const models = [
        createOpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: user.key }).chat(alias),
        createAnthropic({ baseURL: `${gateway.server.url}/v1`, apiKey: user.key })(alias),
      ];
      for (const model of models) {
        const whole = await generateText({ ...options, model });
        const streamed = streamText({ ...options, model });
        await streamed.consumeStream();
        for (const [text, steps] of [
          [whole.text, whole.steps],
          [await streamed.text, await streamed.steps],
        ] as const) {
          expect(steps).toHaveLength(2);
          expect(text).toContain("“18 degrees in Paris”");
          expect(text).toContain("“18 degrees in Tokyo”");
        }
        expect(whole.totalUsage).toMatchObject({ inputTokens: 240, outputTokens: 60 });
      }
    },
  );
});

describe("a stream", () => {
  test("that the SDK gives up stops being paid for", async () => {
    const stream = await openai.chat.completions.create({
      model: "long",
      max_tokens: 1_000,
      stream: true,
      messages: [{ role: "user", content: "Count." }],
    });
    let chunks = 0;
    for await (const _chunk of stream) {
      chunks += 1;
      if (chunks === 4) break;
    }
    const entry = await eventually(async () => {
      const found = await logEntries(gateway.server, user);
      return found.find(({ model }) => model === "long") ?? null;
    });
    expect(entry).toMatchObject({ status: "cancelled" });
    expect(entry.completionTokens).toBeLessThan(100);
    expect((await keyMoney(gateway.server, user)).held).toBe(0);
  });

  test("that breaks raises an error in both vendors' SDKs instead of ending", async () => {
    const request = { model: "cut", max_tokens: 100, messages: [{ role: "user" as const, content: "Hi" }] };
    await expect(openai.chat.completions.stream(request).finalChatCompletion()).rejects.toThrow(
      OpenAI.APIError,
    );
    await expect(anthropic.messages.stream(request).finalMessage()).rejects.toThrow(Anthropic.APIError);
  });
});

const run = promisify(execFile);
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the guides of the docs", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-guides-"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "photo.png"), Buffer.from(PIXEL, "base64"));
    return () => rmSync(folder, { recursive: true });
  });

  /** What the output has: of curl, and of Node's SDK. */
  const expected = {
    streaming: [/"total_tokens":150[\s\S]*\[DONE\]/, /\n150 tokens/],
    tools: [/"tool_calls":.*"weather"/, /21 degrees in/],
    json: [/"content":"\{\\"city\\"/, /^\S/],
    images: [/This is a simulated answer/, /This is a simulated answer/],
    errors: [/This is a simulated answer/, /This is a simulated answer/],
    limits: [/x-request-id: [\w-]+/i, null],
    protocols: [/"object":"chat\.completion"[\s\S]*"type":"message"[\s\S]*"object":"response"/, null],
    explain: [/"hold/, null],
    keys: [/"apiKey"[\s\S]*"key":"tgw-/, null],
    usage: [/"remaining"/, null],
    failover: [/"attempts":\[\{"n":1/, null],
    money: [/x-tollgate-cost: [\d.]+[\s\S]*"remaining"/i, /cost ¥0\.\d{6}$/m],
  } as const;

  test.each(guides)("have code for %s that runs as it is", async (guide) => {
    const { server } = gateway;

    const env = { ...process.env, TOLLGATE_API_KEY: user.key, TOLLGATE_TOKEN: user.token };
    const options = { cwd: folder, env, timeout: 30_000 };
    const { comments } = dictionaries.en.guide;
    const examples = guideExamples(guide, { baseUrl: server.url, model: "on-chat", comments });
    for (const [client, program, output] of [
      ["curl", ["sh", "-c"], expected[guide][0]],
      ["openai-node", [process.execPath, "--input-type=module", "-e"], expected[guide][1]],
    ] as const) {
      const code = examples.find((example) => example.client === client)?.code;
      if (output === null) expect(code, client).toBeUndefined();
      else {
        const [command, ...before] = program;
        const { stdout } = await run(command, [...before, code ?? ""], options);
        expect(stdout, client).toMatch(output);
      }
    }
  });
});
