import type { ProtocolAdapter } from "@/lib/protocols/adapter";
import { readFailure } from "@/lib/protocols/failures/failure";
import { clientPaths } from "@/lib/protocols/protocol";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/frames";
import { ChatDecoder } from "./decode";
import { ChatEncoder } from "./encode";
import { chatErrors } from "./errors";
import { chatConcepts, chatFields } from "./fields";
import { foldChat } from "./fold";
import { ChatLimitEnding } from "./limit-ending";
import { checkChatLimits } from "./limits";
import { chatNode } from "./node";
import { parseChat } from "./parse";
import { passWholeChat } from "./pass-whole";
import { ChatPassthrough } from "./passthrough";
import { patchChat } from "./patch";
import { renderChat } from "./render";
import { chatRequest } from "./schema";
import { chatChunks } from "./whole";

/** Chat completions: chunks that add up to one message. */
export const chatAdapter: ProtocolAdapter = {
  id: "chat",
  node: chatNode,

  schema: chatRequest,
  countSchema: chatRequest,
  fields: chatFields,
  concepts: chatConcepts,
  check: checkChatLimits,
  parse: parseChat,
  render: renderChat,
  patch: patchChat,

  clientPath: clientPaths.chat,
  jsonToolArguments: false,
  errors: chatErrors,
  streamType: eventStreamType,

  speaks: () => false,
  answerId: (requestId) => `chatcmpl-${requestId.replace(/-/g, "")}`,
  ping: () => commentPing,

  decoder: (options) => new ChatDecoder(options),
  decodeWhole(body, options) {
    const decoder = new ChatDecoder(options);
    const events = chatChunks(body, options.choices).flatMap((chunk) => decoder.accept(chunk));
    return [...events, ...decoder.done()];
  },
  framesOfWhole(body, choices) {
    const frames = chatChunks(body, choices).map((chunk) => ({ event: null, data: JSON.stringify(chunk) }));
    return [...frames, { event: null, data: "[DONE]" }];
  },
  limitEnding: (choices) => new ChatLimitEnding(choices),
  readFailure,

  encoder: (options) => new ChatEncoder(options),
  fold: foldChat,

  passthrough: (options) => new ChatPassthrough(options),
  passWhole: passWholeChat,
};
