import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { CacheMark, DocumentPart, ImagePart, Part, TextPart } from "../generation/parts";
import { compact, type InlineMedia, parseDataUri, sniff } from "../passes/media";
import type { ChatMessage } from "./schema";

type Content = Exclude<ChatMessage["content"], string | null | undefined>;

/** What a user or a tool says in parts. Throws: INVALID_REQUEST naming the part. Source: docs/protocols.md#s4-4. */
export function userParts(content: Content, at: string): Part[] {
  return content.map((part, index) => userPart(part, `${at}.content[${index}]`));
}

/** Parts of roles that only hold text: system, developer, assistant. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-3. */
export function textParts(content: Content, at: string): Part[] {
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
      return { kind: "audio", source };
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
  const cache = cacheMark(part);
  if (/^https:\/\//i.test(url)) return { kind: "image", source, media: { form: "url", url }, cache };
  const media = parseDataUri(url);
  if (media === null) return { kind: "image", source, media: { form: "other" }, cache };
  return { kind: "image", source, media: { form: "data", ...media }, cache };
}

const textName = /\.(?:txt|md|markdown|csv|json|xml|html|yaml|yml|log)$/i;

/** A file; one that holds text, by its type or its name, as text. Source: docs/protocols.md#s4-4. */
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
  const namedText = title !== null && textName.test(title);
  const media = parseDataUri(file.file_data) ?? bare(file.file_data, namedText);
  const isText =
    media.mediaType !== "application/pdf" &&
    (media.mediaType.startsWith("text/") || namedText || media.mediaType === "application/json");
  return {
    kind: "document",
    source,
    title,
    context: null,
    cited: false,
    media: isText ? { form: "text", text: decoded(media.data) } : { form: "data", ...media },
    cache: cacheMark(part),
  };
}

function bare(data: string, namedText: boolean): InlineMedia {
  const base64 = compact(data);
  const fallback = namedText ? "text/plain" : "application/octet-stream";
  return { mediaType: sniff(base64) ?? fallback, data: base64 };
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8").replaceAll("\0", "");
}
