import type { ProtocolAdapter } from "@/lib/protocols/adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { clientPaths } from "@/lib/protocols/protocol";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/sse-decoder";
import { ResponsesDecoder } from "./decode";
import { foldResponses, ResponsesEncoder } from "./encode";
import { responsesErrors } from "./errors";
import { parseResponses, responsesConversation } from "./parse";
import { GatheredResponse, passWholeResponse, ResponsesPassthrough } from "./passthrough";
import { patchResponses, withoutReasoning } from "./patch";
import { renderResponses } from "./render";
import {
  checkResponses,
  isPlainResponses,
  responsesConcepts,
  responsesFields,
  responsesPromptFields,
  responsesRequest,
} from "./schema";
import { ResponsesLimitEnding, responseEvents, responseFrames } from "./whole";

/** Responses: named events that open, fill and close the items of an answer. */
export const responsesAdapter: ProtocolAdapter = {
  id: "responses",
  // The base URL of a Responses node has the version in it. Source: docs/contract.md#s3.
  node: {
    path: "/responses",
    countTokensPath: null,
    modelsPath: "/models",
    credential: "authorization",
    headers: {},
    reasoningIsSummary: true,
  },

  schema: responsesRequest,
  countSchema: responsesRequest,
  fields: responsesFields,
  promptFields: responsesPromptFields,
  concepts: responsesConcepts,
  extras: extrasOf("responses"),
  stateful: true,
  isPlain: isPlainResponses,
  check: checkResponses,
  conversation: responsesConversation,
  parse: parseResponses,
  render: renderResponses,
  patch: patchResponses,
  withoutReasoning,

  clientPath: clientPaths.responses,
  jsonToolArguments: false,
  errors: responsesErrors,
  streamType: eventStreamType,

  // Codex names its thread.
  speaks: (headers) => headers["thread-id"] !== undefined,
  answerId: (requestId) => `resp_${requestId.replace(/-/g, "")}`,
  ping: () => commentPing,

  decoder: (options) => new ResponsesDecoder(options),
  decodeWhole: responseEvents,
  framesOfWhole: responseFrames,
  limitEnding: () => new ResponsesLimitEnding(),
  readFailure,

  encoder: (options) => new ResponsesEncoder(options),
  fold: foldResponses,

  passthrough: (options) => new ResponsesPassthrough(options),
  gather: (options) => new GatheredResponse(options),
  passWhole: passWholeResponse,
};
