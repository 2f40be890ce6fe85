import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { geminiFields } from "@/lib/protocols/gemini/fields";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { geminiReader } from "./answer-reader";
import { geminiApi } from "./api";
import { geminiConcepts } from "./concepts";
import { GeminiLimitEnding } from "./limit-ending";
import { renderGemini } from "./render";
import { geminiFrames } from "./whole";
import { withoutSignatures } from "./without-signatures";

/** The node half of Gemini: `generateContent` and `streamGenerateContent`. */
export const geminiNode: NodeAdapter = {
  id: "gemini",
  api: geminiApi,

  fields: geminiFields,
  concepts: geminiConcepts,
  extras: extrasOf("gemini"),
  render: renderGemini,
  withoutReasoning: withoutSignatures,

  ...geminiReader,
  framesOfWhole: (body) => geminiFrames(body),
  limitEnding: (choices) => new GeminiLimitEnding(choices),
  readFailure,
};
