import { describe, expect, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { fieldFates, fieldNames } from "@/lib/protocols/generation/concepts";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { prepareFor, schemaFields, validated } from "@/tests/unit/protocols/requests/support";

const messages = [{ role: "user", content: "hi" }];
const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
const tool = { type: "function", function: { name: "f", parameters: schema } };

const flatTool = { type: "function", name: "f", parameters: schema };

/** Fields that say something, and what must stand beside them for that. */
const samples: Record<Protocol, Record<string, JsonObject>> = {
  chat: {
    model: { model: "other" },
    messages: { messages: [{ role: "user", content: "bye" }] },
    max_tokens: { max_tokens: 77 },
    max_completion_tokens: { max_completion_tokens: 77 },
    temperature: { temperature: 0.5 },
    top_p: { top_p: 0.5 },
    top_k: { top_k: 5 },
    stop: { stop: ["x"] },
    stream: { stream: true },
    stream_options: { stream_options: { include_usage: true } },
    n: { n: 2 },
    tools: { tools: [tool] },
    tool_choice: { tool_choice: "required", tools: [tool] },
    parallel_tool_calls: { parallel_tool_calls: false, tools: [tool] },
    functions: { functions: [{ name: "f" }] },
    function_call: { function_call: { name: "f" }, functions: [{ name: "f" }] },
    response_format: { response_format: { type: "json_object" } },
    reasoning_effort: { reasoning_effort: "high" },
    reasoning: { reasoning: { effort: "high" } },
    include_reasoning: { include_reasoning: false },
    thinking: { thinking: { type: "enabled", budget_tokens: 2000 } },
    logprobs: { logprobs: true },
    top_logprobs: { top_logprobs: 2, logprobs: true },
    user: { user: "u" },
    safety_identifier: { safety_identifier: "u" },
    service_tier: { service_tier: "default" },
    web_search_options: { web_search_options: {} },
    prompt_cache_key: { prompt_cache_key: "k" },
    store: { store: true },
    max_output_tokens: { max_output_tokens: 5 },
    audio: { audio: { voice: "v" } },
    modalities: { modalities: ["audio"] },
    moderation: { moderation: { mode: "warn" } },
    verbosity: { verbosity: "low" },
    prompt_cache_options: { prompt_cache_options: { a: 1 } },
    prompt_cache_retention: { prompt_cache_retention: "24h" },
    metadata: { metadata: { a: "b" } },
    seed: { seed: 1 },
    frequency_penalty: { frequency_penalty: 1 },
    presence_penalty: { presence_penalty: 1 },
    logit_bias: { logit_bias: { 5: 1 } },
    prediction: { prediction: { type: "content" } },
  },
  messages: {
    model: { model: "other" },
    messages: { messages: [{ role: "user", content: "bye" }] },
    max_tokens: { max_tokens: 77 },
    system: { system: "be kind" },
    stop_sequences: { stop_sequences: ["x"] },
    stream: { stream: true },
    temperature: { temperature: 0.5 },
    top_p: { top_p: 0.5 },
    top_k: { top_k: 5 },
    tools: { tools: [{ name: "f" }] },
    tool_choice: { tool_choice: { type: "any" }, tools: [{ name: "f" }] },
    thinking: { thinking: { type: "enabled", budget_tokens: 2000 } },
    output_config: { output_config: { effort: "high" } },
    output_format: { output_format: { type: "json_schema", schema } },
    metadata: { metadata: { user_id: "u" } },
    service_tier: { service_tier: "standard_only" },
    cache_control: { cache_control: { type: "ephemeral" } },
    betas: { betas: ["b"] },
    speed: { speed: "fast" },
    container: { container: "c" },
    mcp_servers: { mcp_servers: [{ url: "u" }] },
    thread: { thread: "t" },
    compaction: { compaction: { a: 1 } },
    context_management: { context_management: { edits: [1] } },
    diagnostics: { diagnostics: { a: 1 } },
    inference_geo: { inference_geo: "us" },
    billing_policy: { billing_policy: "p" },
    fallbacks: { fallbacks: [{ model: "m" }] },
    fallback_credit_token: { fallback_credit_token: "t" },
    safeguards: { safeguards: { a: 1 } },
    user_profile_id: { user_profile_id: "uprof_1" },
    workspace_id: { workspace_id: "wrkspc_1" },
  },
  responses: {
    model: { model: "other" },
    input: { input: "bye" },
    instructions: { instructions: "be kind" },
    max_output_tokens: { max_output_tokens: 77 },
    temperature: { temperature: 0.5 },
    top_p: { top_p: 0.5 },
    top_logprobs: { top_logprobs: 2 },
    tools: { tools: [flatTool] },
    tool_choice: { tool_choice: "required", tools: [flatTool] },
    parallel_tool_calls: { parallel_tool_calls: false, tools: [flatTool] },
    max_tool_calls: { max_tool_calls: 3 },
    reasoning: { reasoning: { effort: "high" } },
    text: { text: { format: { type: "json_object" } } },
    include: { include: ["reasoning.encrypted_content"] },
    store: { store: false },
    previous_response_id: { previous_response_id: "resp_1" },
    conversation: { conversation: "conv_1" },
    prompt: { prompt: { id: "p" } },
    background: { background: true },
    background_options: { background_options: { completion_window: "soonest" } },
    access_programs: { access_programs: { cyber: "standard" } },
    image: { image: { context_compression: "disabled" } },
    stream: { stream: true },
    stream_options: { stream_options: { include_obfuscation: true } },
    truncation: { truncation: "auto" },
    context_management: { context_management: [{ type: "compaction" }] },
    metadata: { metadata: { a: "b" } },
    service_tier: { service_tier: "default" },
    prompt_cache_key: { prompt_cache_key: "k" },
    prompt_cache_retention: { prompt_cache_retention: "24h" },
    prompt_cache_options: { prompt_cache_options: { a: 1 } },
    safety_identifier: { safety_identifier: "u" },
    user: { user: "u" },
    moderation: { moderation: { mode: "warn" } },
    presence_penalty: { presence_penalty: 1 },
    frequency_penalty: { frequency_penalty: 1 },
    provider: { provider: { order: ["x"] } },
    client_metadata: { client_metadata: { a: "b" } },
    type: { type: "response.create" },
    generate: { generate: false },
  },
  gemini: {
    model: { model: "other" },
    contents: { contents: [{ role: "user", parts: [{ text: "bye" }] }] },
    systemInstruction: { systemInstruction: { parts: [{ text: "be kind" }] } },
    stream: { stream: true },
    tools: { tools: [{ functionDeclarations: [{ name: "f" }] }] },
    "toolConfig.functionCallingConfig": {
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
      tools: [{ functionDeclarations: [{ name: "f" }] }],
    },
    "toolConfig.retrievalConfig": { toolConfig: { retrievalConfig: { languageCode: "de" } } },
    "toolConfig.includeServerSideToolInvocations": {
      toolConfig: { includeServerSideToolInvocations: true },
    },
    "generationConfig.maxOutputTokens": { generationConfig: { maxOutputTokens: 77 } },
    ...Object.fromEntries(
      Object.entries({
        temperature: 0.5,
        topP: 0.5,
        topK: 5,
        stopSequences: ["x"],
        candidateCount: 2,
        responseMimeType: "application/json",
        thinkingConfig: { thinkingLevel: "HIGH" },
        responseModalities: ["IMAGE"],
        seed: 1,
        presencePenalty: 1,
        frequencyPenalty: 1,
        mediaResolution: "MEDIA_RESOLUTION_LOW",
        speechConfig: { languageCode: "de" },
        imageConfig: { aspectRatio: "1:1" },
        responseFormat: { type: "x" },
        routingConfig: { autoMode: {} },
        modelConfig: { featureSelectionPreference: "x" },
        audioTimestamp: true,
        audioTranscriptionConfig: { a: 1 },
        translationConfig: { a: 1 },
        enableAffectiveDialog: true,
        enableEnhancedCivicAnswers: true,
      }).map(([name, value]) => [
        `generationConfig.${name}`,
        { generationConfig: { maxOutputTokens: 4000, [name]: value } },
      ]),
    ),
    "generationConfig.responseSchema": {
      generationConfig: {
        maxOutputTokens: 4000,
        responseMimeType: "application/json",
        responseSchema: { type: "OBJECT", properties: { a: { type: "STRING" } } },
      },
    },
    "generationConfig.responseJsonSchema": {
      generationConfig: {
        maxOutputTokens: 4000,
        responseMimeType: "application/json",
        responseJsonSchema: schema,
      },
    },
    "generationConfig.responseLogprobs": {
      generationConfig: { maxOutputTokens: 4000, responseLogprobs: true },
    },
    "generationConfig.logprobs": {
      generationConfig: { maxOutputTokens: 4000, responseLogprobs: true, logprobs: 2 },
    },
    safetySettings: { safetySettings: [{ category: "c", threshold: "t" }] },
    labels: { labels: { a: "b" } },
    serviceTier: { serviceTier: "standard" },
    cachedContent: { cachedContent: "cachedContents/1" },
    continuationToken: { continuationToken: "t" },
    store: { store: true },
    modelArmorConfig: { modelArmorConfig: { a: 1 } },
    outputConfig: { outputConfig: { a: 1 } },
  },
};

/** The smallest body of each protocol. */
const bare: Record<Protocol, JsonObject> = {
  chat: { max_tokens: 4000, messages },
  messages: { max_tokens: 4000, messages },
  responses: { max_output_tokens: 4000, input: "hi" },
  gemini: {
    generationConfig: { maxOutputTokens: 4000 },
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
  },
};

const pairs = protocolIds.flatMap((client) =>
  protocolIds.filter((node) => node !== client).map((node) => ({ client, node })),
);

/** What becomes of a request on a node that takes whatever its protocol has. */
function outcomeOf(client: Protocol, upstreamProtocol: Protocol, fields: JsonObject) {
  const body = validated({ model: "m", ...bare[client], ...fields }, client);
  const { clientStream, hideReasoning, singleToolCall, losses, ...prepared } = prepareFor(body, {
    clientProtocol: client,
    upstreamProtocol,
    perCall: { webSearch: 1n },
    profile: {
      effortLevels: ["low", "high"],
      promptCacheKey: true,
      serviceTier: true,
      thinking: upstreamProtocol === "messages" ? ["enabled"] : [],
      topK: true,
      verbosity: true,
      webSearch: "web_search",
    },
  });
  const { body: sent, stops } = prepared;
  return { losses, effect: { clientStream, hideReasoning, singleToolCall, body: sent, stops } };
}

describe.each(protocolIds)("the table of %s fields", (client) => {
  const { fields } = protocols[client];

  test("names every field of the schema", () => {
    const missing = schemaFields(client).filter((field) => !(field in fields));
    expect(missing, `fields of the schema without a row in ${client}Fields`).toEqual([]);
  });

  test("has a sample of each field in this file", () => {
    const missing = fieldNames(fields).filter((field) => !(field in samples[client]));
    expect(missing, `rows of ${client}Fields without a sample in \`samples\` of this file`).toEqual([]);
    const gone = Object.keys(samples[client]).filter((field) => !(field in fields));
    expect(gone, `samples without a row in ${client}Fields`).toEqual([]);
  });
});

describe.each(pairs)("a $client field on a $node node", ({ client, node }) => {
  const fates = fieldFates(protocols[client].fields, protocols[node].concepts);

  test.each(Object.entries(fates))("%s has the fate that the table tells", (field, { fate }) => {
    const given = samples[client][field];
    if (given === undefined) throw new Error(`no sample of ${field} in \`samples\` of this file`);
    if (fate === "refused") {
      expect(paramOf(() => outcomeOf(client, node, given))).toBe(field);
      return;
    }
    const beside = withoutField(given, field);
    const { losses, effect } = outcomeOf(client, node, given);
    const without = outcomeOf(client, node, beside);
    expect(losses.includes(`dropped:${field}`), `the table says ${fate}`).toBe(fate === "dropped");
    if (field === "model") return;
    if (fate === "mapped") expect(effect, sameWithout(node)).not.toEqual(without.effect);
    else
      expect(effect, `the table says ${fate}, but the ${node} body is another one with it`).toEqual(
        without.effect,
      );
  });
});

/** The fields without one of them, which may be a member of an object. */
function withoutField(given: JsonObject, path: string): JsonObject {
  const [name = "", ...inner] = path.split(".");
  const { [name]: value, ...rest } = given;
  if (inner.length === 0) return rest;
  return { ...rest, [name]: withoutField(value as JsonObject, inner.join(".")) };
}

function sameWithout(node: Protocol): string {
  return `the table says mapped, but the node's body is the same without it; see lib/protocols/${node}/render.ts`;
}

/** The field that a refusal names. */
function paramOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    if (isGatewayError(error)) return error.details.param;
    throw error;
  }
  return null;
}
