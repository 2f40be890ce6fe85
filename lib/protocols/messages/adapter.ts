import { printJson } from "@/lib/kernel/exact-json";
import type { ErrorFormat, ProtocolAdapter, RateLimitUse } from "@/lib/protocols/adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { remaining } from "@/lib/protocols/generation/problems";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { clientPaths } from "@/lib/protocols/protocol";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/sse-decoder";
import { MessagesDecoder } from "./decode";
import { MessagesEncoder } from "./encode";
import { foldMessages } from "./fold";
import { parseMessagesRequest } from "./parse";
import { MessagesLimitEnding, passWholeMessage } from "./pass-whole";
import { MessagesPassthrough } from "./passthrough";
import { patchMessages } from "./patch";
import { renderMessages } from "./render";
import {
  checkVersionRules,
  countTokensRequest,
  isPlainMessages,
  messagesConcepts,
  messagesFields,
  messagesPromptFields,
  messagesRequest,
  refuseThread,
} from "./schema";
import { messagesPayloads, plainMessagesEvents } from "./whole";
import { withoutThinking } from "./without-reasoning";

/** Keep-alive of a stream that has begun; it may stand between any two events. Source: docs/protocols.md#s12-6. */
const pingEvent = 'event: ping\ndata: {"type":"ping"}\n\n';

/** Errors and limits as messages clients read them. Source: docs/protocols.md#s12-7, #s13-2, docs/contract.md#s6. */
const messagesErrors: ErrorFormat = {
  vendorDetails: true,
  types: {
    INVALID_REQUEST: "invalid_request_error",
    INVALID_API_KEY: "authentication_error",
    INVALID_CREDENTIALS: "authentication_error",
    UNAUTHORIZED: "authentication_error",
    QUOTA_EXCEEDED: "billing_error",
    FORBIDDEN: "permission_error",
    MODEL_NOT_FOUND: "not_found_error",
    NOT_FOUND: "not_found_error",
    METHOD_NOT_ALLOWED: "invalid_request_error",
    CONFLICT: "invalid_request_error",
    PAYLOAD_TOO_LARGE: "request_too_large",
    UNSUPPORTED_MEDIA_TYPE: "invalid_request_error",
    RATE_LIMITED: "rate_limit_error",
    INTERNAL_ERROR: "api_error",
    UPSTREAM_ERROR: "api_error",
    NO_AVAILABLE_NODE: "overloaded_error",
  },

  frame({ code, message, reason, requestId }) {
    const details = reason === undefined ? { error_code: code } : { error_code: code, reason };
    const error = { type: this.types[code], message, details };
    return `event: error\ndata: ${JSON.stringify({ type: "error", error, request_id: requestId })}\n\n`;
  },

  limitHeaders({ rpm, tpm }, wallMs) {
    const headers: Record<string, string> = {};
    addLimit(headers, requestNames, rpm, wallMs);
    addLimit(headers, tokenNames, tpm, wallMs);
    return headers;
  },
};

/** Whole names: V8 would look each joined one up in its table of names again for every answer. */
const requestNames = {
  limit: "anthropic-ratelimit-requests-limit",
  remaining: "anthropic-ratelimit-requests-remaining",
  reset: "anthropic-ratelimit-requests-reset",
};
const tokenNames = {
  limit: "anthropic-ratelimit-tokens-limit",
  remaining: "anthropic-ratelimit-tokens-remaining",
  reset: "anthropic-ratelimit-tokens-reset",
};

function addLimit(
  headers: Record<string, string>,
  names: typeof requestNames,
  use: RateLimitUse,
  wallMs: number,
): void {
  if (use.limit === null) return;
  headers[names.limit] = String(use.limit);
  headers[names.remaining] = remaining(use.limit, use.used);
  const resetSeconds = Math.ceil((wallMs + use.resetMs) / 1_000);
  headers[names.reset] = new Date(resetSeconds * 1_000).toISOString().replace(".000Z", "Z");
}

/** What the counter of tokens refuses. Source: docs/protocols.md#s15-2. */
const uncounted: ReadonlySet<string> = new Set([
  "max_tokens",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "metadata",
  "service_tier",
]);

/** Messages: named events that open, fill and close content blocks. */
export const messagesAdapter: ProtocolAdapter = {
  id: "messages",
  // The base URL of a messages node is the root, without the version. Source: docs/contract.md#s3.
  node: {
    path: "/v1/messages",
    countTokensPath: "/v1/messages/count_tokens",
    uncounted,
    modelsPath: "/v1/models",
    modelsPages: { query: "limit=1000", after: "after_id" },
    credential: "x-api-key",
    headers: { "anthropic-version": "2023-06-01" },
    portableReasoning: /claude/i,
    reasoningIsSummary: true,
  },

  schema: messagesRequest,
  countSchema: countTokensRequest,
  fields: messagesFields,
  promptFields: messagesPromptFields,
  concepts: messagesConcepts,
  extras: extrasOf("messages"),
  isPlain: isPlainMessages,
  check(body, { version }) {
    refuseThread(body);
    checkVersionRules(body, version);
  },
  conversation: (body, session) =>
    conversationOpening(body.prompt_cache_key ?? session, body.system, body.messages),
  parse: parseMessagesRequest,
  render: renderMessages,
  patch: patchMessages,
  withoutReasoning: withoutThinking,

  clientPath: clientPaths.messages,
  jsonToolArguments: true,
  errors: messagesErrors,
  streamType: eventStreamType,

  speaks: (headers) => headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined,
  answerId: (requestId) => `msg_${requestId.replace(/-/g, "")}`,
  ping: (started) => (started ? pingEvent : commentPing),

  decoder: (options) => new MessagesDecoder(options),
  decodeWhole(body, options) {
    const plain = plainMessagesEvents(body);
    if (plain !== null) return plain;
    const decoder = new MessagesDecoder(options);
    return [...messagesPayloads(body).flatMap((payload) => decoder.accept(payload)), ...decoder.end()];
  },
  framesOfWhole: (body) =>
    messagesPayloads(body).map((payload) => ({
      event: typeof payload.type === "string" ? payload.type : null,
      data: printJson(payload),
    })),
  limitEnding: () => new MessagesLimitEnding(),
  readFailure,

  encoder: (options) => new MessagesEncoder(options),
  fold: foldMessages,

  passthrough: (options) => new MessagesPassthrough(options),
  passWhole: passWholeMessage,
};
