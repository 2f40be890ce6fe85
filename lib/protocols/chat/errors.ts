import type { ErrorFormat } from "@/lib/protocols/adapters/error-format";
import { type ProblemWords, plainWords } from "@/lib/protocols/generation/problems";
import { vendorLimitHeaders } from "@/lib/protocols/wire/vendor-limits";

/** Errors and limits as chat clients read them. Source: docs/protocols.md#s12-7, #s13-2, docs/contract.md#s6. */
export const chatErrors: ErrorFormat = {
  types: {
    INVALID_REQUEST: "invalid_request_error",
    INVALID_API_KEY: "authentication_error",
    INVALID_CREDENTIALS: "authentication_error",
    UNAUTHORIZED: "authentication_error",
    QUOTA_EXCEEDED: "insufficient_quota",
    FORBIDDEN: "permission_error",
    MODEL_NOT_FOUND: "invalid_request_error",
    NOT_FOUND: "invalid_request_error",
    METHOD_NOT_ALLOWED: "invalid_request_error",
    CONFLICT: "invalid_request_error",
    PAYLOAD_TOO_LARGE: "invalid_request_error",
    UNSUPPORTED_MEDIA_TYPE: "invalid_request_error",
    RATE_LIMITED: "rate_limit_error",
    INTERNAL_ERROR: "server_error",
    UPSTREAM_ERROR: "server_error",
    NO_AVAILABLE_NODE: "server_error",
  },

  frame({ code, message, reason }) {
    const error = { message, type: this.types[code], code, param: null };
    return `data: ${JSON.stringify({ error: reason === undefined ? error : { ...error, reason } })}\n\n`;
  },

  limitHeaders: vendorLimitHeaders,
};

/** What a node cannot take, in the words of chat clients. Source: docs/protocols.md#s4. */
export const chatWords: ProblemWords = {
  ...plainWords,
  choices: () => ({ param: "n", message: "n must be 1: this model gives one choice." }),
  audioOutput: () => ({ param: "audio", message: "audio: this model answers in text only." }),
  outputModalities: () => ({
    param: "modalities",
    message: 'modalities must be ["text"]: this model answers in text only.',
  }),
  moderation: () => ({
    param: "moderation",
    message: "moderation: this model cannot enforce a blocking policy; remove it or use another model.",
  }),
  imageUrl: ({ source }) => ({
    param: source,
    message: `${source}: this model takes no image URLs; send the image as a data URL.`,
  }),
  imageForm: ({ source }) => ({ param: source, message: `${source} must be an https or data URL.` }),
  audio: ({ source }) => ({
    param: source,
    message: source.endsWith("].audio")
      ? `${source}: this model takes no audio; send the transcript as content.`
      : `${source}: this model takes no audio; send text, images or files.`,
  }),
  // A web search is no entry of a list: its field has no type.
  hostedTool: (tool) =>
    tool.runs === "web search"
      ? { param: tool.source, message: `${tool.source} cannot be used with this model.` }
      : plainWords.hostedTool(tool),
  unknownChoice: (source) => ({
    param: source,
    message: `${source} must be auto, none, required or the name of one of the tools.`,
  }),
  resultWithoutCallId: ({ source }) => ({
    param: `${source}.tool_call_id`,
    message: `${source}.tool_call_id must be the id of the call it answers.`,
  }),
  orphanResult: ({ source, name }) => {
    const param = `${source}.${name === null ? "tool_call_id" : "name"}`;
    return { param, message: `${param} must belong to a call of the assistant message before it.` };
  },
  unanswered: ({ source, calls }) => {
    const param = `${source}.tool_calls`;
    const ids = calls.map(({ callId, name }) => callId || name).join(", ");
    return { param, message: `${param}: no tool message answers ${ids}; add one for each call.` };
  },
  neverAnswered: ({ source }) => {
    const index = /\d+/.exec(source)?.[0];
    return {
      param: "messages",
      message: `messages: tool_calls at index ${index} have no results; add a tool message for each call.`,
    };
  },
};
