import {
  type Problem,
  type ProblemWords,
  plainWords,
  type UnansweredCalls,
} from "@/lib/protocols/generation/problems";

/** The error texts for messages clients about what a node does not accept. Source: docs/protocols.md#s5. */
export const messagesWords: ProblemWords = {
  ...plainWords,
  stopCount: (most) => ({
    param: "stop_sequences",
    message: `stop_sequences must have at most ${most} entries for this model.`,
  }),
  imageUrl: ({ source }) => ({
    param: `${source}.url`,
    message: `${source}.url: this model takes no such image URL; send the image as base64.`,
  }),
  imageForm: ({ source }) => ({
    param: `${source}.type`,
    message: `${source}.type must be base64 or url for this model.`,
  }),
  documentForm: ({ source }) => ({
    param: `${source}.type`,
    message: `${source}.type must be base64, text or content for this model: files are not fetched.`,
  }),
  hostedTool: ({ source, type, runs }) => {
    const why =
      runs === "as its maker defined"
        ? "its schema is known only to the model it was made for"
        : "it is not known here";
    return {
      param: `${source}.type`,
      message: `${source}.type ${type} cannot be used with this model: ${why}. Define a custom tool with an input_schema.`,
    };
  },
  noOwnTool: (tool) => ({
    param: `${tool.source}.type`,
    message: `${tool.source}.type: this model cannot run ${tool.kind === "hosted" ? tool.type : tool.name}; it takes tools that the caller runs.`,
  }),
  unknownChoice: (source) => ({
    param: source,
    message: `${source} must be the name of one of the tools.`,
  }),
  orphanResult: ({ source, callId }) => ({
    param: `${source}.tool_use_id`,
    message: `${source}.tool_use_id: unexpected id ${callId}; each tool_result block must have a tool_use block in the previous message.`,
  }),
  unanswered,
  neverAnswered: unanswered,
};

function unanswered({ source, calls }: UnansweredCalls): Problem {
  const ids = calls.map(({ callId }) => callId).join(", ");
  return {
    param: source,
    message: `${source}: tool_use ids were found without tool_result blocks immediately after: ${ids}. Each tool_use block must have a corresponding tool_result block in the next message.`,
  };
}
