import { efforts } from "@/lib/protocols/kit/efforts";
import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import { clientPaths } from "@/lib/protocols/protocol";
import { chatCode } from "./code";
import { chatMessages } from "./turns";

/** The kit of Chat Completions for callers. */
export const chatKit: ProtocolKit = {
  name: "Chat completions",
  path: clientPaths.chat,
  basePath: "/v1",
  credentials: (secret) => ({ Authorization: `Bearer ${secret}` }),

  conversation: ({ maxTokens, stream, system, turns }) => ({
    max_tokens: maxTokens,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap(chatMessages),
    ],
  }),
  highestTemperature: 2,
  temperatureBySetting: true,
  stopField: "stop",
  numberFields: {
    topP: "top_p",
    topK: "top_k",
    seed: "seed",
    frequencyPenalty: "frequency_penalty",
    presencePenalty: "presence_penalty",
  },
  efforts,
  jsonWithoutSchema: true,
  answerForm: ({ effort, json, schema }) => ({
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...(schema !== null
      ? { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }
      : json
        ? { response_format: { type: "json_object" } }
        : {}),
  }),
  tool: (tool) => ({ type: "function", function: { ...tool } }),
  forcedTool: (tool) => ({
    tools: [{ type: "function", function: { ...tool } }],
    tool_choice: { type: "function", function: { name: tool.name } },
  }),

  usagePath: "/v1/usage",

  endsStream: ({ data }) => data === "[DONE]",
  cutReasons: ["length"],
  cachedIsInput: true,
  reasoningIsSummary: false,

  code: chatCode,
};
