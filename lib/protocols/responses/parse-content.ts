import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  NativePart,
  Part,
  TextPart,
} from "@/lib/protocols/generation/parts";
import { detailOf, inlineDocument, parseDataUri } from "@/lib/protocols/passes/media";

type Content = string | readonly unknown[] | null | undefined;

/**
 * What a user says or a tool answers. A part of a type that the gateway does not know is lost on another protocol.
 * `at` is the path of the content. Throws: INVALID_REQUEST naming the part. Source: docs/responses.md#s1-4.
 */
export function contentParts(content: Content, at: string): Part[] {
  return partsOf(content, at, contentPart);
}

/** What the model said: text and refusals. Source: docs/responses.md#s1-4. */
export function modelParts(content: Content, at: string): Part[] {
  return partsOf(content, at, (part, source) => {
    if (part.type === "refusal") return { kind: "refusal", source, text: String(part.refusal) };
    return isText(part) ? textPart(part, source) : nativePart(part, source);
  });
}

/** Parts of roles that only hold text. Throws: INVALID_REQUEST naming the part. */
export function instructionParts(content: Content, at: string): Part[] {
  return partsOf(content, at, (part, source) => {
    if (isText(part)) return textPart(part, source);
    throw invalid(
      `${source}.type`,
      `${source}.type must be input_text here: this role holds no ${part.type}.`,
    );
  });
}

/** A part or an item that the neutral model has no kind for. */
export function nativePart(value: JsonObject, source: string): NativePart {
  const text = typeof value.text === "string" ? value.text : null;
  return { kind: "native", source, type: String(value.type), text };
}

function partsOf(content: Content, at: string, read: (part: JsonObject, source: string) => Part): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [{ kind: "text", source: at, text: content, cache: undefined }];
  return content.flatMap((part, index) => (isObject(part) ? [read(part, `${at}[${index}]`)] : []));
}

function contentPart(part: JsonObject, source: string): Part {
  switch (part.type) {
    case "refusal":
      return { kind: "refusal", source, text: String(part.refusal) };
    case "input_image":
    case "computer_screenshot":
      return imagePart(part, source);
    case "input_file":
      return documentPart(part, source);
    case "input_audio":
      return { kind: "audio", source };
    default:
      return isText(part) ? textPart(part, source) : nativePart(part, source);
  }
}

const textTypes: ReadonlySet<unknown> = new Set([
  "input_text",
  "output_text",
  "summary_text",
  "reasoning_text",
  "text",
]);

function isText(part: JsonObject): part is JsonObject & { text: string } {
  return textTypes.has(part.type) && typeof part.text === "string";
}

function textPart(part: JsonObject & { text: string }, source: string): TextPart {
  return { kind: "text", source, text: part.text, cache: cacheMark(part) };
}

function cacheMark({ prompt_cache_breakpoint: mark }: JsonObject): CacheMark | undefined {
  return isObject(mark) && mark.mode === "explicit" ? { type: "ephemeral" } : undefined;
}

function imagePart(part: JsonObject, at: string): ImagePart {
  const { image_url: url } = part;
  const own = { kind: "image", detail: detailOf(part.detail), cache: cacheMark(part) } as const;
  if (typeof url !== "string" || url === "")
    return { ...own, source: `${at}.file_id`, media: { form: "other" } };
  const source = `${at}.image_url`;
  if (/^https:\/\//i.test(url)) return { ...own, source, media: { form: "url", url } };
  const media = parseDataUri(url);
  if (media === null) throw invalid(source, `${source} must be an https or data URL.`);
  return { ...own, source, media: { form: "data", ...media } };
}

function documentPart(part: JsonObject, at: string): DocumentPart {
  const { file_data: data, file_url: url, filename } = part;
  const title = typeof filename === "string" && filename !== "" ? filename : null;
  const document = { kind: "document", title, context: null, cited: false, cache: cacheMark(part) } as const;
  if (typeof data === "string" && data !== "")
    return { ...document, source: `${at}.file_data`, media: inlineDocument(data, title) };
  if (typeof url === "string" && url !== "")
    return { ...document, source: `${at}.file_url`, media: { form: "url", url } };
  return { ...document, source: `${at}.file_id`, media: { form: "other" } };
}
