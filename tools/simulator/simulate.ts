import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import { type Behaviour, behaviourOf, isPlain } from "./behaviour";
import { chatError, chatFrames, chatWhole } from "./chat-wire";
import { type Answer, composeAnswer, inputTokens } from "./compose";
import { type Conversation, Refusal } from "./conversation";
import { geminiError, geminiFrames, geminiWhole } from "./gemini-wire";
import { objectOf } from "./json";
import { messagesError, messagesFrames, messagesWhole } from "./messages-wire";
import { readChat } from "./read-chat";
import { readGemini } from "./read-gemini";
import { readMessages } from "./read-messages";
import { readResponses } from "./read-responses";
import { responsesError, responsesErrorFrame, responsesFrames, responsesWhole } from "./responses-wire";

/** What is to be sent for one request. */
export interface Script {
  protocol: NodeProtocol;
  model: string;
  status: number;
  headers: Record<string, string>;
  stream: boolean;
  /** Frames of a stream, or the one whole body. */
  parts: string[];
  /** The same joined, written at once: a text leaves with its headers in one write. */
  text: string;
  behaviour: Behaviour;
  usage: Answer["usage"];
  /** Every call with this body gets the same bytes at once. */
  plain: boolean;
}

/** How a protocol spells what the simulation reads and answers. */
interface Spelling {
  read(body: JsonObject): Conversation;
  whole(answer: Answer): string;
  frames(answer: Answer, includeUsage: boolean): string[];
  error(status: number, message: string, param: string | null): string;
  /** The frame a stream breaks with. */
  errorFrame(message: string, parts: readonly string[]): string;
}

const spellings: Readonly<Record<NodeProtocol, Spelling>> = {
  chat: {
    read: readChat,
    whole: chatWhole,
    frames: chatFrames,
    error: chatError,
    errorFrame: (message) => `data: ${chatError(500, message, null)}\n\n`,
  },
  messages: {
    read: readMessages,
    whole: messagesWhole,
    frames: messagesFrames,
    error: messagesError,
    errorFrame: (message) => `event: error\ndata: ${messagesError(529, message)}\n\n`,
  },
  responses: {
    read: readResponses,
    whole: responsesWhole,
    frames: responsesFrames,
    error: responsesError,
    errorFrame: responsesErrorFrame,
  },
  gemini: {
    read: readGemini,
    whole: geminiWhole,
    frames: geminiFrames,
    error: geminiError,
    errorFrame: (message) => `data: ${geminiError(500, message, null)}\r\n\r\n`,
  },
};

const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** The script for a generation request; a refusal is a script too. */
export function simulate(protocol: NodeProtocol, bodyText: string): Script {
  try {
    const body = parseBody(bodyText);
    return scriptOf(spellings[protocol].read(body), bodyText);
  } catch (error) {
    if (error instanceof Refusal) return errorScript(protocol, error.status, error.message, error.param);
    throw error;
  }
}

/** The answer of `POST /v1/messages/count_tokens`. */
export function simulateCount(bodyText: string): Script {
  try {
    const body = { max_tokens: 1, ...parseBody(bodyText) };
    const conversation = readMessages(body);
    return wholeScript("messages", 200, JSON.stringify({ input_tokens: inputTokens(conversation) }));
  } catch (error) {
    if (error instanceof Refusal) return errorScript("messages", error.status, error.message, error.param);
    throw error;
  }
}

/** The answer of `countTokens` of Gemini. */
export function simulateGeminiCount(bodyText: string): Script {
  try {
    const { generateContentRequest: inner, ...outer } = parseBody(bodyText);
    const conversation = readGemini({ ...outer, ...objectOf(inner) });
    return wholeScript("gemini", 200, JSON.stringify({ totalTokens: inputTokens(conversation) }));
  } catch (error) {
    if (error instanceof Refusal) return errorScript("gemini", error.status, error.message, error.param);
    throw error;
  }
}

/** An error answer in the words of a protocol. */
export function errorScript(
  protocol: NodeProtocol,
  status: number,
  message: string,
  param: string | null = null,
): Script {
  return wholeScript(protocol, status, spellings[protocol].error(status, message, param));
}

/** The HTTP error a model name asks for. */
export function statusScript(script: Script, status: number): Script {
  const error = errorScript(script.protocol, status, `simulated status ${status}`);
  const retry = script.behaviour.retryAfterSeconds;
  return retry === null ? error : { ...error, headers: { ...error.headers, "retry-after": String(retry) } };
}

/** The frame a stream breaks with when the provider fails in the middle. */
export function errorFrame({ protocol, parts }: Script): string {
  return spellings[protocol].errorFrame("simulated failure inside the stream", parts);
}

/** The body of a request. Throws: Refusal. */
export function parseBody(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal(400, "We could not parse the JSON body of your request.");
}

function scriptOf(conversation: Conversation, bodyText: string): Script {
  const { protocol, model, stream } = conversation;
  const behaviour = behaviourOf(model);
  const seed = createHash("sha256").update(bodyText).digest("hex");
  const answer = composeAnswer(conversation, behaviour, seed);
  const { frames, whole } = spellings[protocol];
  const parts = stream ? frames(answer, conversation.includeUsage) : [whole(answer)];
  const text = parts.join("");
  return {
    protocol,
    model,
    status: 200,
    headers: stream ? STREAM_HEADERS : jsonHeaders(text),
    stream,
    parts,
    text,
    behaviour,
    usage: answer.usage,
    plain: isPlain(behaviour),
  };
}

function jsonHeaders(text: string): Record<string, string> {
  return { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
}

/** A script that is one whole JSON body. */
export function wholeScript(protocol: NodeProtocol, status: number, text: string): Script {
  return {
    protocol,
    model: "",
    status,
    headers: jsonHeaders(text),
    stream: false,
    parts: [text],
    text,
    behaviour: behaviourOf(""),
    usage: null,
    plain: false,
  };
}
