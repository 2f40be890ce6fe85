import { chatRequest } from "@/lib/protocols/chat/schema";
import { countTokensRequest, messagesRequest } from "@/lib/protocols/messages/schema";
import { logDetail } from "../schemas/logs";
import {
  chatAnswer,
  countAnswer,
  gatewayModel,
  gatewayModels,
  gatewayModelsQuery,
  keyUsage,
  liveAnswer,
  messagesAnswer,
  readyAnswer,
} from "./gateway-schemas";
import type { ApiOperation } from "./operation";

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

/** Operations with an API key. Source: docs/contract.md#s6. */
export const gatewayOperations: ApiOperation[] = [
  {
    method: "post",
    path: "/v1/chat/completions",
    id: "createChatCompletion",
    tag: "Model API",
    caller: "key",
    summary: "Generate, in the Chat Completions protocol",
    description:
      "Any alias, whichever protocol its nodes speak. With `stream: true` the answer is a stream of server-sent events that ends with `[DONE]`. Header `x-tollgate-strict: 1` refuses what would be dropped; `x-tollgate-explain: 1` sends and bills nothing and answers what would happen. Fields this document does not name are passed on.",
    body: { schema: chatRequest, example: { model: "demo-chat", max_tokens: 64, messages: question } },
    success: {
      status: 200,
      description: "The answer; its cost in cents is in `x-tollgate-cost`",
      schema: chatAnswer,
      other: { mediaType: "text/event-stream", description: "chat.completion.chunk objects" },
      example: {
        id: "chatcmpl-019aa3f2c1d87e4b9f0a6c5d4e3b2a10",
        object: "chat.completion",
        created: 1763700000,
        model: "demo-chat",
        choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
      },
    },
    errors: [...generationErrors],
  },
  {
    method: "post",
    path: "/v1/messages",
    id: "createMessage",
    tag: "Model API",
    caller: "key",
    summary: "Generate, in the Messages protocol",
    description:
      "Any alias, whichever protocol its nodes speak. `max_tokens` is required. With `stream: true` the answer is a stream of named server-sent events that ends with `message_stop`. `provider-version` and `anthropic-version` are the same header; neither is required.",
    body: {
      schema: messagesRequest,
      example: { model: "demo-messages", max_tokens: 64, messages: question },
    },
    success: {
      status: 200,
      description: "The answer; its cost in cents is in `x-tollgate-cost`",
      schema: messagesAnswer,
      other: { mediaType: "text/event-stream", description: "message_start … message_stop events" },
      example: {
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
    errors: [...generationErrors],
  },
  {
    method: "post",
    path: "/v1/messages/count_tokens",
    id: "countTokens",
    tag: "Model API",
    caller: "key",
    summary: "Count the input tokens of a message",
    description: "Not billed; 60 a minute per key.",
    body: { schema: countTokensRequest, example: { model: "demo-messages", messages: question } },
    success: { status: 200, description: "The count", schema: countAnswer, example: { input_tokens: 10 } },
    errors: ["INVALID_REQUEST", "FORBIDDEN", "MODEL_NOT_FOUND", "RATE_LIMITED", "NO_AVAILABLE_NODE"],
  },
  {
    method: "get",
    path: "/v1/models",
    id: "listGatewayModels",
    tag: "Model API",
    caller: "key",
    summary: "List the models this key may use",
    query: gatewayModelsQuery,
    success: { status: 200, description: "The models", schema: gatewayModels },
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
    success: { status: 200, description: "The model", schema: gatewayModel },
    errors: ["MODEL_NOT_FOUND", "NO_AVAILABLE_NODE"],
  },
  {
    method: "get",
    path: "/v1/usage",
    id: "getKeyUsage",
    tag: "Model API",
    caller: "key",
    summary: "Show what the calling key has left",
    success: { status: 200, description: "Quota, use and live limits", schema: keyUsage },
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

/** Health and metrics. Source: docs/contract.md#s9. */
export const operationsOperations: ApiOperation[] = [
  {
    method: "get",
    path: "/api/health/live",
    id: "getLiveness",
    tag: "Operations",
    caller: "public",
    summary: "Is the process alive?",
    success: { status: 200, description: "It is", schema: liveAnswer, example: { status: "ok" } },
  },
  {
    method: "get",
    path: "/api/health/ready",
    id: "getReadiness",
    tag: "Operations",
    caller: "public",
    summary: "Should requests come here?",
    description: "503 with the same body and the reasons when they should not.",
    success: {
      status: 200,
      description: "They should",
      schema: readyAnswer,
      example: { status: "ready", problems: [], degraded: [] },
    },
  },
  {
    method: "get",
    path: "/metrics",
    id: "getMetrics",
    tag: "Operations",
    caller: "metrics",
    summary: "Metrics in the text format of Prometheus",
    description: "Without `METRICS_TOKEN` set, only a direct call from loopback is answered.",
    success: {
      status: 200,
      description: "The metrics",
      other: { mediaType: "text/plain", description: "Prometheus exposition" },
    },
  },
];
