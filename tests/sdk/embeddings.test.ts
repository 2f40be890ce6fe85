import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { cosineSimilarity, embed, embedMany } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { costCents, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const PRICE = 130;
const gateway = gatewayFor({
  models: [
    {
      alias: "words",
      kind: "embedding",
      prices: { input: PRICE, output: 0 },
      routes: [["chat", "sim-embedding"]],
    },
    { alias: "talks", routes: [["chat", "sim-a"]] },
  ],
});

const texts = ["the cat sleeps", "the cat sleeps deeply", "invoices are due on Monday"];

let user: TestUser;
let openai: OpenAI;
beforeAll(async () => {
  user = await gateway.server.user();
  openai = new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: user.key, maxRetries: 0 });
});

describe("embeddings of the openai SDK", () => {
  test("are the same in base64, which it asks for itself, and as floats", async () => {
    const encoded = await openai.embeddings.create({ model: "words", input: texts, dimensions: 64 });
    const floats = await openai.embeddings.create({
      model: "words",
      input: texts,
      dimensions: 64,
      encoding_format: "float",
    });
    expect(encoded.model).toBe("words");
    expect(encoded.data.map(({ embedding }) => embedding.length)).toEqual([64, 64, 64]);
    const wanted = floats.data.map(({ embedding }) => embedding.map(Math.fround));
    expect(encoded.data.map(({ embedding }) => [...embedding])).toEqual(wanted);
    expect(encoded.usage).toEqual(floats.usage);
  });

  test("take token ids, one list or several", async () => {
    const one = await openai.embeddings.create({ model: "words", input: [1, 2, 3] });
    const several = await openai.embeddings.create({ model: "words", input: [[1, 2, 3], [4]] });
    expect([one.usage.prompt_tokens, several.usage.prompt_tokens]).toEqual([3, 4]);
    expect(several.data[0]?.embedding).toEqual(one.data[0]?.embedding);
  });

  test("come with their cost, and the wrong model is a BadRequestError that names the endpoint", async () => {
    const before = await keyMoney(gateway.server, user);
    const { data, response } = await openai.embeddings.create({ model: "words", input: "hi" }).withResponse();
    const cost = costCents([[data.usage.prompt_tokens, PRICE]]);
    expect(Number(response.headers.get("x-tollgate-cost"))).toBe(cost);
    const after = await keyMoney(gateway.server, user);
    expect(after.usedQuota).toBeCloseTo(before.usedQuota + cost, 6);
    const wrong = openai.embeddings.create({ model: "talks", input: "hi" });
    await expect(wrong).rejects.toMatchObject({ status: 400, code: "INVALID_REQUEST", param: "model" });
    await expect(wrong).rejects.toThrow(/POST \/v1\/chat\/completions/);
  });
});

describe("embeddings of the AI SDK", () => {
  test.each(["openai", "compatible"])("are read whole and in batches (%s)", async (provider) => {
    const options = { baseURL: `${gateway.server.url}/v1`, apiKey: user.key };
    const model =
      provider === "openai"
        ? createOpenAI(options).textEmbeddingModel("words")
        : createOpenAICompatible({ ...options, name: "tollgate" }).textEmbeddingModel("words");
    const { embeddings, usage } = await embedMany({ model, values: texts, maxRetries: 0 });
    expect(usage.tokens).toBeGreaterThan(0);
    const [cat, sleepingCat, invoice] = embeddings;
    if (!cat || !sleepingCat || !invoice) throw new Error("an embedding is missing");
    expect(cosineSimilarity(cat, sleepingCat)).toBeGreaterThan(cosineSimilarity(cat, invoice));
    const single = await embed({ model, value: texts[0] ?? "", maxRetries: 0 });
    expect(single.embedding).toEqual(cat);
  });
});
