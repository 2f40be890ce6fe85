import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { eventually, gatewayFor, keyMoney, logEntry, requestIdOf } from "../support/gateway-fixtures";

const nodes = ["chat", "messages", "responses", "gemini"] as const;

const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
    { id: 2, name: "Small", qps: null, rpm: 1, tpm: null, keyQuotaCents: 100, selfService: true },
  ],
  nodes: nodes.map((node) => ({ name: `busy-${node}`, protocol: node })),
  models: [
    ...nodes.flatMap((node) => [
      { alias: `on-${node}`, routes: [[node, "sim-echo"]] as [string, string][] },
      { alias: `tools-${node}`, routes: [[node, "sim-chat"]] as [string, string][] },
      { alias: `cut-${node}`, routes: [[node, "sim-cut-after-8"]] as [string, string][] },
      { alias: `busy-${node}`, routes: [[`busy-${node}`, "sim-503"]] as [string, string][] },
    ]),
    { alias: "vendor/good@1.0:b", routes: [["chat", "sim-echo"]] },
    { alias: "vectors", kind: "embedding", routes: [["chat", "sim-embedding"]] },
  ],
});

const question = (text = "Hello you", fields: JsonObject = {}) => ({
  contents: [{ role: "user", parts: [{ text }] }],
  ...fields,
});

/** A call with a key in Google's header. */
async function call(path: string, key: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(gateway.server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-goog-api-key": key, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface Answer {
  candidates: { content: { parts: JsonObject[] }; finishReason?: string }[];
  usageMetadata?: { promptTokenCount: number; candidatesTokenCount: number; totalTokenCount: number };
  modelVersion: string;
}

const textOf = (answers: readonly Answer[]) =>
  answers
    .flatMap(({ candidates }) => candidates[0]?.content.parts.map(({ text }) => text ?? "") ?? [])
    .join("");

const framesOf = (wire: string) =>
  wire.split("\r\n\r\n").flatMap((frame) => (frame.trim() === "" ? [] : [frame.trimStart()]));

/** The error of an answer in Google's form. */
async function errorOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { code: number; status: string; message: string; details: JsonObject[] };
  };
  expect(error.code).toBe(response.status);
  return error;
}

describe.each(nodes)("on a %s node", (node) => {
  test("a whole answer has Google's form and is billed", async () => {
    const user = await gateway.key();
    const response = await call(`/v1beta/models/on-${node}:generateContent`, user.key, question());
    expect(response.status).toBe(200);
    const answer = (await response.json()) as Answer;
    expect(textOf([answer])).toBe("Hello you");
    expect(answer).toMatchObject({
      modelVersion: `on-${node}`,
      candidates: [{ finishReason: "STOP", index: 0 }],
    });
    const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = answer.usageMetadata ?? {};
    expect([candidatesTokenCount > 0, totalTokenCount]).toEqual([
      true,
      promptTokenCount + candidatesTokenCount,
    ]);
    const entry = await logEntry(gateway.server, user, requestIdOf(response));
    expect(entry).toMatchObject({
      status: "success",
      protocol: "gemini",
      model: `on-${node}`,
      stream: false,
    });
    expect(entry.cost).toBe(response.headers.get("x-tollgate-cost"));
  });

  test("a stream is frames of data, and the same as an array", async () => {
    const user = await gateway.key();
    const path = `/v1beta/models/on-${node}:streamGenerateContent`;
    const events = await call(`${path}?alt=sse`, user.key, question());
    expect(events.headers.get("content-type")).toContain("text/event-stream");
    const wire = await events.text();
    expect(wire).toMatch(/^(?:\s*data: \{[^\r\n]*\}\r\n\r\n)+$/);
    const chunks = framesOf(wire).map((frame) => JSON.parse(frame.slice("data: ".length)) as Answer);
    expect(textOf(chunks)).toBe("Hello you");
    expect(chunks.at(-1)?.candidates[0]?.finishReason).toBe("STOP");
    expect(chunks.at(-1)?.usageMetadata?.candidatesTokenCount).toBeGreaterThan(0);
    const array = await call(path, user.key, question());
    expect(array.headers.get("content-type")).toBe("application/json");
    const listed = JSON.parse(await array.text()) as Answer[];
    expect(textOf(listed)).toBe("Hello you");
    expect(listed.at(-1)?.usageMetadata).toEqual(chunks.at(-1)?.usageMetadata);
    await eventually(async () => ((await keyMoney(gateway.server, user)).held === 0 ? true : null));
  });

  test("a loop of calls without ids is answered", async () => {
    const user = await gateway.key();
    const path = `/v1beta/models/tools-${node}:generateContent`;
    const tools = [
      {
        functionDeclarations: [
          {
            name: "weather",
            parametersJsonSchema: { type: "object", properties: { city: { type: "string" } } },
          },
        ],
      },
    ];
    const toolConfig = { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["weather"] } };
    const asked = question("Call weather", { tools, toolConfig });
    const response = await call(path, user.key, asked);
    const first = (await response.json()) as Answer;
    const [part] = first.candidates[0]?.content.parts ?? [];
    expect(part).toMatchObject({ functionCall: { name: "weather" } });
    expect(first.candidates[0]?.finishReason).toBe("STOP");
    for (const withId of [true, false]) {
      const { id, ...functionCall } = (part?.functionCall ?? {}) as JsonObject;
      const own = withId ? { id } : {};
      const contents = [
        ...asked.contents,
        { role: "model", parts: [{ ...part, functionCall: { ...functionCall, ...own } }] },
        {
          role: "user",
          parts: [{ functionResponse: { ...own, name: "weather", response: { output: "21" } } }],
        },
      ];
      const next = await call(path, user.key, { contents, tools });
      const text = await next.text();
      expect([next.status, text]).toEqual([200, expect.stringContaining("21")]);
    }
  });

  test("a stream that breaks ends with one error and a reset connection, and costs nothing", async () => {
    const user = await gateway.key();
    const path = `/v1beta/models/cut-${node}:streamGenerateContent?alt=sse`;
    const response = await call(
      path,
      user.key,
      question("a b c d e f g h i j k l m n o p q r s t u v w x y z"),
    );
    const pieces: string[] = [];
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) pieces.push(decoder.decode(piece as Uint8Array));
    };
    await expect(read()).rejects.toThrow();
    const frames = framesOf(pieces.join(""));
    expect(frames.length).toBeGreaterThan(1);
    expect(frames.filter((frame) => frame.includes('"error"'))).toHaveLength(1);
    expect(JSON.parse(frames.at(-1)?.slice("data: ".length) ?? "")).toMatchObject({
      error: { code: 502, status: "UNAVAILABLE" },
    });
    const entry = await logEntry(gateway.server, user, requestIdOf(response));
    expect(entry).toMatchObject({ status: "interrupted", cost: "0" });
  });

  test("a node that fails is a 503 in Google's words", async () => {
    const { key } = await gateway.key();
    const response = await call(`/v1beta/models/busy-${node}:generateContent`, key, question());
    expect(await errorOf(response)).toMatchObject({ code: 503, status: "UNAVAILABLE" });
  });

  test("tokens are counted without a bill", async () => {
    const user = await gateway.key();
    const path = `/v1beta/models/on-${node}:countTokens`;
    for (const body of [question(), { generateContentRequest: { model: "models/x", ...question() } }]) {
      const response = await call(path, user.key, body);
      expect(response.status).toBe(200);
      const { totalTokens } = (await response.json()) as { totalTokens: number };
      expect(totalTokens).toBeGreaterThan(0);
    }
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  });
});

describe("paths", () => {
  test.each([
    "/v1beta/models/on-chat:generateContent",
    "/v1beta/models/on-chat%3AgenerateContent",
    "/v1/models/on-chat:generateContent",
    "/v1alpha/models/on-chat:generateContent",
    "/v1/v1beta/models/on-chat:generateContent",
    "/v1beta/models/vendor/good@1.0:b:generateContent",
    "/v1beta/models/vendor%2Fgood%401.0%3Ab%3AgenerateContent",
    "/v1beta1/projects/p/locations/us-central1/publishers/google/models/on-chat:generateContent",
    "/v1/publishers/google/models/on-chat:generateContent",
    "/v1beta/models/on-chat:generateContent?unknown=1&$alt=json",
  ])("%s is a generation", async (path) => {
    const { key } = await gateway.key();
    const response = await call(path, key, question());
    expect([response.status, textOf([(await response.json()) as Answer])]).toEqual([200, "Hello you"]);
  });

  test.each([
    ["GET", "/v1beta/files"],
    ["POST", "/upload/v1beta/files"],
    ["GET", "/v1beta/cachedContents/a"],
    ["POST", "/v1beta/models/on-chat:batchGenerateContent"],
  ])("%s %s is a 404 that names what is served", async (method, path) => {
    const { key } = await gateway.key();
    const response = await call(path, key, method === "POST" ? {} : undefined);
    const error = await errorOf(response);
    expect([error.status, response.status]).toEqual(["NOT_FOUND", 404]);
    expect(error.message).toContain("/v1beta/models/{model}:streamGenerateContent");
  });
});

test("another method of a path is a 405", async () => {
  const { key } = await gateway.key();
  const response = await call("/v1beta/models/on-chat:generateContent", key);
  expect([(await errorOf(response)).status, response.headers.get("allow")]).toEqual([
    "UNIMPLEMENTED",
    "POST",
  ]);
});

describe("keys", () => {
  const path = "/v1beta/models/on-chat:generateContent";
  const send = async (search: string, headers: Record<string, string>) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(question()),
    };
    return (await fetch(`${gateway.server.url}${path}${search}`, init)).status;
  };

  test("are taken from Google's header, then a bearer, then the query", async () => {
    const { key } = await gateway.key();
    const bad = `${key}x`;
    expect(await send("", { "x-goog-api-key": key, authorization: `Bearer ${bad}` })).toBe(200);
    expect(await send("", { "x-goog-api-key": bad, authorization: `Bearer ${key}` })).toBe(401);
    expect(await send("", { "x-goog-api-key": "", authorization: `Bearer ${key}` })).toBe(200);
    expect(await send(`?key=${bad}`, { authorization: `Bearer ${key}` })).toBe(200);
    expect(await send(`?alt=json&key=${key}`, {})).toBe(200);
    expect(await send(`?key=${key}`, { "x-goog-api-key": "" })).toBe(200);
    expect(await send(`?key=${bad}`, {})).toBe(401);
    expect(await send("", {})).toBe(401);
  });

  test("of a query open no other path", async () => {
    const { key } = await gateway.key();
    const body = JSON.stringify({ model: "on-chat", messages: [{ role: "user", content: "a" }] });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    expect((await fetch(`${gateway.server.url}/v1/chat/completions?key=${key}`, init)).status).toBe(401);
  });
});

describe("the list of models", () => {
  interface Models {
    models: { name: string; supportedGenerationMethods: string[] }[];
    nextPageToken?: string;
  }

  test("comes in pages", async () => {
    const { key } = await gateway.key();
    const names: string[] = [];
    let token = "";
    do {
      const response = await call(`/v1beta/models?pageSize=5&pageToken=${token}`, key);
      const page = (await response.json()) as Models;
      expect(page.models.length).toBeLessThanOrEqual(5);
      names.push(...page.models.map(({ name }) => name));
      token = page.nextPageToken ?? "";
    } while (token !== "");
    expect(names).toHaveLength(18);
    expect(new Set(names).size).toBe(18);
    expect(names).toContain("models/vendor/good@1.0:b");
    expect((await errorOf(await call("/v1beta/models?pageToken=zzz", key))).status).toBe("INVALID_ARGUMENT");
  });

  test("of one model says what it can", async () => {
    const { key } = await gateway.key();
    const one = await call("/v1beta/models/vendor/good@1.0:b", key);
    expect(await one.json()).toMatchObject({
      name: "models/vendor/good@1.0:b",
      supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
    });
    const vectors = await call("/v1beta/models/vectors", key);
    expect(await vectors.json()).toMatchObject({
      supportedGenerationMethods: ["embedContent", "batchEmbedContents"],
    });
    expect((await errorOf(await call("/v1beta/models/none", key))).status).toBe("NOT_FOUND");
  });

  test("has Google's form below /v1 for Google's clients only", async () => {
    const { key } = await gateway.key();
    expect(await (await call("/v1/models", key)).json()).toHaveProperty("models");
    expect(await (await fetch(`${gateway.server.url}/v1/models?key=${key}`)).json()).toHaveProperty("models");
    expect(await (await gateway.server.gateway("/v1/models", key)).json()).toHaveProperty("data");
  });
});

describe("errors", () => {
  test("name the field in Google's words", async () => {
    const { key } = await gateway.key();
    const response = await call("/v1beta/models/on-chat:generateContent", key, {
      contents: [{ parts: [{}] }],
    });
    const error = await errorOf(response);
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.details).toContainEqual(
      expect.objectContaining({
        fieldViolations: [
          { field: "contents[0].parts[0]", description: expect.stringContaining("must hold") },
        ],
      }),
    );
  });

  test("of a stream as an array are in an array", async () => {
    const { key } = await gateway.key();
    const response = await call("/v1beta/models/none:streamGenerateContent", key, question());
    expect([response.status, await response.json()]).toEqual([
      404,
      [{ error: expect.objectContaining({ status: "NOT_FOUND" }) }],
    ]);
    const events = await call("/v1beta/models/none:streamGenerateContent?alt=sse", key, question());
    expect(await events.json()).toMatchObject({ error: { status: "NOT_FOUND" } });
  });

  test("of a limit say when to try again", async () => {
    const { key } = await gateway.key({ planId: 2 });
    await call("/v1beta/models/on-chat:generateContent", key, question());
    const response = await call("/v1beta/models/on-chat:generateContent", key, question());
    const error = await errorOf(response);
    expect(error).toMatchObject({
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      message: expect.stringMatching(/Please retry in \d+s\.$/),
    });
    expect(error.details).toContainEqual(
      expect.objectContaining({ retryDelay: `${response.headers.get("retry-after")}s` }),
    );
  });

  test("of an exhausted quota are final", async () => {
    const { key } = await gateway.key({ quota: 0 });
    const response = await call("/v1beta/models/on-chat:generateContent", key, question());
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: 402, status: "FAILED_PRECONDITION" });
    expect(error.details).toContainEqual(expect.objectContaining({ reason: "QUOTA_EXHAUSTED" }));
    expect(JSON.stringify(error.details)).not.toContain("retryDelay");
  });
});

describe("losses", () => {
  test.each<[string, JsonObject, string]>([
    ["messages", { generationConfig: { seed: 1 } }, "generationConfig.seed"],
    ["chat", { safetySettings: [{ category: "a", threshold: "b" }] }, "safetySettings"],
    ["responses", { labels: { a: "b" } }, "labels"],
    ["chat", { generationConfig: { ofTomorrow: 1 } }, "generationConfig.ofTomorrow"],
  ])("on a %s node %j warns, and strictly is a 400", async (node, fields, field) => {
    const { key } = await gateway.key();
    const path = `/v1beta/models/on-${node}:generateContent`;
    const told = await call(path, key, question("Hi", fields));
    expect(told.headers.get("x-tollgate-warnings")).toContain(`dropped:${field}`);
    const strict = await call(path, key, question("Hi", fields), { "x-tollgate-strict": "1" });
    const { details } = await errorOf(strict);
    expect(details).toContainEqual(
      expect.objectContaining({ fieldViolations: [expect.objectContaining({ field })] }),
    );
  });

  test.each<[string, JsonObject, string]>([
    ["messages", { generationConfig: { candidateCount: 2 } }, "generationConfig.candidateCount"],
    ["responses", { tools: [{ googleSearch: {} }] }, "tools[0].googleSearch"],
    ["chat", { cachedContent: "cachedContents/a" }, "cachedContent"],
    ["chat", { generationConfig: { responseModalities: ["IMAGE"] } }, "generationConfig.responseModalities"],
  ])("on a %s node %j is a 400 by its field", async (node, fields, field) => {
    const { key } = await gateway.key();
    const { details } = await errorOf(
      await call(`/v1beta/models/on-${node}:generateContent`, key, question("Hi", fields)),
    );
    expect(details).toContainEqual(
      expect.objectContaining({ fieldViolations: [expect.objectContaining({ field })] }),
    );
  });
});

describe("embeddings", () => {
  const content = (text: string) => ({ parts: [{ text }] });

  test("come one by one and in batches", async () => {
    const { key } = await gateway.key();
    const one = await call("/v1beta/models/vectors:embedContent", key, {
      content: content("Hi"),
      taskType: "RETRIEVAL_QUERY",
    });
    expect(one.headers.get("x-tollgate-warnings")).toContain("dropped:taskType");
    const { embedding } = (await one.json()) as { embedding: { values: number[] } };
    expect(embedding.values.length).toBeGreaterThan(1);
    const requests = ["Hi", "there"].map((text) => ({ model: "models/vectors", content: content(text) }));
    const many = await call("/v1beta/models/vectors:batchEmbedContents", key, { requests });
    const { embeddings } = (await many.json()) as { embeddings: { values: number[] }[] };
    expect(embeddings).toHaveLength(2);
    expect(embeddings[0]).toEqual(embedding);
  });

  test("name the content that is wrong", async () => {
    const { key } = await gateway.key();
    const requests = [{ content: content("a") }, { content: { parts: [{ inlineData: {} }] } }];
    const { details } = await errorOf(
      await call("/v1beta/models/vectors:batchEmbedContents", key, { requests }),
    );
    expect(JSON.stringify(details)).toContain("requests[1].content.parts[0]");
    const wrong = await call("/v1beta/models/on-chat:embedContent", key, { content: content("a") });
    expect((await errorOf(wrong)).message).toContain("generateContent");
  });
});

test("a stream without chunked encoding is reset when it breaks", async () => {
  const { key } = await gateway.key();
  const body = JSON.stringify(question("a b c d e f g h i j k l m n o p q r s t u v w x y z"));
  const head = [
    "POST /v1beta/models/cut-chat:streamGenerateContent?alt=sse HTTP/1.0",
    "host: a",
    `x-goog-api-key: ${key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const { hostname, port } = new URL(gateway.server.url);
  const failure = await new Promise<Error | null>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join("\r\n")}\r\n\r\n${body}`));
    socket.resume();
    socket.on("error", resolve);
    socket.on("end", () => resolve(null));
  });
  expect(failure).toMatchObject({ code: "ECONNRESET" });
});
