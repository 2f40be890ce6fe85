import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import { clientPaths } from "@/lib/protocols/protocol";
import { responsesFields } from "@/lib/protocols/responses/fields";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/event-stream";
import { emptyResponse } from "./empty-answer";
import { ResponsesEncoder } from "./encode";
import { responsesErrors } from "./errors";
import { foldResponses } from "./fold";
import { parseResponses, responsesConversation } from "./parse";
import { isPlainResponses } from "./plain";
import { responsesPromptFields } from "./prompt-fields";
import { checkResponses } from "./rules";
import { responsesRequest } from "./schema";

/** The client half of Responses. */
export const responsesClient: ClientAdapter = {
  id: "responses",
  clientPath: clientPaths.responses,
  // Codex sends the id of its thread.
  speaks: (headers) => headers["thread-id"] !== undefined,

  schema: responsesRequest,
  countSchema: responsesRequest,
  fields: responsesFields,
  promptFields: responsesPromptFields,
  stateful: true,
  isPlain: isPlainResponses,
  check: checkResponses,
  conversation: responsesConversation,
  parse: parseResponses,

  errors: responsesErrors,
  streamType: eventStreamType,
  jsonToolArguments: false,
  answerId: (requestId) => `resp_${requestId.replace(/-/g, "")}`,
  ping: () => commentPing,
  encoder: (options) => new ResponsesEncoder(options),
  fold: foldResponses,
  emptyAnswer: emptyResponse,
};
