import { type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { AudioPart, DocumentPart, ImagePart, Part } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { sniff } from "@/lib/protocols/passes/media";
import { omitsImage, omittedImage, type Rendering } from "@/lib/protocols/passes/rendering";

/** The media types of addresses by their endings; a node needs one for each address. */
const typeOfEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  heic: "image/heic",
  pdf: "application/pdf",
};

/**
 * Parts of a user's turn, of instructions or of a tool's result; empty texts are left out.
 * Throws: INVALID_REQUEST naming the part. Source: docs/gemini.md#to-nodes.
 */
export function contentParts(parts: readonly Part[], rendering: Rendering): JsonObject[] {
  const rendered: JsonObject[] = [];
  for (const part of parts) addPart(part, rendered, rendering);
  return rendered;
}

/** Adds a part with text, unless it is empty. */
export function addText(text: string, rendered: JsonObject[]): void {
  if (text !== "") rendered.push({ text });
}

/** Adds one part. Throws: INVALID_REQUEST naming the part. */
export function addPart(part: Part, rendered: JsonObject[], rendering: Rendering): void {
  const { losses, names } = rendering;
  switch (part.kind) {
    case "text":
    case "refusal":
      addText(part.text, rendered);
      return;
    case "image":
      rendered.push(imagePart(part, rendering));
      return;
    case "audio":
      rendered.push(audioPart(part, rendering));
      return;
    case "document":
      addDocument(part, rendered, rendering);
      return;
    case "server_step":
      losses.add(`changed:${part.type}`);
      addText(part.text, rendered);
      return;
    case "native":
      if (part.text === null) losses.dropped(part.type);
      else addText(part.text, rendered);
      return;
    case "tool_reference":
      addText(`Tool available: ${names.send(part.name)}`, rendered);
      return;
    case "reasoning":
    case "tool_call":
    case "tool_result":
      // The turn of the model writes reasoning and calls, `walkHistory` results.
      return;
  }
}

function imagePart(part: ImagePart, rendering: Rendering): JsonObject {
  const { profile, words, losses } = rendering;
  const { media, detail } = part;
  if (omitsImage(part, rendering)) return { text: omittedImage };
  if (detail !== null && detail !== "auto") losses.dropped("detail");
  switch (media.form) {
    case "data":
      return inline(sniff(media.data) ?? media.mediaType, media.data);
    case "url":
      if (!profile.imageUrl || !isPublic(media.url)) throw refusal(words.imageUrl(part));
      return file(media.url, "image/jpeg");
    case "other":
      throw refusal(words.imageForm(part));
  }
}

function audioPart(part: AudioPart, { words }: Rendering): JsonObject {
  if (part.media === undefined) throw refusal(words.audio(part));
  return inline(part.media.mediaType, part.media.data);
}

function addDocument(part: DocumentPart, rendered: JsonObject[], rendering: Rendering): void {
  const { profile, words, losses } = rendering;
  const { media } = part;
  if (part.cited) losses.dropped("citations");
  switch (media.form) {
    case "text":
      addText(withTitle(part, media.text), rendered);
      return;
    case "parts":
      for (const inner of media.parts) addPart(inner, rendered, rendering);
      return;
    case "data":
      if (media.mediaType !== "application/pdf") throw refusal(words.documentType(part, media.mediaType));
      if (!profile.pdfIn) throw refusal(words.pdf(part));
      addText(withTitle(part, ""), rendered);
      rendered.push(inline(media.mediaType, media.data));
      return;
    case "url":
      if (!profile.pdfIn || !isPublic(media.url)) throw refusal(words.documentForm(part));
      addText(withTitle(part, ""), rendered);
      rendered.push(file(media.url, "application/pdf"));
      return;
    case "other":
      throw refusal(words.documentForm(part));
  }
}

function withTitle({ title, context }: DocumentPart, text: string): string {
  return [title, context, text].filter((line) => line !== null && line !== "").join("\n");
}

function inline(mimeType: string, data: string): JsonObject {
  // Nodes read the standard alphabet only.
  return { inlineData: { mimeType, data: data.replaceAll("-", "+").replaceAll("_", "/") } };
}

function file(url: string, usualType: string): JsonObject {
  const ending = /\.(\w+)(?:$|[?#])/.exec(url)?.[1]?.toLowerCase() ?? "";
  return { fileData: { mimeType: rowOf(typeOfEnding, ending) ?? usualType, fileUri: url } };
}

function isPublic(url: string): boolean {
  return /^https:\/\//i.test(url);
}
