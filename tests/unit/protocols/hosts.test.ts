import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { Meter } from "@/lib/protocols/generation/meter";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import { providerProblem } from "@/lib/protocols/profiles/provider";
import { nodeAdapterOf, protocols } from "@/lib/protocols/registry";
import { AwsFrameReader } from "@/lib/protocols/wire/aws-frame-reader";
import { bodyOf, carried, targetOf } from "./conformance-requests";
import { goodStreams } from "./fixtures";
import { bytesOf, framesFrom } from "./pipeline";
import { encodedChunk, encodedException } from "./wire/aws-events";

const { messages } = protocols;
const runtime = "https://bedrock-runtime.us-east-1.amazonaws.com";
const vertex = "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5";

function nodeAt(baseUrl: string, provider: string | null = null) {
  return { provider, protocol: "messages" as const, baseUrl };
}

const invoke = nodeAdapterOf(nodeAt(runtime));
const predict = nodeAdapterOf(nodeAt(vertex));

function prepare(upstream: NodeAdapter, body: JsonObject, headers: Record<string, string> = {}) {
  return prepareRequest(body, { ...targetOf(messages), client: messages, upstream, headers });
}

const question: JsonObject = {
  model: "the-alias",
  max_tokens: 10,
  messages: [{ role: "user", content: "Hi" }],
};

/** Source: docs/clouds.md#forms. */
describe("the form of a host", () => {
  test.each([
    [runtime, null, invoke],
    [`${runtime}/`, null, invoke],
    ["https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com", null, invoke],
    ["https://vpce-1-a.bedrock-runtime.us-east-1.vpce.amazonaws.com", null, invoke],
    ["https://models.example.com", "bedrock", invoke],
    [`${runtime}/anthropic`, null, messages],
    ["https://bedrock-mantle.us-east-1.api.aws", null, messages],
    ["https://vpce-1-a.bedrock-mantle.us-east-1.vpce.amazonaws.com/", null, messages],
    [vertex, null, predict],
    ["https://aiplatform.googleapis.com/v1/projects/p/locations/global", null, predict],
    ["https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/", null, predict],
    ["https://api.anthropic.com", null, messages],
    ["https://bedrock-runtime.us-east-1.amazonaws.com.example.com", null, messages],
  ])("is chosen by the base URL: %s", (baseUrl, provider, adapter) => {
    expect(nodeAdapterOf(nodeAt(baseUrl, provider))).toBe(adapter);
  });

  test.each([
    [`${runtime}/model/m/invoke`, `must end before /model/, which the gateway adds: ${runtime}`],
    [
      `${vertex}/publishers/anthropic/models/m:rawPredict`,
      `must end before /publishers/, which the gateway adds: ${vertex}`,
    ],
    [`${vertex}/endpoints/openapi`, "must end with /projects/{project}/locations/{location}"],
  ])("has no place below %s", (baseUrl, message) => {
    expect(providerProblem(nodeAt(baseUrl))).toEqual({ field: "baseUrl", message });
  });

  test.each([
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0"],
    [
      "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc",
      "arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aapplication-inference-profile%2Fabc",
    ],
  ])("puts the model into the path: %s", (model, name) => {
    expect(invoke.api.generation({ model, stream: false })).toBe(`/model/${name}/invoke`);
    expect(invoke.api.generation({ model, stream: true })).toBe(`/model/${name}/invoke-with-response-stream`);
  });

  test("keeps the @ of dates of Vertex AI, and escapes what would end the path", () => {
    const pathOf = (model: string, stream: boolean) => predict.api.generation({ model, stream });
    expect(pathOf("claude-x@20250929", false)).toBe(
      "/publishers/anthropic/models/claude-x@20250929:rawPredict",
    );
    expect(pathOf("a/b;c?d", true)).toBe("/publishers/anthropic/models/a%2Fb%3Bc%3Fd:streamRawPredict");
  });

  describe.each(Object.values(protocols))("for a client of $id", (client) => {
    test.each(Object.entries(carried))("changes nothing else of %s", (_name, asked) => {
      const body = { ...bodyOf(client, asked), stream: true };
      const of = (upstream: NodeAdapter) =>
        prepareRequest(structuredClone(body), { ...targetOf(messages), client, upstream });
      const plain = of(messages);
      const { model: _, stream, ...members } = plain.body;
      const byInvoke = of(invoke);
      expect(byInvoke.body).toEqual({ ...members, anthropic_version: "bedrock-2023-05-31" });
      expect(byInvoke.headers).toEqual({ accept: "application/json" });
      const byPredict = of(predict);
      expect(byPredict.body).toEqual({ ...members, stream, anthropic_version: "vertex-2023-10-16" });
      expect(byPredict.headers).toEqual({});
      for (const { losses, maxTokens, toolNames } of [byInvoke, byPredict])
        expect([losses, maxTokens, toolNames]).toEqual([plain.losses, plain.maxTokens, plain.toolNames]);
    });
  });
});

/** Source: docs/clouds.md#forms. */
describe("InvokeModel", () => {
  test("gets the beta flags that it knows in the body, and the others are told", () => {
    const beta =
      "context-1m-2025-08-07, files-api-2025-04-14,advanced-tool-use-2025-11-20,,context-1m-2025-08-07";
    const { body, headers, losses } = prepare(invoke, question, { "anthropic-beta": beta });
    expect(body.anthropic_beta).toEqual(["context-1m-2025-08-07", "tool-search-tool-2025-10-19"]);
    expect(headers).toEqual({ accept: "application/json" });
    expect(losses).toEqual(["dropped:anthropic-beta.files-api-2025-04-14"]);
    expect(prepare(predict, question, { "anthropic-beta": beta }).headers).toEqual({
      "anthropic-beta": beta,
    });
  });

  test("gets no member that it refuses", () => {
    const cache_control = { type: "ephemeral", scope: "global" };
    const system = [{ type: "text", text: "Be brief.", cache_control }];
    const { body, losses } = prepare(invoke, { ...question, system, mcp_servers: [], speed: "fast" });
    expect(Object.keys(body).sort()).toEqual(["anthropic_version", "max_tokens", "messages", "system"]);
    expect(body.system).toEqual([{ ...system[0], cache_control: { type: "ephemeral" } }]);
    expect(losses.sort()).toEqual(["dropped:cache_control.scope", "dropped:mcp_servers", "dropped:speed"]);
    expect(cache_control.scope).toBe("global");
  });

  test("counts with the id of the model itself and with a limit that leaves room for thinking", () => {
    const { tokenCount } = invoke.api;
    expect(tokenCount?.path("us.anthropic.claude-x-v1:0")).toBe(
      "/model/anthropic.claude-x-v1%3A0/count-tokens",
    );
    const { max_tokens: _, ...counted } = question;
    const thinking = { type: "enabled", budget_tokens: 2_048 };
    for (const [asked, max_tokens] of [
      [counted, 1],
      [{ ...counted, thinking }, 2_049],
      [question, 10],
    ] as const) {
      const body = tokenCount?.body({ anthropic_version: "v", ...asked }, "m");
      const { input } = body as { input: { invokeModel: { body: string } } };
      expect(JSON.parse(Buffer.from(input.invokeModel.body, "base64").toString())).toMatchObject({
        ...asked,
        max_tokens,
      });
    }
    expect(tokenCount?.read({ inputTokens: 7 })).toBe(7);
    expect(tokenCount?.read({ input_tokens: 7 })).toBeUndefined();
  });

  test("lists models that are called by their ids, and profiles page by page", () => {
    const list = invoke.api.models;
    const models = {
      modelSummaries: [
        { modelId: "anthropic.a", modelName: "A", inferenceTypesSupported: ["ON_DEMAND"] },
        { modelId: "anthropic.b", modelName: "B", inferenceTypesSupported: ["INFERENCE_PROFILE"] },
      ],
    };
    const arn = "arn:aws:bedrock:us-east-1:1:application-inference-profile/x";
    const claude = [{ modelArn: "arn:aws:bedrock:us-east-1::foundation-model/anthropic.b" }];
    const profiles = {
      inferenceProfileSummaries: [
        { inferenceProfileId: "us.anthropic.b", inferenceProfileName: "US B", type: "SYSTEM_DEFINED" },
        { inferenceProfileId: "us.amazon.c", inferenceProfileName: "C", type: "SYSTEM_DEFINED" },
        { inferenceProfileId: "x", inferenceProfileArn: arn, models: claude, type: "APPLICATION" },
      ],
      nextToken: "a/b",
    };
    const idsOf = (page: unknown) =>
      list?.entries?.(page)?.map((entry) => (isObject(entry) ? entry.id : null));
    expect(idsOf(models)).toEqual(["anthropic.a"]);
    expect(idsOf(profiles)).toEqual(["us.anthropic.b", arn]);
    expect(idsOf({ message: "no" })).toBeUndefined();
    expect(list?.next(models)).toBe("/inference-profiles?maxResults=1000");
    expect(list?.next(profiles)).toBe("/inference-profiles?maxResults=1000&nextToken=a%2Fb");
    expect(list?.next({ inferenceProfileSummaries: [] })).toBeNull();
  });

  test.each([
    [runtime, "https://bedrock.us-east-1.amazonaws.com"],
    [
      "https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com",
      "https://bedrock-fips.us-gov-west-1.amazonaws.com",
    ],
    ["https://bedrock-runtime.cn-north-1.amazonaws.com.cn", "https://bedrock.cn-north-1.amazonaws.com.cn"],
    ["https://vpce-1-a.bedrock-runtime.us-east-1.vpce.amazonaws.com", null],
    ["https://models.example.com", null],
    ["https://bedrock-runtime.us-east-1.amazonaws.com.example.com", null],
  ])("lists models at the control plane of %s", (baseUrl, found) => {
    expect(invoke.api.models?.baseUrl?.(new URL(baseUrl))).toBe(found);
  });
});

test("Vertex AI counts with a model in the body, without a suffix that says nothing", () => {
  const { tokenCount } = predict.api;
  const counted = tokenCount?.body({ ...question, anthropic_version: "v" }, "claude-x@latest");
  expect(tokenCount?.path("claude-x@latest")).toBe("/publishers/anthropic/models/count-tokens:rawPredict");
  expect(counted).toEqual({ model: "claude-x", messages: question.messages, anthropic_version: "v" });
  expect(tokenCount?.body(question, "claude-x@20250929").model).toBe("claude-x@20250929");
});

/** Source: docs/clouds.md#forms. */
describe("the family of a model", () => {
  const known = profileFor("claude-opus-4-20250514", "messages", {});

  test.each([
    "anthropic.claude-opus-4-20250514-v1:0",
    "us.anthropic.claude-opus-4-20250514-v1:0",
    "us-gov.anthropic.claude-opus-4-20250514-v1:0",
    "arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.anthropic.claude-opus-4-20250514-v1:0",
    "arn:aws-cn:bedrock:cn-north-1::foundation-model/anthropic.claude-opus-4-20250514-v1:0",
    "claude-opus-4@20250514",
  ])("is seen in %s", (model) => {
    expect(profileFor(model, "messages", {})).toEqual(known);
  });

  test("is not seen in a profile of an application, which hides it", () => {
    const arn = "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc";
    expect(profileFor(arn, "messages", {})).toEqual(profileFor("abc", "messages", {}));
  });
});

/** The frames as Bedrock would send them, and the offsets behind each of them. */
function wrapped(frames: { data: string }[]) {
  const parts = frames.map(({ data }) => encodedChunk(JSON.parse(data)));
  return Buffer.concat(parts);
}

/** Source: docs/clouds.md#event-stream. */
describe("a stream of Claude in chunks", () => {
  const streams = goodStreams.filter(({ upstream }) => upstream === "messages");

  test.each(streams)("gives the frames that it wraps, wherever it is cut: $name", ({ sse }) => {
    const frames = framesFrom(bytesOf(sse)).filter(({ data }) => data.startsWith("{"));
    const named = frames.map(({ data }) => ({
      event: String(JSON.parse(data).type),
      data: JSON.parse(data),
    }));
    const bytes = wrapped(frames);
    for (let at = 0; at <= bytes.length; at++) {
      const reader = new AwsFrameReader();
      const read = [
        ...reader.push(bytes.subarray(0, at)),
        ...reader.push(bytes.subarray(at)),
        ...reader.end(),
      ];
      if (at % 97 === 0)
        expect(read.map(({ event, data }) => ({ event, data: JSON.parse(data) }))).toEqual(named);
      else expect(read).toHaveLength(named.length);
      expect(reader.failure).toBeNull();
    }
  });

  test("is never complete when its bytes end early", () => {
    const [stream] = streams;
    const bytes = wrapped(framesFrom(bytesOf(stream?.sse ?? "")));
    for (let at = 0; at < bytes.length; at++) {
      const reader = new AwsFrameReader();
      const decoder = invoke.decoder({ id: "r" });
      const frames = [...reader.push(bytes.subarray(0, at)), ...reader.end()];
      const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
      const isWhole = decoder.finishSeen && reader.failure === null;
      expect([at, isWhole || reader.failure !== null || events.at(-1)?.type === "error"]).toEqual([at, true]);
    }
  });

  test.each([
    ["throttlingException", "cooldown"],
    ["modelStreamErrorException", "soft"],
    ["validationException", "none"],
  ])("ends with %s at any place", (type, health) => {
    const frames = framesFrom(bytesOf(streams[0]?.sse ?? ""));
    for (let before = 0; before <= frames.length; before++) {
      const reader = new AwsFrameReader();
      const head = before === 0 ? Buffer.alloc(0) : wrapped(frames.slice(0, before));
      const read = reader.push(
        Buffer.concat([head, encodedException(type, { message: "no" }), wrapped(frames)]),
      );
      expect(read).toHaveLength(before);
      expect(classifyFailure("status", reader.failure).health).toBe(health);
    }
  });
});

const recorded = path.join(process.cwd(), "../shared/corpus-gemini/open");
const files = existsSync(recorded)
  ? readdirSync(recorded).filter((name) => name.startsWith("br-anthropic-"))
  : [];

/** A recorded stream of Claude, which says at its end what it cost. */
function recordings() {
  return files.flatMap((name) => {
    const { request, response } = JSON.parse(readFileSync(path.join(recorded, name), "utf8"));
    const isStream = response.eventstream !== undefined && /claude-(?!v2)/.test(request.path);
    return isStream ? [{ name, bytes: Buffer.from(response.eventstream, "base64") }] : [];
  });
}

describe.skipIf(files.length === 0)("recorded streams of Claude at Bedrock", () => {
  test.each(files.length === 0 ? [] : recordings().filter(({ bytes }) => bytes.includes("chunk")))(
    "$name ends where Bedrock ended it, and costs what it says",
    ({ bytes }) => {
      const metrics: JsonObject[] = [];
      const reader = new AwsFrameReader();
      const decoder = invoke.decoder({ id: "r" });
      const meter = new Meter();
      for (let at = 0; at < bytes.length; at += 7)
        for (const frame of reader.push(bytes.subarray(at, at + 7))) {
          const told = JSON.parse(frame.data)["amazon-bedrock-invocationMetrics"];
          if (isObject(told)) metrics.push(told);
          for (const event of decoder.push(frame)) meter.push(event);
        }
      for (const event of [...reader.end().flatMap((frame) => decoder.push(frame)), ...decoder.end()])
        meter.push(event);
      const { inputTokenCount, outputTokenCount } = metrics[0] ?? {};
      const { usage } = meter.final({ input: 0, output: 0 });
      expect([reader.failure, meter.ended]).toEqual([null, metrics.length === 1]);
      if (!meter.ended) return; // one of them was recorded in part
      expect(usage.inputUncached).toBe(inputTokenCount);
      // Events count what a call costs as output, the metrics of older models do not.
      expect(usage.output).toBeGreaterThanOrEqual(Number(outputTokenCount));
    },
  );
});
