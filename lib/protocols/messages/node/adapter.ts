import { printJson } from "@/lib/kernel/exact-json";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { messagesFields } from "../fields";
import { messagesReader } from "./answer-reader";
import { messagesApi } from "./api";
import { messagesConcepts } from "./concepts";
import { MessagesLimitEnding } from "./limit-ending";
import { renderMessages } from "./render";
import { messagesPayloads } from "./whole";
import { withoutThinking } from "./without-reasoning";

/** The node half of Messages: named events that open, fill and close content blocks. */
export const messagesNode: NodeAdapter = {
  id: "messages",
  api: messagesApi,

  fields: messagesFields,
  concepts: messagesConcepts,
  extras: extrasOf("messages"),
  render: renderMessages,
  withoutReasoning: withoutThinking,

  ...messagesReader,
  framesOfWhole: (body) =>
    messagesPayloads(body).map((payload) => ({
      event: typeof payload.type === "string" ? payload.type : null,
      data: printJson(payload),
    })),
  limitEnding: () => new MessagesLimitEnding(),
  readFailure,
};
