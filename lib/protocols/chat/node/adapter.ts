import { printJson } from "@/lib/kernel/exact-json";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { withoutCarried } from "../carried-members";
import { chatFields } from "../fields";
import { chatReader } from "./answer-reader";
import { chatConcepts } from "./concepts";
import { ChatLimitEnding } from "./limit-ending";
import { madeCallId } from "./made-call-id";
import { renderChat } from "./render";
import { chatChunks } from "./whole";

/** The node half of Chat Completions: chunks that form one message. */
export const chatNode: NodeAdapter = {
  id: "chat",
  // The base URL of a chat node includes the version. Source: docs/contract.md#s3.
  api: {
    generation: () => "/chat/completions",
    models: { path: "/models", next: () => null },
    credential: "authorization",
    headers: {},
  },

  fields: chatFields,
  concepts: chatConcepts,
  extras: extrasOf("chat"),
  render: renderChat,
  withoutReasoning: withoutCarried,

  ...chatReader(madeCallId),
  framesOfWhole(body, choices) {
    const frames = chatChunks(body, choices).map((chunk) => ({ event: null, data: printJson(chunk) }));
    return [...frames, { event: null, data: "[DONE]" }];
  },
  limitEnding: (choices) => new ChatLimitEnding(choices),
  readFailure,
};
