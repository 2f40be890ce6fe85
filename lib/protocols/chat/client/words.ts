import { type ProblemWords, plainWords } from "@/lib/protocols/generation/problems";

/** The error texts for chat clients about what a node does not accept. Source: docs/protocols.md#s4. */
export const chatWords: ProblemWords = {
  ...plainWords,
  choices: () => ({ param: "n", message: "n must be 1: this model gives one choice." }),
  audioOutput: () => ({ param: "audio", message: "audio: this model answers in text only." }),
  outputModalities: () => ({
    param: "modalities",
    message: 'modalities must be ["text"]: this model answers in text only.',
  }),
  moderation: () => ({
    param: "moderation",
    message: "moderation: this model cannot enforce a blocking policy; remove it or use another model.",
  }),
  imageUrl: ({ source }) => ({
    param: source,
    message: `${source}: this model takes no image URLs; send the image as a data URL.`,
  }),
  imageForm: ({ source }) => ({ param: source, message: `${source} must be an https or data URL.` }),
  audio: ({ source }) => ({
    param: source,
    message: source.endsWith("].audio")
      ? `${source}: this model takes no audio; send the transcript as content.`
      : `${source}: this model takes no audio; send text, images or files.`,
  }),
  // A web search is a field, not an entry of a list: it has no type.
  hostedTool: (tool) =>
    tool.runs === "web search"
      ? { param: tool.source, message: `${tool.source} cannot be used with this model.` }
      : plainWords.hostedTool(tool),
  unknownChoice: (source) => ({
    param: source,
    message: `${source} must be auto, none, required or the name of one of the tools.`,
  }),
  resultWithoutCallId: ({ source }) => ({
    param: `${source}.tool_call_id`,
    message: `${source}.tool_call_id must be the id of the call it answers.`,
  }),
  orphanResult: ({ source, name }) => {
    const param = `${source}.${name === null ? "tool_call_id" : "name"}`;
    return { param, message: `${param} must belong to a call of the assistant message before it.` };
  },
  unanswered: ({ source, calls }) => {
    const param = `${source}.tool_calls`;
    const ids = calls.map(({ callId, name }) => callId || name).join(", ");
    return { param, message: `${param}: no tool message answers ${ids}; add one for each call.` };
  },
  neverAnswered: ({ source }) => {
    const index = /\d+/.exec(source)?.[0];
    return {
      param: "messages",
      message: `messages: tool_calls at index ${index} have no results; add a tool message for each call.`,
    };
  },
};
