import { invalid } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { DocumentPart, Part, ToolResultPart } from "@/lib/protocols/generation/parts";
import { compact, inlineDocument } from "@/lib/protocols/passes/media";
import type { GeminiPart } from "./schema";

/** A part without its signature; null: it has only a signature. Throws: INVALID_REQUEST naming the part. */
export function parsePart(part: GeminiPart, source: string, callId: string): Part | null {
  if (part.functionCall != null) {
    const { name, args } = part.functionCall;
    const at = `${source}.functionCall`;
    const input = args ?? {};
    return { kind: "tool_call", source: at, callId, name, input, inputIsText: false, custom: false };
  }
  if (part.functionResponse != null) return toolResult(part.functionResponse, `${source}.functionResponse`);
  const media = mediaPart(part, source);
  if (media !== null) return media;
  const step = serverStep(part);
  if (step !== null) return { kind: "server_step", source: `${source}.${step.type}`, ...step };
  if (part.text != null && part.text !== "") return textPart(part.text, part.thought === true, source);
  if (part.text === "" || part.thoughtSignature != null) return null;
  const [type] = Object.keys(part).filter((name) => part[name] != null);
  if (type === undefined)
    throw invalid(
      source,
      `${source} must hold text, inlineData, fileData, functionCall or functionResponse.`,
    );
  return { kind: "native", source: `${source}.${type}`, type, text: null };
}

function textPart(text: string, isThought: boolean, source: string): Part {
  const at = `${source}.text`;
  return isThought
    ? { kind: "reasoning", source: at, text, signature: null, sealed: null, format: null }
    : { kind: "text", source: at, text, cache: undefined };
}

type FunctionResponse = NonNullable<GeminiPart["functionResponse"]>;

function toolResult({ id, name, response, parts }: FunctionResponse, source: string): ToolResultPart {
  const failed = response?.error !== undefined && response.output === undefined;
  const value = failed
    ? response?.error
    : response?.output === undefined
      ? (response ?? {})
      : response.output;
  const text = typeof value === "string" ? value : printJson(value);
  const media = (parts ?? []).flatMap((part, index) => {
    const at = `${source}.parts[${index}]`;
    const found = mediaPart(part, at);
    return found === null ? [] : [found];
  });
  const told: Part = { kind: "text", source: `${source}.response`, text, cache: undefined };
  return {
    kind: "tool_result",
    source,
    callId: id != null && id !== "" ? id : null,
    name: name ?? null,
    content: media.length === 0 ? text : [told, ...media],
    isError: failed,
    cache: undefined,
  };
}

/** A picture, a recording or a file; null: the part is none. */
function mediaPart(
  { inlineData, fileData }: Pick<GeminiPart, "inlineData" | "fileData">,
  at: string,
): Part | null {
  if (inlineData != null) {
    const data = compact(inlineData.data).replaceAll("-", "+").replaceAll("_", "/");
    return inlinePart(inlineData, data, `${at}.inlineData`);
  }
  return fileData == null ? null : filePart(fileData, `${at}.fileData`);
}

function inlinePart(blob: JsonObject & { mimeType: string }, data: string, source: string): Part {
  const mediaType = blob.mimeType.toLowerCase();
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  if (!isBase64 || data === "") throw invalid(`${source}.data`, `${source}.data must be base64.`);
  switch (kindOf(mediaType)) {
    case "image":
      return {
        kind: "image",
        source,
        media: { form: "data", mediaType, data },
        detail: null,
        cache: undefined,
      };
    case "audio":
      return { kind: "audio", source, media: { mediaType, data } };
    case "video":
      return { kind: "native", source, type: "video", text: null };
    case "document":
      return documentPart(inlineDocument(`data:${mediaType};base64,${data}`, null), blob, source);
  }
}

function filePart(file: NonNullable<GeminiPart["fileData"]>, source: string): Part {
  const { fileUri: url, mimeType } = file;
  const media = isOfGoogle(url) ? ({ form: "other" } as const) : ({ form: "url", url } as const);
  switch (kindOf(mimeType?.toLowerCase() ?? typeOfUrl(url))) {
    case "image":
      return { kind: "image", source, media, detail: null, cache: undefined };
    case "audio":
      return { kind: "audio", source };
    case "video":
      return { kind: "native", source, type: "video", text: null };
    case "document":
      return documentPart(media, file, source);
  }
}

function documentPart(
  media: DocumentPart["media"],
  { displayName }: JsonObject,
  source: string,
): DocumentPart {
  const title = typeof displayName === "string" && displayName !== "" ? displayName : null;
  return { kind: "document", source, title, context: null, cited: false, media, cache: undefined };
}

function kindOf(mediaType: string): "image" | "audio" | "video" | "document" {
  const [kind] = mediaType.split("/");
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}

/** True for a file of the vendor's own storage, which no other node can read. */
function isOfGoogle(url: string): boolean {
  return !/^https?:\/\//i.test(url) || /^https:\/\/generativelanguage\.googleapis\.com\//i.test(url);
}

/** Videos of one service have addresses without a type. */
function typeOfUrl(url: string): string {
  return /^https:\/\/(?:(?:www|m)\.)?(?:youtube\.com|youtu\.be)\//i.test(url) ? "video/mp4" : "";
}

/** A step of a tool that runs at the vendor's servers, as text that any model can read. */
function serverStep(part: GeminiPart): { type: string; text: string } | null {
  const { executableCode: code, codeExecutionResult: result, toolCall, toolResponse } = part;
  if (code != null) {
    const language = code.language?.toLowerCase() ?? "";
    return { type: "executableCode", text: `\`\`\`${language}\n${code.code ?? ""}\n\`\`\`` };
  }
  if (result != null) return { type: "codeExecutionResult", text: result.output ?? "" };
  if (isObject(toolCall)) return { type: "toolCall", text: printJson(toolCall) };
  return isObject(toolResponse) ? { type: "toolResponse", text: printJson(toolResponse) } : null;
}
