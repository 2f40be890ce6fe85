import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "@/lib/protocols/generation/parts";
import { audioPart, detailOf, inlineDocument, parseDataUri } from "@/lib/protocols/passes/media";
import { parseReplayedReasoning } from "./parse-replayed-reasoning";
import type { ChatMessage, ChatToolCall } from "./schema";

/** The messages of a chat request; the system and developer messages at the start are its instructions. */
export interface ParsedMessages {
  instructions: Turn[];
  turns: Turn[];
}

/** Parses a chat history into turns. Throws: INVALID_REQUEST naming the message. Source: docs/protocols.md#s4-3. */
export function parseMessages(messages: readonly ChatMessage[]): ParsedMessages {
  const instructions: Turn[] = [];
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    const source = `messages[${index}]`;
    const leads = turns.length === 0 && (message.role === "system" || message.role === "developer");
    const turn = parseMessage(message, index, source);
    if (leads) instructions.push(turn);
    else turns.push(turn);
  });
  return { instructions, turns };
}

function parseMessage(message: ChatMessage, index: number, source: string): Turn {
  const { role, content } = message;
  switch (role) {
    case "system":
    case "developer":
      return { role, source, parts: parts(content, source, textParts), cache: cacheMark(message) };
    case "user":
      return { role, source, parts: parts(content, source, userParts), cache: cacheMark(message) };
    case "assistant":
      return { role, source, parts: assistantParts(message, index, source), cache: cacheMark(message) };
    case "tool":
    case "function":
      return { role: "tool", source, parts: [toolResult(message, source)], cache: undefined };
  }
}

type Content = ChatMessage["content"];

function parts(content: Content, source: string, read: typeof userParts): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [{ kind: "text", source, text: content, cache: undefined }];
  return read(content, source);
}

function assistantParts(message: ChatMessage, index: number, source: string): Part[] {
  const found: Part[] = [];
  if (message.audio != null) found.push({ kind: "audio", source: `${source}.audio` });
  parseReplayedReasoning(message, source, found);
  for (const part of parts(message.content, source, textParts)) found.push(part);
  if (typeof message.refusal === "string" && message.refusal !== "")
    found.push({ kind: "refusal", source: `${source}.refusal`, text: message.refusal });
  addCalls(message, index, source, found);
  return found;
}

function addCalls(message: ChatMessage, index: number, source: string, found: Part[]): void {
  const calls = message.tool_calls ?? [];
  for (let ordinal = 0; ordinal < calls.length; ordinal += 1) {
    const call = calls[ordinal];
    if (call !== undefined) found.push(toolCall(call, `${source}.tool_calls[${ordinal}]`));
  }
  // Some servers add an empty object of the older field to a message with tool_calls.
  const older = calls.length === 0 ? message.function_call : null;
  if (older?.name)
    found.push(callPart(`${source}.function_call`, `function#${index}`, older.name, older.arguments, false));
}

function toolCall(call: ChatToolCall, source: string): ToolCallPart {
  if (call.type === "custom" && isObject(call.custom))
    return callPart(source, call.id ?? "", String(call.custom.name), call.custom.input, true);
  if (call.type != null && call.type !== "function" && call.type !== "") {
    throw invalid(`${source}.type`, `${source}.type must be function.`);
  }
  if (call.function == null)
    throw invalid(`${source}.function`, `${source}.function must name the function that was called.`);
  return callPart(source, call.id ?? "", call.function.name, call.function.arguments, false);
}

function callPart(
  source: string,
  callId: string,
  name: string,
  input: unknown,
  custom: boolean,
): ToolCallPart {
  return { kind: "tool_call", source, callId, name, input, inputIsText: typeof input === "string", custom };
}

function toolResult(message: ChatMessage, source: string): ToolResultPart {
  const { content } = message;
  const isNamed = message.role === "function";
  return {
    kind: "tool_result",
    source,
    callId: isNamed ? null : (message.tool_call_id ?? null),
    name: isNamed ? (message.name ?? "") : null,
    content: typeof content === "string" ? content : content == null ? "" : userParts(content, source),
    isError: false,
    cache: cacheMark(message),
  };
}

type ContentParts = Exclude<ChatMessage["content"], string | null | undefined>;

/**
 * The parts of a user's or a tool's message. Throws: INVALID_REQUEST naming the part. Source: docs/protocols.md#s4-4.
 */
function userParts(content: ContentParts, at: string): Part[] {
  return content.map((part, index) => userPart(part, `${at}.content[${index}]`));
}

/**
 * The parts of roles with text only: system, developer, assistant. Throws: INVALID_REQUEST. Source:
 * docs/protocols.md#s4-3.
 */
function textParts(content: ContentParts, at: string): Part[] {
  return content.map((part, index) => {
    const source = `${at}.content[${index}]`;
    switch (part.type) {
      case "text":
        return textPart(part, source);
      case "refusal":
        return { kind: "refusal", source, text: requireText(part.refusal, `${source}.refusal`) };
      case "thinking":
      case "reasoning":
        return { kind: "reasoning", source, text: null, signature: null, sealed: null, format: null };
      default:
        throw invalid(`${source}.type`, `${source}.type must be text here: this role holds no ${part.type}.`);
    }
  });
}

/** The cache mark of a part, a message or a tool. Source: docs/protocols.md#s4-1, #s4-2. */
export function cacheMark(holder: JsonObject): CacheMark | undefined {
  if (isObject(holder.cache_control)) return holder.cache_control;
  const breakpoint = holder.prompt_cache_breakpoint;
  return isObject(breakpoint) && breakpoint.mode === "explicit" ? { type: "ephemeral" } : undefined;
}

function userPart(part: JsonObject, source: string): Part {
  switch (part.type) {
    case "text":
      return textPart(part, source);
    case "image_url":
      return imagePart(part, `${source}.image_url.url`);
    case "file":
      return documentPart(part, `${source}.file.file_data`);
    case "input_audio":
      return audioPart(part.input_audio, source);
    default:
      throw invalid(`${source}.type`, `${source}.type must be one of text, image_url, file.`);
  }
}

function textPart(part: JsonObject, source: string): TextPart {
  return { kind: "text", source, text: requireText(part.text, `${source}.text`), cache: cacheMark(part) };
}

function requireText(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw invalid(param, `${param} must be a string.`);
}

function imagePart(part: JsonObject, source: string): ImagePart {
  const image = part.image_url;
  const url = isObject(image) ? image.url : image;
  if (typeof url !== "string" || url === "") throw invalid(source, `${source} must be an https or data URL.`);
  const detail = isObject(image) ? detailOf(image.detail) : null;
  const own = { kind: "image", source, detail, cache: cacheMark(part) } as const;
  if (/^https:\/\//i.test(url)) return { ...own, media: { form: "url", url } };
  const media = parseDataUri(url);
  return { ...own, media: media === null ? { form: "other" } : { form: "data", ...media } };
}

/** A file; a file with a text type or text name becomes text. Source: docs/protocols.md#s4-4. */
function documentPart(part: JsonObject, source: string): DocumentPart {
  const { file } = part;
  if (
    !isObject(file) ||
    typeof file.file_data !== "string" ||
    file.file_data === "" ||
    /^https?:/i.test(file.file_data)
  ) {
    throw invalid(
      source,
      `${source} must hold the file itself (a data URL or base64): files are not fetched, and file ids belong to another service.`,
    );
  }
  const title = typeof file.filename === "string" ? file.filename : null;
  return {
    kind: "document",
    source,
    title,
    context: null,
    cited: false,
    media: inlineDocument(file.file_data, title),
    cache: cacheMark(part),
  };
}
