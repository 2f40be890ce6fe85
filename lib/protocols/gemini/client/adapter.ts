import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import { geminiFields } from "@/lib/protocols/gemini/fields";
import { eventStreamType } from "@/lib/protocols/sse/event-stream";
import { arrayForm } from "./array-form";
import { GeminiEncoder } from "./encode";
import { geminiErrors } from "./errors";
import { foldGemini } from "./fold";
import { geminiForm } from "./own-form";
import { geminiConversation, parseGemini } from "./parse";
import { geminiPath } from "./path";
import { geminiPromptFields } from "./prompt-fields";
import { checkGemini } from "./rules";
import { geminiRequest } from "./schema";

/** White space, which clients skip; they fail at comments. Source: docs/gemini.md#streams. */
const blankLines = "\n\n";

/** The client half of Gemini. */
export const geminiClient: ClientAdapter = {
  id: "gemini",
  clientPath: "/v1beta",
  readPath: geminiPath,
  speaks: (headers) => headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined,

  schema: geminiRequest,
  countSchema: geminiRequest,
  fields: geminiFields,
  promptFields: geminiPromptFields,
  isPlain: () => false,
  check: checkGemini,
  conversation: geminiConversation,
  ownForm: geminiForm,
  parse: parseGemini,

  errors: geminiErrors,
  streamType: eventStreamType,
  streamForm: arrayForm,
  takesComments: false,
  jsonToolArguments: true,
  answerId: (requestId) => requestId.replaceAll("-", ""),
  countAnswer: (tokens) => ({ totalTokens: tokens }),
  ping: () => blankLines,
  encoder: (options) => new GeminiEncoder(options),
  fold: foldGemini,
};
