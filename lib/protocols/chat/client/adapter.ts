import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import { chatFields } from "@/lib/protocols/chat/fields";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { clientPaths } from "@/lib/protocols/protocol";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/event-stream";
import { ChatEncoder } from "./encode";
import { chatErrors } from "./errors-and-limits";
import { foldChat } from "./fold";
import { chatForm } from "./other-forms";
import { parseChat } from "./parse";
import { isPlainChat } from "./plain";
import { chatPromptFields } from "./prompt-fields";
import { checkChatLimits } from "./rules";
import { chatRequest } from "./schema";

/** The client half of Chat Completions. */
export const chatClient: ClientAdapter = {
  id: "chat",
  clientPath: clientPaths.chat,
  speaks: () => false,

  schema: chatRequest,
  countSchema: chatRequest,
  fields: chatFields,
  promptFields: chatPromptFields,
  isPlain: isPlainChat,
  check: checkChatLimits,
  conversation: (body, session) =>
    conversationOpening(body.prompt_cache_key ?? session, undefined, body.messages),
  ownForm: chatForm,
  parse: parseChat,

  errors: chatErrors,
  streamType: eventStreamType,
  jsonToolArguments: false,
  answerId: (requestId) => `chatcmpl-${requestId.replaceAll("-", "")}`,
  ping: () => commentPing,
  encoder: (options) => new ChatEncoder(options),
  fold: foldChat,
};
