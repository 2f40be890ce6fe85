import { describe, expect, test } from "vitest";
import { Translator, type TranslatorOptions } from "@/lib/gateway/translator";
import type { JsonObject } from "@/lib/kernel/json-object";
import { geminiAdapter } from "@/lib/protocols/gemini/adapter";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { geminiAbsence, geminiAnswers } from "@/tests/corpus/gemini";
import { framesFrom } from "../pipeline";

const ALIAS = "the-alias";

function prepared(
  body: JsonObject,
  upstreamModel = "gemini-3-pro",
  profile: Partial<Profile> = {},
  more = {},
) {
  return prepareRequest(body, {
    client: geminiAdapter,
    upstream: geminiAdapter,
    alias: ALIAS,
    compatibility: "standard",
    defaultMaxTokens: null,
    affordableOutput: 1_000_000,
    contextLeft: 1_000_000,
    maxOutputTokens: null,
    perCall: {},
    version: "2023-06-01",
    provenanceKey: "key",
    openReasoning: () => null,
    headers: {},
    upstreamModel,
    profile: { ...profileFor(upstreamModel, "gemini", {}), ...profile },
    ...more,
  });
}

function translator(stream: boolean, choices = 1): Translator {
  const options: TranslatorOptions = {
    id: "own",
    alias: ALIAS,
    created: 1,
    request: {},
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map(),
    inputEstimate: 1,
    seal: null,
    client: geminiAdapter,
    upstream: geminiAdapter,
    stream,
    choices,
    wrappedTools: new Set(),
    usageCeiling: undefined,
    outputCap: 1_000_000,
  };
  return new Translator(options);
}

const contents = [{ role: "user", parts: [{ text: "q" }] }];

/** Source: docs/gemini.md#to-nodes. */
describe("a Gemini request for a Gemini node", () => {
  test("passes unknown fields and loses model and stream, which are in the path", () => {
    const body = { model: ALIAS, stream: true, contents, safetySettings: [{ a: 1 }], newField: 1 };
    const { body: sent, stream } = prepared(body);
    expect(sent).toEqual({
      contents,
      safetySettings: [{ a: 1 }],
      newField: 1,
      generationConfig: { maxOutputTokens: 32_768 },
    });
    expect(stream).toBe(true);
  });

  test("keeps its output limit within the model's, for each candidate", () => {
    const generationConfig = { maxOutputTokens: 900_000, candidateCount: 2, seed: 3 };
    const { body, maxTokens, losses } = prepared({ model: ALIAS, contents, generationConfig });
    expect(body.generationConfig).toEqual({ maxOutputTokens: 65_536, candidateCount: 2, seed: 3 });
    expect(maxTokens).toBe(131_072);
    expect(losses).toContain("clamped:max_tokens");
  });

  test("has no tool and no kind of answer that costs extra without a price", () => {
    const asked = {
      model: ALIAS,
      contents,
      tools: [
        { googleSearch: {} },
        { functionDeclarations: [{ name: "f" }], googleMaps: {} },
        { codeExecution: {} },
      ],
      generationConfig: { responseModalities: ["TEXT", "IMAGE"] },
      serviceTier: "priority",
    };
    const { body, losses } = prepared(asked);
    expect(body.tools).toEqual([{ functionDeclarations: [{ name: "f" }] }, { codeExecution: {} }]);
    expect(body.generationConfig).toMatchObject({ responseModalities: ["TEXT"] });
    expect(body).not.toHaveProperty("serviceTier");
    expect(losses).toEqual(
      expect.arrayContaining([
        "dropped:googleSearch:googleMaps",
        "dropped:generationConfig.responseModalities",
        "dropped:serviceTier",
      ]),
    );
    const priced = prepared(
      asked,
      "gemini-3-pro",
      {},
      {
        perCall: { webSearch: 1n },
        extraPrices: new Set(["imageOutput", "priority"]),
      },
    );
    expect(priced.body).toMatchObject({ serviceTier: "priority" });
    expect(priced.body.tools).toContainEqual({ googleSearch: {} });
    expect(priced.offeredCalls).toMatchObject({ tools: ["webSearch"] });
  });

  test("keeps signatures of Google, and gets the stand-in where the first call of the turn has none", () => {
    const call = (name: string, thoughtSignature?: string) => ({
      functionCall: { id: "c1", name, args: {} },
      ...(thoughtSignature && { thoughtSignature }),
    });
    const result = { role: "user", parts: [{ functionResponse: { id: "c1", name: "f", response: {} } }] };
    const turn = (...parts: JsonObject[]) => [...contents, { role: "model", parts }, result];
    const signed = prepared({ model: ALIAS, contents: turn(call("f", "U0lH"), call("g")) });
    expect(signed.body.contents).toEqual(turn(call("f", "U0lH"), call("g")));
    const unsigned = prepared({ model: ALIAS, contents: turn(call("f"), call("g")) });
    expect(unsigned.body.contents).toEqual(turn(call("f", "skip_thought_signature_validator"), call("g")));
    expect(unsigned.losses).toContain("signature:dummy");
    const older = prepared({ model: ALIAS, contents: turn(call("f")) }, "gemini-2.5-pro", { callIds: false });
    expect(JSON.stringify(older.body)).not.toMatch(/c1|skip_thought/);
  });
});

describe(`recorded Gemini answers for Gemini clients${geminiAbsence}`, () => {
  const recordings = geminiAnswers();

  test("streams pass byte for byte but for the model's name, and the end waits", () => {
    for (const [{ id, response }, { choices }] of recordings) {
      if (response.sse === undefined) continue;
      const passing = translator(true, choices || 1);
      let wire = "";
      for (const frame of framesFrom([Buffer.from(response.sse)])) wire += passing.push(frame);
      wire += passing.finish();
      expect(passing.failure, id).toBeNull();
      if ((choices || 1) === 1) expect(wire, id).not.toMatch(/"finishReason":\s*["\d]/);
      wire += passing.end(undefined);
      expect(chunksOf(wire), id).toEqual(chunksOf(response.sse).map(underAlias));
      expect(wire.endsWith("\r\n\r\n"), id).toBe(true);
    }
  });

  test("whole answers pass with the model's name changed", () => {
    for (const [{ id, response }] of recordings) {
      if (response.body === undefined || Array.isArray(response.body)) continue;
      if (id === "ge-gemini-45678a6c-00") continue; // broken
      const passing = translator(false, 8);
      const json = JSON.stringify(response.body);
      passing.takeWhole(json, JSON.parse(json));
      expect(passing.failure, id).toBeNull();
      expect(JSON.parse(passing.end(undefined)), id).toEqual(underAlias(JSON.parse(json)));
    }
  });
});

function chunksOf(sse: string): JsonObject[] {
  return framesFrom([Buffer.from(sse)]).map(({ data }) => JSON.parse(data));
}

function underAlias(chunk: JsonObject): JsonObject {
  return chunk.modelVersion === undefined ? chunk : { ...chunk, modelVersion: ALIAS };
}
