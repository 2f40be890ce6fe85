import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { responsesFields } from "../fields";
import { responsesReader } from "./answer-reader";
import { responsesConcepts } from "./concepts";
import { ResponsesLimitEnding } from "./limit-ending";
import { renderResponses } from "./render";
import { responseFrames } from "./whole";
import { withoutReasoning } from "./without-reasoning";

/** The node half of Responses: named events that open, fill and close the items of an answer. */
export const responsesNode: NodeAdapter = {
  id: "responses",
  // The base URL of a Responses node includes the version. Source: docs/contract.md#s3.
  api: {
    generation: () => "/responses",
    models: { path: "/models", next: () => null },
    credential: "authorization",
    headers: {},
    reasoningIsSummary: true,
  },

  fields: responsesFields,
  concepts: responsesConcepts,
  extras: extrasOf("responses"),
  render: renderResponses,
  withoutReasoning,

  ...responsesReader,
  framesOfWhole: responseFrames,
  limitEnding: () => new ResponsesLimitEnding(),
  readFailure,
};
