import type { ProtocolAdapter } from "@/lib/protocols/adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { clientPaths } from "@/lib/protocols/protocol";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/sse-decoder";
import { MessagesDecoder } from "./decode";
import { MessagesEncoder } from "./encode";
import { messagesErrors } from "./errors";
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
} from "./schema";
import { messagesPayloads, plainMessagesEvents } from "./whole";

/** Keep-alive of a stream that has begun; it may stand between any two events. Source: docs/protocols.md#s12-6. */
const pingEvent = 'event: ping\ndata: {"type":"ping"}\n\n';

/** Messages: named events that open, fill and close content blocks. */
export const messagesAdapter: ProtocolAdapter = {
  id: "messages",
  // The base URL of a messages node is the root, without the version. Source: docs/contract.md#s3.
  node: {
    path: "/v1/messages",
    countTokensPath: "/v1/messages/count_tokens",
    modelsPath: "/v1/models",
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
  isPlain: isPlainMessages,
  check: (body, { version }) => checkVersionRules(body, version),
  conversation: (body, session) =>
    conversationOpening(body.prompt_cache_key ?? session, body.system, body.messages),
  parse: parseMessagesRequest,
  render: renderMessages,
  patch: patchMessages,

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
      data: JSON.stringify(payload),
    })),
  limitEnding: () => new MessagesLimitEnding(),
  readFailure,

  encoder: (options) => new MessagesEncoder(options),
  fold: foldMessages,

  passthrough: (options) => new MessagesPassthrough(options),
  passWhole: passWholeMessage,
};
