import { expect, test } from "vitest";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import { providerOf, providerProblem } from "@/lib/protocols/profiles/provider";
import { clientAdapters, nodeAdapterOf } from "@/lib/protocols/registry";
import { validated } from "../requests/support";

const project = "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4";
const express = "https://aiplatform.googleapis.com/v1";

const nodeAt = (baseUrl: string) => ({ provider: null, protocol: "gemini" as const, baseUrl });

/** Source: docs/gemini.md#nodes. */
test.each([project, express])("at %s the models belong to Google as their publisher", (baseUrl) => {
  const { api } = nodeAdapterOf(nodeAt(baseUrl));
  const asked = { model: "gemini-3-pro", stream: true };
  expect(api.generation(asked)).toBe("/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse");
  expect(api.tokenCount?.path("gemini-3-pro")).toBe("/publishers/google/models/gemini-3-pro:countTokens");
  expect(providerProblem(nodeAt(baseUrl))).toBeNull();
  expect(providerProblem(nodeAt(`${baseUrl}/publishers/google`))?.message).toContain("must end before");
});

test("at Vertex calls have no ids, and counts the request itself", () => {
  const upstreamModel = "gemini-3-pro";
  const messages = [
    { role: "user", content: "q" },
    {
      role: "assistant",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "call_1", content: "ok" },
  ];
  const node = nodeAt(project);
  const upstream = nodeAdapterOf(node);
  const { body } = prepareRequest(validated({ model: "m", messages }, "chat"), {
    client: clientAdapters.chat,
    upstream,
    alias: "m",
    upstreamModel,
    profile: profileFor(upstreamModel, "gemini", {}, providerOf(node).facts),
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
  });
  expect(JSON.stringify(body)).not.toContain("call_1");
  expect(upstream.api.tokenCount?.body(body, upstreamModel)).toEqual({ contents: body.contents });
});

test("at Google's own API a name with a slash is a resource, and counts have the whole request", () => {
  const { api } = nodeAdapterOf(nodeAt("https://generativelanguage.googleapis.com/v1beta"));
  expect(api.generation({ model: "tunedModels/a b", stream: false })).toBe(
    "/tunedModels/a%20b:generateContent",
  );
  expect(api.generation({ model: "models/gemini-3", stream: false })).toBe(
    "/models/gemini-3:generateContent",
  );
  expect(api.tokenCount?.body({ contents: [] }, "models/gemini-3")).toEqual({
    generateContentRequest: { contents: [], model: "models/gemini-3" },
  });
});
