import type { JsonObject } from "@/lib/kernel/json";
import { omittedImage } from "@/lib/protocols/passes/rendering";
import { refusedHere } from "../generation/compatibility";
import type { CacheMark, DocumentPart, ImagePart, Part, TextPart } from "../generation/parts";
import { refusal } from "../generation/problems";
import type { Rendering } from "../passes/rendering";

/**
 * Parts of a user's turn, of instructions or of a tool's result as chat parts; empty texts are left out.
 * Throws: INVALID_REQUEST naming the part. Source: docs/protocols.md#s5-3.
 */
export function contentParts(parts: readonly Part[], rendering: Rendering): JsonObject[] {
  const rendered: JsonObject[] = [];
  for (const part of parts) addPart(part, rendered, rendering);
  return rendered;
}

/** Adds one part as chat parts. Throws: INVALID_REQUEST naming the part. */
export function addPart(part: Part, rendered: JsonObject[], rendering: Rendering): void {
  switch (part.kind) {
    case "text":
      addMarkedText(part, rendered, rendering);
      return;
    case "refusal":
    case "server_step":
      addText(part.text, rendered);
      return;
    case "image":
      rendered.push(withMark(imagePart(part, rendering), part.cache, rendering));
      return;
    case "document":
      addDocument(part, rendered, rendering);
      return;
    case "native":
      if (part.text === null) rendering.losses.dropped(part.type);
      else addText(part.text, rendered);
      return;
    case "tool_reference":
      addText(`Tool available: ${rendering.names.send(part.name)}`, rendered);
      return;
    case "audio":
      throw refusal(rendering.words.audio(part));
    case "reasoning":
    case "tool_call":
    case "tool_result":
      // The walk through the history takes them out before content is written.
      return;
  }
}

function addMarkedText({ text, cache }: TextPart, rendered: JsonObject[], rendering: Rendering): void {
  if (text !== "") rendered.push(withMark({ type: "text", text }, cache, rendering));
}

function addText(text: string, rendered: JsonObject[]): void {
  if (text !== "") rendered.push({ type: "text", text });
}

function withMark(part: JsonObject, cache: CacheMark | undefined, { profile }: Rendering): JsonObject {
  if (cache !== undefined && profile.cacheBreakpoint) part.prompt_cache_breakpoint = { mode: "explicit" };
  return part;
}

function imagePart(part: ImagePart, { profile, target, words, losses }: Rendering): JsonObject {
  const { media } = part;
  if (!profile.imagesIn) {
    if (target.compatibility !== "lenient")
      throw refusedHere(words.imagesRefused(part), "they are replaced by a note");
    losses.dropped("image");
    return { type: "text", text: omittedImage };
  }
  switch (media.form) {
    case "data":
      return imageUrl(`data:${media.mediaType};base64,${media.data}`);
    case "url":
      if (!profile.imageUrl || !/^https:\/\//i.test(media.url)) throw refusal(words.imageUrl(part));
      return imageUrl(media.url);
    case "other":
      throw refusal(words.imageForm(part));
  }
}

function imageUrl(url: string): JsonObject {
  return { type: "image_url", image_url: { url } };
}

function addDocument(part: DocumentPart, rendered: JsonObject[], rendering: Rendering): void {
  const { media, title } = part;
  if (part.cited) rendering.losses.dropped("citations");
  switch (media.form) {
    case "text":
      rendered.push({ type: "text", text: documentText(part, media.text) });
      return;
    case "parts":
      for (const inner of media.parts) addPart(inner, rendered, rendering);
      return;
    case "data": {
      if (!rendering.profile.pdfIn) throw refusal(rendering.words.pdf(part));
      const file_data = `data:application/pdf;base64,${media.data}`;
      rendered.push({ type: "file", file: { filename: title ?? "document.pdf", file_data } });
      return;
    }
    case "url":
    case "other":
      throw refusal(rendering.words.documentForm(part));
  }
}

function documentText({ title, context }: DocumentPart, text: string): string {
  return [title, context, text].filter((line) => line !== null && line !== "").join("\n");
}
