import { invalid } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  Media,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "@/lib/protocols/generation/parts";
import { compact } from "@/lib/protocols/passes/media";
import type { MessagesBlock, MessagesRequest, MessagesTurn } from "./schema";
import { searchResultText, serverStepText } from "./server-step-text";

/** A block of a user's turn. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-3. */
function userPart(block: JsonObject, at: string): Part {
  return block.type === "tool_result" ? toolResult(block, at) : contentPart(block, at);
}

/** A block of a turn of the model. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-2, #s5-3. */
function assistantPart(block: JsonObject, at: string): Part {
  switch (block.type) {
    case "text":
      return textPart(block, at);
    case "tool_use":
      return toolCall(block, at);
    case "thinking":
    case "redacted_thinking":
      return reasoning(block, at);
    case "compaction":
      return native(block, at, typeof block.content === "string" ? block.content : "");
    case "container_upload":
    case "fallback":
    case "mcp_tool_listing":
    case "image":
    case "document":
      return native(block, at, null);
    default:
      return serverStep(block, at);
  }
}

/** A block of text. Throws: INVALID_REQUEST. */
function textPart(block: JsonObject, source: string): TextPart {
  const { text } = block;
  if (typeof text !== "string") throw invalid(`${source}.text`, `${source}.text must be a string.`);
  return { kind: "text", source, text, cache: cacheMark(block) };
}

function contentPart(block: JsonObject, at: string): Part {
  switch (block.type) {
    case "text":
      return textPart(block, at);
    case "image":
      return imagePart(block, `${at}.source`);
    case "document":
      return documentPart(block, `${at}.source`);
    case "search_result":
      return native(block, at, searchResultText(block));
    case "container_upload":
    case "mcp_tool_listing":
    case "fallback":
      return native(block, at, null);
    case "compaction":
      return native(block, at, typeof block.content === "string" ? block.content : "");
    default:
      throw invalid(
        `${at}.type`,
        `${at}.type must be one of text, image, document, search_result, tool_result.`,
      );
  }
}

function toolResult(block: JsonObject, source: string): ToolResultPart {
  const { content, tool_use_id: id } = block;
  return {
    kind: "tool_result",
    source,
    callId: typeof id === "string" ? id : String(JSON.stringify(id)),
    name: null,
    content: typeof content === "string" ? content : resultParts(content, `${source}.content`),
    isError: block.is_error === true,
    cache: cacheMark(block),
  };
}

function resultParts(content: unknown, at: string): Part[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((block, index) => {
    const source = `${at}[${index}]`;
    switch (block.type) {
      case "tool_reference":
        return { kind: "tool_reference", source, name: String(block.tool_name ?? block.name) };
      case "browser_state":
        return native(block, source, printJson(block));
      default:
        return contentPart(block, source);
    }
  });
}

function toolCall(block: JsonObject, source: string): ToolCallPart {
  const { id, name, input } = block;
  if (typeof id !== "string") throw invalid(`${source}.id`, `${source}.id must be a string.`);
  if (typeof name !== "string" || name === "")
    throw invalid(`${source}.name`, `${source}.name must be a string.`);
  return { kind: "tool_call", source, callId: id, name, input, inputIsText: false, custom: false };
}

function reasoning(block: JsonObject, source: string): ReasoningPart {
  const isSealed = block.type === "redacted_thinking";
  return {
    kind: "reasoning",
    source,
    text: typeof block.thinking === "string" ? block.thinking : null,
    signature: typeof block.signature === "string" && block.signature !== "" ? block.signature : null,
    sealed: isSealed ? (typeof block.data === "string" ? block.data : "") : null,
    format: null,
  };
}

function native(block: JsonObject, source: string, text: string | null): Part {
  return { kind: "native", source, type: String(block.type), text };
}

function serverStep(block: JsonObject, source: string): Part {
  const text = serverStepText(block);
  if (text === null)
    throw invalid(`${source}.type`, `${source}.type is not a block this gateway knows in an assistant turn.`);
  return { kind: "server_step", source, type: String(block.type), text };
}

function cacheMark({ cache_control: mark }: JsonObject): CacheMark | undefined {
  return isObject(mark) ? mark : undefined;
}

function imagePart(block: JsonObject, source: string): ImagePart {
  const { source: place } = block;
  if (!isObject(place)) throw invalid(source, `${source} must be an object.`);
  return { kind: "image", source, media: imageMedia(place), detail: null, cache: cacheMark(block) };
}

function imageMedia(place: JsonObject): Media {
  const { type, data, media_type: mediaType, url } = place;
  if (type === "base64" && typeof data === "string" && typeof mediaType === "string")
    return { form: "data", mediaType, data: compact(data) };
  return type === "url" && typeof url === "string" ? { form: "url", url } : { form: "other" };
}

function documentPart(block: JsonObject, source: string): DocumentPart {
  const { source: place, title, context, citations } = block;
  if (!isObject(place)) throw invalid(source, `${source} must be an object.`);
  return {
    kind: "document",
    source,
    title: typeof title === "string" && title !== "" ? title : null,
    context: typeof context === "string" && context !== "" ? context : null,
    cited: isObject(citations) && citations.enabled === true,
    media: documentMedia(place, source),
    cache: cacheMark(block),
  };
}

function documentMedia(place: JsonObject, source: string): DocumentPart["media"] {
  const { type, data, content, media_type: mediaType, url } = place;
  switch (type) {
    case "text":
      return { form: "text", text: typeof data === "string" ? data : "" };
    case "content":
      return { form: "parts", parts: contentParts(content, `${source}.content`) };
    case "base64":
      if (typeof data !== "string") return { form: "other" };
      return {
        form: "data",
        mediaType: typeof mediaType === "string" ? mediaType : "application/pdf",
        data: compact(data),
      };
    default:
      return typeof url === "string" ? { form: "url", url } : { form: "other" };
  }
}

function contentParts(content: unknown, at: string): Part[] {
  if (typeof content === "string") return [{ kind: "text", source: at, text: content, cache: undefined }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((inner, index) => contentPart(inner, `${at}[${index}]`));
}

const billingHeader = "x-anthropic-billing-header:";

/**
 * The system prompt, without the billing line of one well-known client: the line changes with every request and would
 * prevent hits in the node's prefix cache. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-2, #ec-22.
 */
export function parseSystem(system: MessagesRequest["system"]): Turn[] {
  if (system === null || system === undefined) return [];
  const source = "system";
  return [{ role: "system", source, parts: systemParts(system, source), cache: undefined }];
}

type OpenTurn = Turn & { parts: Part[] };

/**
 * The turns of a history; adjacent turns of one role are one turn in this protocol, so that a turn's results stay
 * together. A system turn between calls and their results is moved after the results.
 * Throws: INVALID_REQUEST naming the block. Source: docs/protocols.md#s5-2.
 */
export function parseTurns(messages: readonly MessagesTurn[]): Turn[] {
  const turns: OpenTurn[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const turn = messages[index];
    if (turn === undefined) continue;
    const source = `messages[${index}]`;
    const parts = partsOf(turn, `${source}.content`);
    const last = turns.at(-1);
    if (last?.role === turn.role && turn.role !== "system") for (const part of parts) last.parts.push(part);
    else insert(turns, { role: turn.role, source, parts, cache: undefined });
  }
  return turns;
}

// Inserts results before the system turns between them and their calls.
function insert(turns: OpenTurn[], turn: OpenTurn): void {
  let at = turns.length;
  if (turn.role === "user" && holds(turn, "tool_result")) while (turns[at - 1]?.role === "system") at -= 1;
  const before = turns[at - 1];
  if (at < turns.length && before?.role === "assistant" && holds(before, "tool_call"))
    turns.splice(at, 0, turn);
  else turns.push(turn);
}

function holds({ parts }: Turn, kind: Part["kind"]): boolean {
  return parts.some((part) => part.kind === kind);
}

function partsOf({ role, content }: MessagesTurn, source: string): Part[] {
  if (role === "system") return systemParts(content, source);
  if (typeof content === "string") return [{ kind: "text", source, text: content, cache: undefined }];
  const read = role === "user" ? userPart : assistantPart;
  return content.map((block, index) => read(block, `${source}[${index}]`));
}

function systemParts(content: string | MessagesBlock[], source: string): Part[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const parts: Part[] = [];
  blocks.forEach((block, index) => {
    if (block.type === "tool_addition" || block.type === "tool_removal") return;
    const at = `${source}[${index}]`;
    if (block.type !== "text") throw invalid(`${at}.type`, `${at}.type must be text here.`);
    const part = textPart(block, at);
    const text = withoutBillingLine(part.text);
    if (text !== null) parts.push(text === part.text ? part : { ...part, text });
  });
  return parts;
}

/** Null: the text has no other line. */
function withoutBillingLine(text: string): string | null {
  if (!text.startsWith(billingHeader)) return text;
  const end = text.indexOf("\n");
  const rest = end < 0 ? "" : text.slice(end + 1);
  return rest.trim() === "" ? null : rest;
}
