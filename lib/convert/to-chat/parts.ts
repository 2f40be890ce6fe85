import type { Conversion } from "@/lib/convert/conversion";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import { refusedHere } from "@/lib/protocols/generation/compatibility";
import { compact } from "@/lib/protocols/passes/media";

/** Text blocks of a role that holds nothing else, as chat parts; empty ones are left out. Throws: INVALID_REQUEST. */
export function textParts(blocks: JsonObject[], at: string, conversion: Conversion): JsonObject[] {
  return blocks.flatMap((block, index) => {
    if (block.type === "text") return textPart(block, `${at}[${index}]`, conversion);
    throw invalid(`${at}[${index}].type`, `${at}[${index}].type must be text here.`);
  });
}

/** A text block as a chat part; nothing when it is empty. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-3. */
export function textPart(block: JsonObject, at: string, conversion: Conversion): JsonObject[] {
  if (typeof block.text !== "string") throw invalid(`${at}.text`, `${at}.text must be a string.`);
  return block.text === "" ? [] : [{ type: "text", text: block.text, ...breakpoint(block, conversion) }];
}

/**
 * A block of a user turn that is no tool result, as chat parts. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s5-3.
 */
export function userParts(block: JsonObject, at: string, conversion: Conversion): JsonObject[] {
  switch (block.type) {
    case "text":
      return textPart(block, at, conversion);
    case "image":
      return [{ ...imagePart(block.source, at, conversion), ...breakpoint(block, conversion) }];
    case "document":
      return documentParts(block, at, conversion);
    case "search_result":
      return [{ type: "text", text: searchResultText(block) }];
    case "container_upload":
    case "mcp_tool_listing":
    case "fallback":
      conversion.warnings.dropped(block.type);
      return [];
    case "compaction":
      return typeof block.content === "string" && block.content !== ""
        ? [{ type: "text", text: block.content }]
        : [];
    default:
      throw invalid(
        `${at}.type`,
        `${at}.type must be one of text, image, document, search_result, tool_result.`,
      );
  }
}

/** A search result as text: title, source, joined content. Source: docs/protocols.md#s5-3. */
export function searchResultText(block: JsonObject): string {
  const content = Array.isArray(block.content) ? block.content.filter(isObject) : [];
  const texts = content.flatMap((inner) => (typeof inner.text === "string" ? [inner.text] : []));
  const head = [block.title, block.source].filter((line) => typeof line === "string" && line !== "");
  return [...head, texts.join("\n")].join("\n");
}

function breakpoint(block: JsonObject, conversion: Conversion): JsonObject {
  const marked = conversion.profile.cacheBreakpoint && isObject(block.cache_control);
  return marked ? { prompt_cache_breakpoint: { mode: "explicit" } } : {};
}

function imagePart(source: unknown, at: string, conversion: Conversion): JsonObject {
  const param = `${at}.source`;
  if (!isObject(source)) throw invalid(param, `${param} must be an object.`);
  if (!conversion.profile.imagesIn) return withoutVision(param, conversion);
  if (source.type === "base64" && typeof source.data === "string" && typeof source.media_type === "string") {
    return {
      type: "image_url",
      image_url: { url: `data:${source.media_type};base64,${compact(source.data)}` },
    };
  }
  if (source.type !== "url" || typeof source.url !== "string") {
    throw invalid(`${param}.type`, `${param}.type must be base64 or url for this model.`);
  }
  if (!conversion.profile.imageUrl || !/^https:\/\//i.test(source.url)) {
    throw invalid(
      `${param}.url`,
      `${param}.url: this model takes no such image URL; send the image as base64.`,
    );
  }
  return { type: "image_url", image_url: { url: source.url } };
}

function withoutVision(param: string, conversion: Conversion): JsonObject {
  if (conversion.context.compatibility !== "lenient") {
    throw refusedHere(param, `${param}: this model takes no images.`, "they are replaced by a note");
  }
  conversion.warnings.dropped("image");
  return { type: "text", text: "[image omitted: this model takes no images]" };
}

function documentParts(block: JsonObject, at: string, conversion: Conversion): JsonObject[] {
  const source = block.source;
  const param = `${at}.source`;
  if (!isObject(source)) throw invalid(param, `${param} must be an object.`);
  if (isObject(block.citations) && block.citations.enabled === true) conversion.warnings.dropped("citations");
  if (source.type === "text") return [{ type: "text", text: documentText(block, source.data) }];
  if (source.type === "content") return contentSource(source.content, `${param}.content`, conversion);
  if (source.type === "base64" && typeof source.data === "string")
    return [pdfPart(block, source.data, param, conversion)];
  throw invalid(
    `${param}.type`,
    `${param}.type must be base64, text or content for this model: files are not fetched.`,
  );
}

function pdfPart(block: JsonObject, data: string, param: string, conversion: Conversion): JsonObject {
  if (!conversion.profile.pdfIn)
    throw invalid(param, `${param}: this model takes no PDF; send the text instead.`);
  const filename = typeof block.title === "string" && block.title !== "" ? block.title : "document.pdf";
  return { type: "file", file: { filename, file_data: `data:application/pdf;base64,${compact(data)}` } };
}

function documentText(block: JsonObject, data: unknown): string {
  return [block.title, block.context, data]
    .filter((line) => typeof line === "string" && line !== "")
    .join("\n");
}

function contentSource(content: unknown, at: string, conversion: Conversion): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks.flatMap((inner, index) => userParts(inner, `${at}[${index}]`, conversion));
}
