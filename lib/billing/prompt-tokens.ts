import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { PromptFields } from "@/lib/protocols/request-adapter";
import { imageSize } from "./image-size";
import { countTokenIds, IMAGE_TYPES } from "./price";
import type { TokenCounter } from "./token-counter";

const PER_MESSAGE = 4;
const PER_TOOL = 8;
const PIXELS_PER_TOKEN = 750;
const UNKNOWN_IMAGE = 1_200;
/** A page of a PDF is 1,500 tokens and about 30 KB. */
const DOCUMENT_BYTES_PER_TOKEN = 20;
/** Reasoning that only its maker can read is text behind the seal. */
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
    if (value !== undefined && value !== null) rendered.texts.push(JSON.stringify(value));
    if (Array.isArray(value)) rendered.fixed += value.length * PER_TOOL;
  }
  const turns = body[fields.turns];
  if (Array.isArray(turns)) rendered.fixed += framesOf(turns) * PER_MESSAGE + countTokenIds(turns);
  const tokens = await counter.count(rendered.texts.join("\n"));
  return Math.ceil(tokens * OTHER_FAMILY_FACTOR) + rendered.fixed;
}

/** A message stands in a frame; a text alone and a list of token ids do not. */
function framesOf(turns: readonly unknown[]): number {
  return isObject(turns[0]) ? turns.length : 0;
}

function render(value: unknown, into: Rendered): void {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part === "string") into.texts.push(part);
    else if (Array.isArray(part)) for (const item of part) pending.push(item);
    else if (typeof part === "object" && part !== null) renderObject(part, into, pending);
  }
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
