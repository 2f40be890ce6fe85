import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { ResponsesDecoder } from "../decode";
import { responsesDirect } from "../direct/adapter";
import { responsesFields } from "../fields";
import { withoutReasoning } from "../patch";
import { renderResponses } from "../render";
import { ResponsesLimitEnding, responseEvents, responseFrames } from "../whole";
import { responsesConcepts } from "./concepts";

/** Responses as its nodes know it: named events that open, fill and close the items of an answer. */
export const responsesNode: NodeAdapter = {
  id: "responses",
  // The base URL of a Responses node has the version in it. Source: docs/contract.md#s3.
  api: {
    generation: () => "/responses",
    models: { path: "/models", next: () => null },
    credential: "authorization",
    headers: {},
    reasoningIsSummary: true,
  },
  direct: responsesDirect,

  fields: responsesFields,
  concepts: responsesConcepts,
  extras: extrasOf("responses"),
  render: renderResponses,
  withoutReasoning,

  decoder: (options) => new ResponsesDecoder(options),
  decodeWhole: responseEvents,
  framesOfWhole: responseFrames,
  limitEnding: () => new ResponsesLimitEnding(),
  readFailure,
};
