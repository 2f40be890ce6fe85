import { isKept, printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { withDeadline } from "@/lib/kernel/with-deadline";
import { WorkerPool, workerPath } from "@/lib/kernel/worker-pool";
import type { PromptFields } from "@/lib/protocols/adapters/client-request";
import { countCharacters, countTokenIds, estimateTextTokens, IMAGE_TYPES } from "./token-estimate";

const MAX_WAITING = 256;
const WITHIN_MS = 2_000;
/** A longer text would delay the others beyond their time limit. Units: characters. */
const LONGEST_COUNTED = 2_000_000;
/** The byte formula estimates high, for holds; this factor corrects it for English and code. */
const FORMULA_SHARE = 0.78;

/**
 * Counts tokens by byte-pair encoding (o200k) in a worker thread that starts with the first text. When the worker is
 * busy, slow or gone, and for texts of more than two million characters, a calibrated byte formula is used.
 * Source: docs/protocols.md#s11-5, #d21.
 */
export class TokenCounter {
  readonly #workers = new WorkerPool<string, number>(workerPath("token-worker"), 1, MAX_WAITING);

  /** Tokens of a text. Never rejects. */
  async count(text: string): Promise<number> {
    if (text === "") return 0;
    if (text.length > LONGEST_COUNTED) return formula(text);
    return withDeadline(this.#workers.run(text), WITHIN_MS).catch(() => formula(text));
  }

  /** Ends the thread; running counts return the result of the formula. */
  close(): Promise<void> {
    return this.#workers.close();
  }
}

function formula(text: string): number {
  return Math.ceil(estimateTextTokens(countCharacters(text)) * FORMULA_SHARE);
}

const PER_MESSAGE = 4;
const PER_TOOL = 8;
const PIXELS_PER_TOKEN = 750;
const UNKNOWN_IMAGE = 1_200;
/** A page of a PDF is 1,500 tokens and about 30 KB. */
const DOCUMENT_BYTES_PER_TOKEN = 20;
/** Encrypted reasoning has about as many bytes as its text. */
const SEALED_BYTES_PER_TOKEN = 4;
/** Other vendors' tokenizers produce slightly more tokens than the one used here. */
const OTHER_FAMILY_FACTOR = 1.05;

interface Rendered {
  texts: string[];
  fixed: number;
}

/**
 * Prompt tokens of a request: all fields together that become prompt, images by their size.
 * Units: tokens. Source: docs/protocols.md#s11-5, #s15-2.
 */
export async function countPromptTokens(
  body: Readonly<JsonObject>,
  fields: PromptFields,
  counter: Pick<TokenCounter, "count">,
): Promise<number> {
  const rendered: Rendered = { texts: [], fixed: 0 };
  for (const field of fields.content) render(body[field], rendered);
  for (const field of fields.json) {
    const value = body[field];
    if (value !== undefined && value !== null) rendered.texts.push(printJson(value));
    if (Array.isArray(value)) rendered.fixed += value.length * PER_TOOL;
  }
  const turns = body[fields.turns];
  if (Array.isArray(turns)) rendered.fixed += framesOf(turns) * PER_MESSAGE + countTokenIds(turns);
  const tokens = await counter.count(rendered.texts.join("\n"));
  return Math.ceil(tokens * OTHER_FAMILY_FACTOR) + rendered.fixed;
}

/** Each message has overhead tokens; a text alone and a list of token ids have none. */
function framesOf(turns: readonly unknown[]): number {
  return isObject(turns[0]) ? turns.length : 0;
}

function render(value: unknown, into: Rendered): void {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part === "string") pushText(part, into);
    else if (Array.isArray(part)) for (const item of part) pending.push(item);
    else if (typeof part === "object" && part !== null) renderObject(part, into, pending);
  }
}

/** Numbers are not counted, also when they are kept as texts. */
function pushText(text: string, into: Rendered): void {
  if (!isKept(text)) into.texts.push(text);
}

const STRUCTURE: ReadonlySet<string> = new Set([
  "type",
  "role",
  "id",
  "cache_control",
  "tool_use_id",
  "tool_call_id",
  "call_id",
]);

function renderObject(part: object, into: Rendered, pending: unknown[]): void {
  const type = "type" in part ? part.type : null;
  if (IMAGE_TYPES.has(type)) {
    into.fixed += imageTokens(part);
    return;
  }
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === "string" && (name === "data" || name === "file_data")) {
      into.fixed += Math.ceil((value.length * 0.75) / DOCUMENT_BYTES_PER_TOKEN);
    } else if (typeof value === "string" && name === "encrypted_content") {
      into.fixed += Math.ceil((value.length * 0.75) / SEALED_BYTES_PER_TOKEN);
    } else if (!STRUCTURE.has(name)) pending.push(value);
  }
}

function imageTokens(part: object): number {
  const size = imageSize(encodedImage(part));
  return size === null ? UNKNOWN_IMAGE : Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN);
}

/** The base64 text of an image part of any protocol; empty for one that is a link. */
function encodedImage(part: object): string {
  const {
    source,
    image_url: link,
    result,
  } = part as Partial<Record<"source" | "image_url" | "result", unknown>>; // checked below
  if (isObject(source) && typeof source.data === "string") return source.data;
  if (typeof result === "string") return result;
  const url = isObject(link) ? link.url : link;
  return typeof url === "string" && url.startsWith("data:") ? url.slice(url.indexOf(",") + 1) : "";
}

/** Width and height in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Base64 characters looked at; dimensions stand near the front. */
const MAX_READ = 128 * 1024;
const JPEG_FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb,
]);

/** The size in the header of a PNG, JPEG, GIF or WebP image; null when it cannot be read. Shape: base64 text. */
export function imageSize(base64: string): ImageSize | null {
  const bytes = Buffer.from(base64.slice(0, MAX_READ), "base64");
  if (bytes.length < 30) return null;
  if (bytes.readUInt32BE(0) === 0x89504e47)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const mark = bytes.toString("latin1", 0, 4);
  if (mark === "GIF8") return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (mark === "RIFF") return webpSize(bytes);
  return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null;
}

function webpSize(bytes: Buffer): ImageSize | null {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ")
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return null;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

function jpegSize(bytes: Buffer): ImageSize | null {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    if (JPEG_FRAMES.has(bytes[at + 1] ?? 0)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
