import { logDetail } from "@/lib/api/schemas/logs";
import { embeddingsBody } from "@/lib/protocols/embeddings/adapter";
import { embeddingsAnswer } from "@/lib/protocols/embeddings/answer";
import { type ClientProtocol, clientPaths, clientProtocols, embeddingsPath } from "@/lib/protocols/protocol";
import { clientAdapters } from "@/lib/protocols/registry";
import { chatAnswer, countAnswer, messagesAnswer, responsesAnswer } from "./answer-schemas";
import { geminiAnswer, geminiBody, geminiExample, geminiOperations } from "./gemini-operations";
import { gatewayModelsQuery } from "./models-query";
import { gatewayModel, gatewayModels } from "./models-schemas";
import type { ApiOperation } from "./operation";
import { responsesOperations } from "./responses-operations";
import { keyUsage } from "./usage-schema";

const generationErrors = [
  "INVALID_REQUEST",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
  "MODEL_NOT_FOUND",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMITED",
  "UPSTREAM_ERROR",
  "NO_AVAILABLE_NODE",
] as const;

const question = [{ role: "user", content: "Say hello." }];

const asMessages = { max_tokens: 64, messages: question };

/** The texts of the document about a generation in one protocol. */
interface GenerationText {
  id: string;
  /** The protocol's public name. */
  name: string;
  /** What a client must know about this protocol only. */
  description: string;
  /** What a stream consists of; absent: streams have a path of their own. */
  stream?: string;
  /** The fields of an example beside its stream. */
  example: Record<string, unknown>;
  /** The schema of a body; absent: that of the protocol's requests. */
  body?: NonNullable<ApiOperation["body"]>["schema"];
  schema: ApiOperation["success"]["schema"];
  answer: unknown;
}

const generationTexts: Record<ClientProtocol, GenerationText> = {
  chat: {
    id: "createChatCompletion",
    name: "Chat Completions",
    description:
      "With `stream: true` the answer is a stream of server-sent events that ends with `[DONE]`. Header `x-tollgate-strict: 1` refuses what would be dropped; `x-tollgate-explain: 1` sends and bills nothing and answers what would happen. Fields this document does not name are passed on.",
    stream: "chat.completion.chunk objects",
    example: { model: "demo-chat", ...asMessages },
    schema: chatAnswer,
    answer: {
      id: "chatcmpl-019aa3f2c1d87e4b9f0a6c5d4e3b2a10",
      object: "chat.completion",
      created: 1763700000,
      model: "demo-chat",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    },
  },
  messages: {
    id: "createMessage",
    name: "Messages",
    description:
      "`max_tokens` is required. With `stream: true` the answer is a stream of named server-sent events that ends with `message_stop`. `provider-version` and `anthropic-version` are the same header; neither is required.",
    stream: "message_start … message_stop events",
    example: { model: "demo-messages", ...asMessages },
    schema: messagesAnswer,
    answer: {
      id: "msg_019aa3f2c1d87e4b9f0a6c5d4e3b2a10",
      type: "message",
      role: "assistant",
      model: "demo-messages",
      content: [{ type: "text", text: "Hello!" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 2 },
    },
  },
  responses: {
    id: "createResponse",
    name: "Responses",
    description:
      "With `stream: true` the answer is a stream of named server-sent events that ends with `response.completed`, `response.incomplete` or `response.failed`, and `[DONE]`.",
    stream: "response.created … response.completed events",
    example: { model: "demo-chat", max_output_tokens: 64, input: "Say hello." },
    schema: responsesAnswer,
    answer: {
      id: "resp_019aa3f2c1d87e4b9f0a6c5d4e3b2a10",
      object: "response",
      created_at: 1763700000,
      status: "completed",
      model: "demo-chat",
      output: [
        {
          id: "msg_019aa3f2c1d87e4b9f0a6c5d4e3b2a10",
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: "Hello!", annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 12,
      },
    },
  },
  gemini: {
    id: "generateContent",
    name: "Gemini",
    description:
      "The path names the model. `v1` and `v1alpha` are the same paths. Names in the body may be in snake_case. `:streamGenerateContent` answers with a stream.",
    example: {
      generationConfig: { maxOutputTokens: 64 },
      contents: [{ role: "user", parts: [{ text: "Say hello." }] }],
    },
    body: geminiBody,
    schema: geminiAnswer,
    answer: geminiExample,
  },
};

function generation(protocol: ClientProtocol): ApiOperation {
  const { id, name, description, stream, example, body, schema, answer } = generationTexts[protocol];
  return {
    method: "post",
    path: clientPaths[protocol],
    id,
    tag: "Model API",
    caller: "key",
    summary: `Create an answer, in the ${name} protocol`,
    description: `Any model of the gateway, whichever protocol its provider speaks. ${description}`,
    body: { schema: body ?? clientAdapters[protocol].schema, example },
    success: {
      status: 200,
      description: "The answer; its cost in cents is in `x-tollgate-cost`",
      schema,
      ...(stream === undefined ? {} : { other: { mediaType: "text/event-stream", description: stream } }),
      example: answer,
    },
    errors: [...generationErrors],
  };
}

const modelExample = {
  id: "demo-chat",
  object: "model",
  type: "model",
  created: 1763700000,
  created_at: "2025-11-21T04:40:00Z",
  owned_by: "tollgate",
  kind: "generation",
  display_name: "Demo chat",
  max_input_tokens: 128_000,
  max_tokens: 8_192,
  lifecycle: "active",
  line: null,
  deprecated_at: null,
  retires_at: null,
  capabilities: null,
  supports: ["images", "tools"],
  protocols: ["chat"],
  pricing: {
    unit: "cents_per_million_tokens",
    input: 100,
    output: 400,
    cache_read: 10,
    cache_write: 125,
  },
};

/** Operations with an API key. Source: docs/contract.md#s6. */
export const gatewayOperations: ApiOperation[] = [
  ...clientProtocols.map(generation),
  ...responsesOperations,
  ...geminiOperations,
  {
    method: "post",
    path: `${clientPaths.messages}/count_tokens`,
    id: "countTokens",
    tag: "Model API",
    caller: "key",
    summary: "Count the input tokens of a message",
    description: "Not billed; 60 a minute per key.",
    body: {
      schema: clientAdapters.messages.countSchema,
      example: { model: "demo-messages", messages: question },
    },
    success: { status: 200, description: "The count", schema: countAnswer, example: { input_tokens: 10 } },
    errors: ["INVALID_REQUEST", "FORBIDDEN", "MODEL_NOT_FOUND", "RATE_LIMITED", "NO_AVAILABLE_NODE"],
  },
  {
    method: "post",
    path: embeddingsPath,
    id: "createEmbeddings",
    tag: "Model API",
    caller: "key",
    summary: "Embed texts",
    description:
      "For aliases of kind `embedding`. Only input tokens are billed. Vectors pass as the node sent them. Fields this document does not name are passed on.",
    body: {
      schema: embeddingsBody,
      example: { model: "demo-embedding", input: ["Say hello.", "Say goodbye."] },
    },
    success: {
      status: 200,
      description: "A vector for each input; the cost in cents is in `x-tollgate-cost`",
      schema: embeddingsAnswer,
      example: {
        object: "list",
        model: "demo-embedding",
        data: [
          { object: "embedding", index: 0, embedding: [0.0123, -0.0456] },
          { object: "embedding", index: 1, embedding: [0.0789, -0.0012] },
        ],
        usage: { prompt_tokens: 6, total_tokens: 6 },
      },
    },
    errors: [...generationErrors],
  },
  {
    method: "get",
    path: "/v1/models",
    id: "listGatewayModels",
    tag: "Model API",
    caller: "key",
    summary: "List the models this key may use",
    query: gatewayModelsQuery,
    success: {
      status: 200,
      description: "The models",
      schema: gatewayModels,
      example: {
        object: "list",
        data: [modelExample],
        has_more: false,
        first_id: modelExample.id,
        last_id: modelExample.id,
      },
    },
    errors: ["INVALID_REQUEST"],
  },
  {
    method: "get",
    path: "/v1/models/{id}",
    id: "getGatewayModel",
    tag: "Model API",
    caller: "key",
    summary: "Show one model",
    description: "Ids may hold `/`, `:` and `.`; they need not be escaped.",
    success: { status: 200, description: "The model", schema: gatewayModel, example: modelExample },
    errors: ["MODEL_NOT_FOUND", "NO_AVAILABLE_NODE"],
  },
  {
    method: "get",
    path: "/v1/usage",
    id: "getKeyUsage",
    tag: "Model API",
    caller: "key",
    summary: "Show what the calling key has left",
    success: {
      status: 200,
      description: "Quota, use and live limits",
      schema: keyUsage,
      example: {
        quota: 500,
        usedQuota: 0.5256,
        held: 0,
        remaining: 499.4744,
        isValid: true,
        unit: "cents",
        plan: { id: 1, name: "Free" },
        limits: {
          qps: { limit: 2, used: 0, resetMs: 0 },
          rpm: { limit: 20, used: 1, resetMs: 41_200 },
          tpm: { limit: 40_000, used: 1_560, resetMs: 41_200 },
        },
        accountLimits: { concurrent: { limit: 10, used: 1 }, keys: { limit: 20, used: 3 } },
        budgets: [
          {
            name: "Team A, November",
            scope: "project",
            unit: "money",
            period: "month",
            mode: "stop",
            models: null,
            limit: 100_000,
            used: 41_250.5,
            held: 12,
            remaining: 58_737.5,
            resetsAt: "2026-12-01T00:00:00+08:00",
          },
        ],
        storedResponses: {
          accountUsed: 4_812,
          accountLimit: 268_435_456,
          keyLimit: 67_108_864,
          unit: "bytes",
        },
      },
    },
    errors: ["RATE_LIMITED"],
  },
  {
    method: "get",
    path: "/v1/usage/{requestId}",
    id: "getReceipt",
    tag: "Model API",
    caller: "key",
    summary: "Show the receipt of one of the key's requests",
    description: "For streams, whose headers are gone before the cost is known.",
    success: { status: 200, description: "The request with its receipt", schema: logDetail },
    errors: ["NOT_FOUND", "RATE_LIMITED"],
  },
];
