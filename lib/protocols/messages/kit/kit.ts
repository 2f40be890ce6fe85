import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import type { Tool } from "@/lib/protocols/kit/tool";
import { clientPaths } from "@/lib/protocols/protocol";
import { messagesCode } from "./code";
import { messageOf } from "./turns";

/** The kit of Messages for callers. */
export const messagesKit: ProtocolKit = {
  name: "Messages",
  path: clientPaths.messages,
  basePath: "",
  credentials: (secret) => ({ "x-api-key": secret, "anthropic-version": "2023-06-01" }),

  conversation: ({ maxTokens, system, turns }) => ({
    max_tokens: maxTokens,
    ...(system === "" ? {} : { system }),
    messages: turns.map(messageOf),
  }),
  highestTemperature: 1,
  stopField: "stop_sequences",
  numberFields: { topP: "top_p", topK: "top_k" },
  efforts: ["low", "medium", "high", "xhigh", "max"],
  // This protocol supports JSON only with a schema.
  jsonWithoutSchema: false,
  answerForm: ({ effort, schema }) =>
    effort === null && schema === null
      ? {}
      : {
          output_config: {
            ...(effort === null ? {} : { effort }),
            ...(schema === null ? {} : { format: { type: "json_schema", schema } }),
          },
        },
  tool: toolOf,
  forcedTool: (tool) => ({ tools: [toolOf(tool)], tool_choice: { type: "tool", name: tool.name } }),

  counting: { path: `${clientPaths.messages}/count_tokens`, foreignField: "max_tokens" },

  endsStream: ({ event }) => event === "message_stop",
  cutReasons: ["max_tokens", "model_context_window_exceeded"],
  cachedIsInput: false,
  reasoningIsSummary: false,

  code: messagesCode,
};

function toolOf({ name, description, parameters }: Tool) {
  return { name, description, input_schema: parameters };
}
