import type { ErrorFormat, RateLimitUse } from "@/lib/protocols/adapter";
import {
  type Problem,
  type ProblemWords,
  plainWords,
  remaining,
  type UnansweredCalls,
} from "@/lib/protocols/generation/problems";

/** Errors and limits as messages clients read them. Source: docs/protocols.md#s12-7, #s13-2, docs/contract.md#s6. */
export const messagesErrors: ErrorFormat = {
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

/** What a node cannot take, in the words of messages clients. Source: docs/protocols.md#s5. */
export const messagesWords: ProblemWords = {
  ...plainWords,
  stopCount: (most) => ({
    param: "stop_sequences",
    message: `stop_sequences must have at most ${most} entries for this model.`,
  }),
  imageUrl: ({ source }) => ({
    param: `${source}.url`,
    message: `${source}.url: this model takes no such image URL; send the image as base64.`,
  }),
  imageForm: ({ source }) => ({
    param: `${source}.type`,
    message: `${source}.type must be base64 or url for this model.`,
  }),
  documentForm: ({ source }) => ({
    param: `${source}.type`,
    message: `${source}.type must be base64, text or content for this model: files are not fetched.`,
  }),
  hostedTool: ({ source, type, runs }) => {
    const why =
      runs === "as its maker defined"
        ? "its schema is known only to the model it was made for"
        : "it is not known here";
    return {
      param: `${source}.type`,
      message: `${source}.type ${type} cannot be used with this model: ${why}. Define a custom tool with an input_schema.`,
    };
  },
  noOwnTool: (tool) => ({
    param: `${tool.source}.type`,
    message: `${tool.source}.type: this model cannot run ${tool.kind === "hosted" ? tool.type : tool.name}; it takes tools that the caller runs.`,
  }),
  unknownChoice: (source) => ({
    param: source,
    message: `${source} must be the name of one of the tools.`,
  }),
  orphanResult: ({ source, callId }) => ({
    param: `${source}.tool_use_id`,
    message: `${source}.tool_use_id: unexpected id ${callId}; each tool_result block must have a tool_use block in the previous message.`,
  }),
  unanswered,
  neverAnswered: unanswered,
};

function unanswered({ source, calls }: UnansweredCalls): Problem {
  const ids = calls.map(({ callId }) => callId).join(", ");
  return {
    param: source,
    message: `${source}: tool_use ids were found without tool_result blocks immediately after: ${ids}. Each tool_use block must have a corresponding tool_result block in the next message.`,
  };
}
