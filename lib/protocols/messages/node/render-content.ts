import type { JsonObject } from "@/lib/kernel/json-object";
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  Part,
  ToolResultPart,
} from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { isMessagesImage, sniff } from "@/lib/protocols/passes/media";
import { omitsImage, omittedImage, type Rendering } from "@/lib/protocols/passes/rendering";

/**
 * The parts of a user's turn, or of instructions, as blocks. Blank text is left out: nodes refuse it, and a placeholder
 * would be invented content. Throws: INVALID_REQUEST naming the part. Source: docs/protocols.md#s4-4.
 */
export function contentBlocks(parts: readonly Part[], rendering: Rendering): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const part of parts) addPart(part, blocks, rendering);
  return blocks;
}

/** Moves the cache mark of a turn to its last block, its place in the messages protocol. Changes the block. */
export function markLast(blocks: JsonObject[], cache: CacheMark | undefined): void {
  const last = cache === undefined ? undefined : blocks.at(-1);
  if (last !== undefined && !isThinking(last)) last.cache_control = cache;
}

/** The result of a tool, as a block. Source: docs/protocols.md#s4-3, #s4-4. */
export function toolResultBlock(id: string, part: ToolResultPart, rendering: Rendering): JsonObject {
  const block: JsonObject = { type: "tool_result", content: resultContent(part, rendering) };
  if (part.isError) block.is_error = true;
  if (part.cache !== undefined) block.cache_control = part.cache;
  block.tool_use_id = id;
  return block;
}

/** The content of a tool's result. Shape: a string or blocks without cache marks. */
export function resultContent({ content }: ToolResultPart, rendering: Rendering): string | JsonObject[] {
  if (typeof content === "string") return content;
  const blocks = contentBlocks(content, rendering);
  for (const block of blocks) if (block.cache_control !== undefined) delete block.cache_control;
  return blocks;
}

/** Adds a block of text, unless it is blank. */
export function addText(text: string, cache: CacheMark | undefined, blocks: JsonObject[]): void {
  if (text.trim() === "") return;
  blocks.push(cache === undefined ? { type: "text", text } : { type: "text", text, cache_control: cache });
}

/** True for a block that holds reasoning. */
export function isThinking(block: JsonObject): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function addPart(part: Part, blocks: JsonObject[], rendering: Rendering): void {
  switch (part.kind) {
    case "text":
      addText(part.text, part.cache, blocks);
      return;
    case "refusal":
      addText(part.text, undefined, blocks);
      return;
    case "image":
      blocks.push(withCache(imageBlock(part, rendering), part.cache));
      return;
    case "document":
      addDocument(part, blocks, rendering);
      return;
    case "audio":
      throw refusal(rendering.words.audio(part));
    case "reasoning":
      rendering.losses.dropped("reasoning_content");
      return;
    case "server_step":
      rendering.losses.add(`changed:${part.type}`);
      addText(part.text, undefined, blocks);
      return;
    case "native":
      if (part.text === null) rendering.losses.dropped(part.type);
      else addText(part.text, undefined, blocks);
      return;
    case "tool_reference":
      addText(`Tool available: ${rendering.names.send(part.name)}`, undefined, blocks);
      return;
    case "tool_call":
    case "tool_result":
      // `walkHistory` writes results, the turn of the model its calls.
      return;
  }
}

function withCache(block: JsonObject, cache: CacheMark | undefined): JsonObject {
  if (cache !== undefined) block.cache_control = cache;
  return block;
}

/**
 * A picture as an image block, or as a document for a PDF. Its URL is never fetched. Source: docs/protocols.md#s4-4,
 * #d9.
 */
function imageBlock(part: ImagePart, rendering: Rendering): JsonObject {
  const { profile, words } = rendering;
  const { media } = part;
  if (omitsImage(part, rendering)) return { type: "text", text: omittedImage };
  switch (media.form) {
    case "url":
      if (!profile.imageUrl) throw refusal(words.imageUrl(part));
      return { type: "image", source: { type: "url", url: media.url } };
    case "other":
      throw refusal(words.imageForm(part));
    case "data": {
      if (media.mediaType === "application/pdf") return pdfBlock(media.data);
      const actual = sniff(media.data) ?? media.mediaType;
      if (!isMessagesImage(actual)) throw refusal(words.imageType(part, actual));
      return { type: "image", source: { type: "base64", media_type: actual, data: media.data } };
    }
  }
}

function addDocument(part: DocumentPart, blocks: JsonObject[], rendering: Rendering): void {
  const { media, title } = part;
  switch (media.form) {
    case "parts":
      for (const inner of media.parts) addPart(inner, blocks, rendering);
      return;
    case "url":
      if (!rendering.profile.pdfIn) throw refusal(rendering.words.documentForm(part));
      blocks.push(withCache({ type: "document", source: { type: "url", url: media.url } }, part.cache));
      return;
    case "other":
      throw refusal(rendering.words.documentForm(part));
    case "text":
    case "data": {
      const block = documentBlock(part, rendering);
      if (title !== null) block.title = title;
      if (part.context !== null) block.context = part.context;
      blocks.push(withCache(block, part.cache));
    }
  }
}

function documentBlock(part: DocumentPart, { words }: Rendering): JsonObject {
  const { media } = part;
  if (media.form === "text") {
    return { type: "document", source: { type: "text", media_type: "text/plain", data: media.text } };
  }
  if (media.form === "data" && media.mediaType === "application/pdf") return pdfBlock(media.data);
  throw refusal(words.documentType(part, media.form === "data" ? media.mediaType : "a link"));
}

function pdfBlock(data: string): JsonObject {
  return { type: "document", source: { type: "base64", media_type: "application/pdf", data } };
}
