import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { ProtocolAdapter } from "@/lib/protocols/adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { refusedHere } from "@/lib/protocols/generation/problems";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { clientPaths } from "@/lib/protocols/protocol";
import type { CheckOptions } from "@/lib/protocols/request-adapter";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/sse-decoder";
import { withoutCarried } from "./carried-members";
import { ChatDecoder, ChatLimitEnding } from "./decode";
import { ChatEncoder } from "./encode";
import { chatErrors } from "./errors";
import { foldChat } from "./fold";
import { chatForm } from "./other-forms";
import { parseChat } from "./parse";
import { ChatPassthrough } from "./passthrough";
import { patchChat } from "./patch";
import { renderChat } from "./render";
import { chatConcepts, chatFields, chatPromptFields, chatRequest, isPlainChat } from "./schema";
import { chatChunks, passWholeChat, plainChatEvents } from "./whole";

/** Chat completions: chunks that add up to one message. */
export const chatAdapter: ProtocolAdapter = {
  id: "chat",
  // The base URL of a chat node has the version in it. Source: docs/contract.md#s3.
  node: {
    path: "/chat/completions",
    countTokensPath: null,
    modelsPath: "/models",
    credential: "authorization",
    headers: {},
  },

  schema: chatRequest,
  countSchema: chatRequest,
  fields: chatFields,
  promptFields: chatPromptFields,
  concepts: chatConcepts,
  extras: extrasOf("chat"),
  isPlain: isPlainChat,
  check: checkChatLimits,
  conversation: (body, session) =>
    conversationOpening(body.prompt_cache_key ?? session, undefined, body.messages),
  ownForm: chatForm,
  parse: parseChat,
  render: renderChat,
  patch: patchChat,
  withoutReasoning: withoutCarried,

  clientPath: clientPaths.chat,
  jsonToolArguments: false,
  errors: chatErrors,
  streamType: eventStreamType,

  speaks: () => false,
  answerId: (requestId) => `chatcmpl-${requestId.replaceAll("-", "")}`,
  ping: () => commentPing,

  decoder: (options) => new ChatDecoder(options),
  decodeWhole(body, options) {
    const plain = plainChatEvents(body, options.choices);
    if (plain !== null) return plain;
    const decoder = new ChatDecoder(options);
    const events = chatChunks(body, options.choices).flatMap((chunk) => decoder.accept(chunk));
    return [...events, ...decoder.done()];
  },
  framesOfWhole(body, choices) {
    const frames = chatChunks(body, choices).map((chunk) => ({ event: null, data: printJson(chunk) }));
    return [...frames, { event: null, data: "[DONE]" }];
  },
  limitEnding: (choices) => new ChatLimitEnding(choices),
  readFailure,

  encoder: (options) => new ChatEncoder(options),
  fold: foldChat,

  passthrough: (options) => new ChatPassthrough(options),
  passWhole: passWholeChat,
};

/** Rules that depend on how forgiving the gateway is. Throws: INVALID_REQUEST. Source: docs/protocols.md#d1, #d2. */
function checkChatLimits(body: JsonObject, { compatibility }: CheckOptions): void {
  if (compatibility === "strict" && body.max_tokens == null && body.max_completion_tokens == null) {
    const problem = { param: "max_tokens", message: "max_tokens is required." };
    throw refusedHere(problem, "the alias's default is used instead");
  }
  if (compatibility !== "lenient" && typeof body.temperature === "number" && body.temperature > 1) {
    const problem = { param: "temperature", message: "temperature must be between 0 and 1." };
    throw refusedHere(problem, "values up to 2 are lowered to 1");
  }
}
