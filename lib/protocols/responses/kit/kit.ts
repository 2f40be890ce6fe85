import { efforts } from "@/lib/protocols/kit/efforts";
import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import { clientPaths } from "@/lib/protocols/protocol";
import { responsesCode } from "./code";
import { inputItems } from "./turns";

/** The kit of Responses for callers. */
export const responsesKit: ProtocolKit = {
  name: "Responses",
  path: clientPaths.responses,
  basePath: "/v1",
  credentials: (secret) => ({ Authorization: `Bearer ${secret}` }),

  conversation: ({ maxTokens, system, turns }) => ({
    max_output_tokens: maxTokens,
    store: false,
    ...(system === "" ? {} : { instructions: system }),
    input: turns.flatMap(inputItems),
  }),
  highestTemperature: 2,
  stopField: null,
  numberFields: {
    topP: "top_p",
    frequencyPenalty: "frequency_penalty",
    presencePenalty: "presence_penalty",
  },
  efforts,
  jsonWithoutSchema: true,
  answerForm: ({ effort, json, schema }) => ({
    ...(effort === null ? {} : { reasoning: { effort } }),
    ...(schema !== null
      ? { text: { format: { type: "json_schema", name: "answer", schema } } }
      : json
        ? { text: { format: { type: "json_object" } } }
        : {}),
  }),
  tool: (tool) => ({ type: "function", ...tool }),
  // Functions are strict by default in this protocol, but not every schema fits the strict rules.
  forcedTool: (tool) => ({
    tools: [{ type: "function", ...tool, strict: false }],
    tool_choice: { type: "function", name: tool.name },
  }),

  counting: { path: `${clientPaths.responses}/input_tokens`, foreignField: "max_output_tokens" },
  usagePath: "/v1/usage",

  // The gateway also ends Responses streams with `[DONE]`.
  endsStream: ({ data }) => data === "[DONE]",
  cutReasons: ["max_output_tokens"],
  cachedIsInput: true,
  reasoningIsSummary: true,

  code: responsesCode,
};
