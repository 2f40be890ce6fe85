import { GatewayError, invalid } from "@/lib/kernel/errors";
import type {
  AudioPart,
  DocumentPart,
  HostedTool,
  ImagePart,
  Tool,
  ToolCallPart,
  ToolResultPart,
} from "./parts";

/**
 * A property of a request that a node does not accept: the client's field, and a sentence in the words of the client's
 * protocol.
 */
export interface Problem {
  param: string;
  message: string;
  /** The error code that clients of the protocol evaluate. */
  code?: string;
}

/** Calls without results; `source` is the turn with the calls. */
export interface UnansweredCalls {
  source: string;
  calls: readonly ToolCallPart[];
}

/**
 * The error texts of a protocol for what a node does not accept. `plainWords` has texts for every protocol; a protocol
 * replaces those for which it has more precise ones.
 */
export interface ProblemWords {
  choices(): Problem;
  audioOutput(): Problem;
  outputModalities(): Problem;
  moderation(): Problem;
  /** A field that refers to state on the server. */
  serverState(field: string): Problem;
  stopCount(most: number): Problem;
  prefill(): Problem;
  emptyHistory(): Problem;
  imagesRefused(part: ImagePart): Problem;
  imageUrl(part: ImagePart): Problem;
  imageForm(part: ImagePart): Problem;
  imageType(part: ImagePart, mediaType: string): Problem;
  audio(part: AudioPart): Problem;
  documentType(part: DocumentPart, mediaType: string): Problem;
  documentForm(part: DocumentPart): Problem;
  pdf(part: DocumentPart): Problem;
  webSearch(tool: HostedTool): Problem;
  hostedTool(tool: HostedTool): Problem;
  /** All tools would have to run at the node. */
  noOwnTool(tool: Tool): Problem;
  duplicateTool(tool: Tool): Problem;
  unknownChoice(source: string): Problem;
  resultWithoutCallId(part: ToolResultPart): Problem;
  orphanResult(part: ToolResultPart): Problem;
  /** Some calls have no result, although later turns follow. */
  unanswered(missing: UnansweredCalls): Problem;
  /** The conversation ends with calls. */
  neverAnswered(missing: UnansweredCalls): Problem;
}

const at = (param: string, text: string): Problem => ({ param, message: `${param}${text}` });

/** Texts for every protocol. */
export const plainWords: ProblemWords = {
  choices: () => at("body", ": this model gives one choice."),
  audioOutput: () => at("body", ": this model answers in text only."),
  outputModalities: () => at("body", ": this model answers in text only."),
  moderation: () => at("body", ": this model cannot enforce a blocking policy."),
  serverState: (field) =>
    at(field, " is state kept by a server and cannot be used with this model; remove it."),
  stopCount: (most) => at("body", `: this model takes at most ${most} stop sequences.`),
  prefill: () => ({
    param: "messages",
    message:
      "messages: this model does not support assistant message prefill; the last message must be from the user.",
  }),
  emptyHistory: () => at("messages", " must hold at least one user or assistant message with content."),
  imagesRefused: ({ source }) => at(source, ": this model takes no images."),
  imageUrl: ({ source }) => at(source, ": this model takes no image URLs."),
  imageForm: ({ source }) => at(source, ": this model takes no image of this kind."),
  imageType: ({ source }, mediaType) =>
    at(source, ` must be a JPEG, PNG, GIF or WebP image, not ${mediaType}.`),
  audio: ({ source }) => at(source, ": this model takes no audio; send text, images or files."),
  documentType: ({ source }, mediaType) => at(source, ` must be a PDF or a text file, not ${mediaType}.`),
  documentForm: ({ source }) => at(source, ": files are not fetched; send the file itself."),
  pdf: ({ source }) => at(source, ": this model takes no PDF; send the text instead."),
  webSearch: ({ source }) => at(source, ": this model has no web search."),
  hostedTool: ({ source, type }) => at(`${source}.type`, ` ${type} cannot be used with this model.`),
  noOwnTool: ({ source }) => at(source, ": this model takes tools that the caller runs."),
  duplicateTool: ({ source }) => at(`${source}.name`, " must be unique among the tools."),
  unknownChoice: (source) => at(source, " must be the name of one of the tools."),
  resultWithoutCallId: ({ source }) => at(source, " must name the call it answers."),
  orphanResult: ({ source }) => at(source, " must belong to a call of the turn before it."),
  unanswered: ({ source }) => at(source, ": calls have no results; add one for each call."),
  neverAnswered: ({ source }) => at(source, ": calls have no results; add one for each call."),
};

/** The 400 for a problem. */
export function refusal({ param, message, code }: Problem): GatewayError {
  const error = invalid(param, message);
  return code === undefined
    ? error
    : new GatewayError(error.code, message, { ...error.details, vendorCode: code });
}

/**
 * A 400 for something that a more lenient setting accepts; `alternative` describes the effect of that setting.
 * Throws: nothing; returns the error to throw.
 */
export function refusedHere({ param, message }: Problem, alternative: string): GatewayError {
  const error = invalid(param, message);
  return new GatewayError(error.code, message, { ...error.details, alternative });
}
