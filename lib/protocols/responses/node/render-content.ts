import type { JsonObject } from "@/lib/kernel/json-object";
import type { CacheMark, DocumentPart, ImagePart, Part } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { omitsImage, omittedImage, type Rendering } from "@/lib/protocols/passes/rendering";

/**
 * The parts of a user's turn, of instructions or of a tool's result as input parts; empty texts are left out.
 * Throws: INVALID_REQUEST naming the part. Source: docs/responses.md#s3-7.
 */
export function contentParts(parts: readonly Part[], rendering: Rendering): JsonObject[] {
  const rendered: JsonObject[] = [];
  for (const part of parts) addPart(part, rendered, rendering);
  return rendered;
}

function addPart(part: Part, rendered: JsonObject[], rendering: Rendering): void {
  switch (part.kind) {
    case "text":
      if (part.text !== "") rendered.push(withMark(inputText(part.text), part.cache, rendering));
      return;
    case "refusal":
    case "server_step":
      if (part.text !== "") rendered.push(inputText(part.text));
      return;
    case "image":
      rendered.push(withMark(imagePart(part, rendering), part.cache, rendering));
      return;
    case "document":
      addDocument(part, rendered, rendering);
      return;
    case "native":
      if (part.text === null) rendering.losses.dropped(part.type);
      else if (part.text !== "") rendered.push(inputText(part.text));
      return;
    case "tool_reference":
      rendered.push(inputText(`Tool available: ${rendering.names.send(part.name)}`));
      return;
    case "audio":
      throw refusal(rendering.words.audio(part));
    case "reasoning":
    case "tool_call":
    case "tool_result":
      // `walkHistory` writes results, the turn of the model the others.
      return;
  }
}

function inputText(text: string): JsonObject {
  return { type: "input_text", text };
}

function withMark(part: JsonObject, cache: CacheMark | undefined, { profile }: Rendering): JsonObject {
  if (cache !== undefined && profile.cacheBreakpoint) part.prompt_cache_breakpoint = { mode: "explicit" };
  return part;
}

function imagePart(part: ImagePart, rendering: Rendering): JsonObject {
  const { profile, words } = rendering;
  const { media } = part;
  if (omitsImage(part, rendering)) return inputText(omittedImage);
  const detail = part.detail === null ? {} : { detail: part.detail };
  switch (media.form) {
    case "data":
      return {
        type: "input_image",
        image_url: `data:${media.mediaType};base64,${media.data}`,
        ...detail,
      };
    case "url":
      if (!profile.imageUrl || !/^https:\/\//i.test(media.url)) throw refusal(words.imageUrl(part));
      return { type: "input_image", image_url: media.url, ...detail };
    case "other":
      throw refusal(words.imageForm(part));
  }
}

function addDocument(part: DocumentPart, rendered: JsonObject[], rendering: Rendering): void {
  const { media, title, context } = part;
  if (part.cited) rendering.losses.dropped("citations");
  switch (media.form) {
    case "text": {
      const lines = [title, context, media.text].filter((line) => line !== null && line !== "");
      rendered.push(withMark(inputText(lines.join("\n")), part.cache, rendering));
      return;
    }
    case "parts":
      for (const inner of media.parts) addPart(inner, rendered, rendering);
      return;
    case "data": {
      if (!rendering.profile.pdfIn) throw refusal(rendering.words.pdf(part));
      const file_data = `data:${media.mediaType};base64,${media.data}`;
      const file = { type: "input_file", filename: title ?? "document.pdf", file_data };
      rendered.push(withMark(file, part.cache, rendering));
      return;
    }
    case "url":
      if (!rendering.profile.imageUrl || !/^https:\/\//i.test(media.url))
        throw refusal(rendering.words.documentForm(part));
      rendered.push(withMark({ type: "input_file", file_url: media.url }, part.cache, rendering));
      return;
    case "other":
      throw refusal(rendering.words.documentForm(part));
  }
}
