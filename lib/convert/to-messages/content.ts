import type { Conversion } from "@/lib/convert/conversion";
import { fileBlock } from "@/lib/convert/to-messages/files";
import { imageBlock } from "@/lib/convert/to-messages/images";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ChatMessage } from "@/lib/protocols/chat/schema";

type Content = ChatMessage["content"];

/** A user's content as blocks. Throws: INVALID_REQUEST naming the part. Source: docs/protocols.md#s4-4. */
export function userBlocks(content: Content, at: string, conversion: Conversion): JsonObject[] {
  if (typeof content === "string") return textBlock(content);
  return (content ?? []).flatMap((part, index) => userPart(part, `${at}.content[${index}]`, conversion));
}

/**
 * Content of roles that only hold text: system, developer, assistant. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s4-3, #s4-4.
 */
export function textBlocks(content: Content, at: string, conversion: Conversion): JsonObject[] {
  if (typeof content === "string") return textBlock(content);
  return (content ?? []).flatMap((part, index) => {
    const param = `${at}.content[${index}]`;
    switch (part.type) {
      case "text":
        return markedText(part, param);
      case "refusal":
        return textBlock(requireText(part.refusal, `${param}.refusal`));
      case "thinking":
      case "reasoning":
        conversion.warnings.dropped("reasoning_content");
        return [];
      default:
        throw invalid(`${param}.type`, `${param}.type must be text here: this role holds no ${part.type}.`);
    }
  });
}

/**
 * What a tool answered, as the content of a tool_result. Shape: a string or blocks. Source: docs/protocols.md#s4-3,
 * #s4-4.
 */
export function toolResultContent(
  content: Content,
  at: string,
  conversion: Conversion,
): string | JsonObject[] {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  const blocks = content.flatMap((part, index) => userPart(part, `${at}.content[${index}]`, conversion));
  return blocks.map(({ cache_control: _marker, ...block }) => block);
}

/** The cache marker of a part or message in messages terms. Source: docs/protocols.md#s4-1, #s4-2. */
export function cacheMarker(holder: JsonObject): JsonObject {
  if (isObject(holder.cache_control)) return { cache_control: holder.cache_control };
  const breakpoint = holder.prompt_cache_breakpoint;
  return isObject(breakpoint) && breakpoint.mode === "explicit"
    ? { cache_control: { type: "ephemeral" } }
    : {};
}

function isThinking(block: JsonObject): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

/** Moves a message-level cache marker to the last block, where the messages protocol has it. */
export function withMessageMarker(message: ChatMessage, blocks: JsonObject[]): JsonObject[] {
  const last = blocks.at(-1);
  const marker = cacheMarker(message);
  if (last === undefined || marker.cache_control === undefined || isThinking(last)) return blocks;
  return [...blocks.slice(0, -1), { ...last, ...marker }];
}

function userPart(part: JsonObject, param: string, conversion: Conversion): JsonObject[] {
  switch (part.type) {
    case "text":
      return markedText(part, param);
    case "image_url":
      return [{ ...imageBlock(part.image_url, param, conversion), ...cacheMarker(part) }];
    case "file":
      return [{ ...fileBlock(part.file, param), ...cacheMarker(part) }];
    case "input_audio":
      throw invalid(param, `${param}: this model takes no audio; send text, images or files.`);
    default:
      throw invalid(`${param}.type`, `${param}.type must be one of text, image_url, file.`);
  }
}

function markedText(part: JsonObject, param: string): JsonObject[] {
  const text = requireText(part.text, `${param}.text`);
  return textBlock(text).map((block) => ({ ...block, ...cacheMarker(part) }));
}

// Upstreams refuse blank text, and a placeholder would be invented content.
function textBlock(text: string): JsonObject[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function requireText(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw invalid(param, `${param} must be a string.`);
}
