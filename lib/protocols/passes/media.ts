import { isObject, rowOf } from "@/lib/kernel/json-object";
import type { AudioPart, ImagePart, Media, TextMedia } from "@/lib/protocols/generation/parts";

/** A parsed data URI; `data` is base64 without white space. */
export interface InlineMedia {
  mediaType: string;
  data: string;
}

const aliases: Record<string, string> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-png": "image/png",
};

/** The type and base64 data of a data URI; null when `uri` is not one. Source: docs/protocols.md#s4-4. */
export function parseDataUri(uri: string): InlineMedia | null {
  const comma = uri.slice(0, 5).toLowerCase() === "data:" ? uri.indexOf(",") : -1;
  if (comma < 0) return null;
  const [type = "", ...parameters] = uri
    .slice(5, comma)
    .split(";")
    .map((piece) => piece.trim().toLowerCase());
  const body = uri.slice(comma + 1);
  const data = parameters.includes("base64") ? compact(percentDecoded(body)) : base64OfText(body);
  return { mediaType: rowOf(aliases, type) ?? (type === "" ? "text/plain" : type), data };
}

/** Base64 without the line breaks that some clients insert. */
export function compact(base64: string): string {
  return /\s/.test(base64) ? base64.replace(/\s+/g, "") : base64;
}

/** Audio as OpenAI's clients send it. Shape: `data` in base64, and its `format`. */
export function audioPart(audio: unknown, source: string): AudioPart {
  const { data, format } = isObject(audio) ? audio : {};
  if (typeof data !== "string" || typeof format !== "string") return { kind: "audio", source };
  return { kind: "audio", source, media: { mediaType: `audio/${format}`, data: compact(data) } };
}

/** True for base64 data in either alphabet. */
export function isBase64(data: string): boolean {
  return data !== "" && !/[^A-Za-z0-9+/=_-]/.test(data);
}

function percentDecoded(body: string): string {
  return body.includes("%")
    ? body.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : body;
}

function base64OfText(body: string): string {
  const bytes = Buffer.from(
    body.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    body.includes("%") ? "latin1" : "utf8",
  );
  return bytes.toString("base64");
}

/** The media type by the first bytes; null when they match none. Source: docs/protocols.md#s4-4. */
export function sniff(base64: string): string | null {
  const head = Buffer.from(base64.slice(0, 32), "base64");
  const ascii = head.toString("latin1");
  if (ascii.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (ascii.startsWith("\x89PNG")) return "image/png";
  if (ascii.startsWith("GIF8")) return "image/gif";
  if (ascii.startsWith("RIFF") && ascii.slice(8, 12) === "WEBP") return "image/webp";
  if (ascii.startsWith("%PDF")) return "application/pdf";
  if (ascii.startsWith("BM")) return "image/bmp";
  if (ascii.startsWith("II*\0") || ascii.startsWith("MM\0*")) return "image/tiff";
  return isoMediaType(ascii);
}

function isoMediaType(ascii: string): string | null {
  if (ascii.slice(4, 8) !== "ftyp") return null;
  const brand = ascii.slice(8, 12);
  if (/^(?:heic|heix|heim|heis|hevc|mif1|msf1)$/.test(brand)) return "image/heic";
  return brand === "avif" ? "image/avif" : "video/mp4";
}

const messagesImages = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** True for the image types that a messages upstream takes. */
export function isMessagesImage(mediaType: string): boolean {
  return messagesImages.includes(mediaType);
}

const textName = /\.(?:txt|md|markdown|csv|json|xml|html|yaml|yml|log)$/i;

/**
 * A file that a client sends as a data URI or as bare base64; a file with a text type or text name becomes text.
 * Source: docs/protocols.md#s4-4.
 */
export function inlineDocument(file: string, name: string | null): Media | TextMedia {
  const namedText = name !== null && textName.test(name);
  const media = parseDataUri(file) ?? bare(file, namedText);
  const isText =
    media.mediaType !== "application/pdf" &&
    (media.mediaType.startsWith("text/") || namedText || media.mediaType === "application/json");
  return isText ? { form: "text", text: decoded(media.data) } : { form: "data", ...media };
}

function bare(data: string, namedText: boolean): InlineMedia {
  const base64 = compact(data);
  const fallback = namedText ? "text/plain" : "application/octet-stream";
  return { mediaType: sniff(base64) ?? fallback, data: base64 };
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8").replaceAll("\0", "");
}

/** The resolution at which a model reads a picture; `original`, which other protocols do not have, becomes `high`. */
export function detailOf(word: unknown): ImagePart["detail"] {
  if (word === "original") return "high";
  return word === "low" || word === "high" || word === "auto" ? word : null;
}
