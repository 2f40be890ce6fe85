import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import { messagesFields } from "@/lib/protocols/messages/fields";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { clientPaths } from "@/lib/protocols/protocol";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/event-stream";
import { MessagesEncoder } from "./encode";
import { messagesErrors } from "./errors-and-limits";
import { foldMessages } from "./fold";
import { parseMessagesRequest } from "./parse";
import { isPlainMessages } from "./plain";
import { messagesPromptFields } from "./prompt-fields";
import { refuseThread } from "./refuse-thread";
import { countTokensRequest, messagesRequest } from "./schema";
import { checkVersionRules } from "./version-rules";

/** Keep-alive of a started stream, allowed between any two events. Source: docs/protocols.md#s12-6. */
const pingEvent = 'event: ping\ndata: {"type":"ping"}\n\n';

/** The client half of Messages. */
export const messagesClient: ClientAdapter = {
  id: "messages",
  clientPath: clientPaths.messages,
  speaks: (headers) => headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined,

  schema: messagesRequest,
  countSchema: countTokensRequest,
  fields: messagesFields,
  promptFields: messagesPromptFields,
  isPlain: isPlainMessages,
  check(body, { version }) {
    refuseThread(body);
    checkVersionRules(body, version);
  },
  conversation: (body, session) =>
    conversationOpening(body.prompt_cache_key ?? session, body.system, body.messages),
  parse: parseMessagesRequest,

  errors: messagesErrors,
  streamType: eventStreamType,
  jsonToolArguments: true,
  answerId: (requestId) => `msg_${requestId.replace(/-/g, "")}`,
  ping: (started) => (started ? pingEvent : commentPing),
  encoder: (options) => new MessagesEncoder(options),
  fold: foldMessages,
};
