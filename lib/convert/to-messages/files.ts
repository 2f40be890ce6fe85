import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import { compact, type InlineMedia, parseDataUri, sniff } from "@/lib/protocols/passes/media";

const textName = /\.(?:txt|md|markdown|csv|json|xml|html|yaml|yml|log)$/i;

/** A chat file part as a document block. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-4. */
export function fileBlock(file: unknown, at: string): JsonObject {
  const param = `${at}.file.file_data`;
  if (
    !isObject(file) ||
    typeof file.file_data !== "string" ||
    file.file_data === "" ||
    /^https?:/i.test(file.file_data)
  ) {
    throw invalid(
      param,
      `${param} must hold the file itself (a data URL or base64): files are not fetched, and file ids belong to another service.`,
    );
  }
  const name = typeof file.filename === "string" ? file.filename : null;
  const media = parseDataUri(file.file_data) ?? bare(file.file_data, name);
  const title = name === null ? {} : { title: name };
  if (media.mediaType === "application/pdf") {
    return {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: media.data },
      ...title,
    };
  }
  if (
    media.mediaType.startsWith("text/") ||
    (name !== null && textName.test(name)) ||
    media.mediaType === "application/json"
  ) {
    return {
      type: "document",
      source: { type: "text", media_type: "text/plain", data: decoded(media.data) },
      ...title,
    };
  }
  throw invalid(param, `${param} must be a PDF or a text file, not ${media.mediaType}.`);
}

function bare(data: string, name: string | null): InlineMedia {
  const base64 = compact(data);
  const fallback = name !== null && textName.test(name) ? "text/plain" : "application/octet-stream";
  return { mediaType: sniff(base64) ?? fallback, data: base64 };
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8").replaceAll("\0", "");
}
