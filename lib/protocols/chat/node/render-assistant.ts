import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Target } from "@/lib/protocols/adapters/rendered";
import { giveBack, isCarried, signFirstCall } from "@/lib/protocols/chat/carried-members";
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  Turn,
} from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { isGatewayTag, openTag } from "@/lib/protocols/passes/reasoning-seal";
import { omitsImage, omittedImage, type Rendering } from "@/lib/protocols/passes/rendering";
import type { HistoryWalk } from "@/lib/protocols/passes/tool-pairing";

/** A turn of the model as one chat message; null when it has no content. Source: docs/protocols.md#s5-2, #s5-3. */
export function assistantMessage(turn: Turn, calls: HistoryWalk, rendering: Rendering): JsonObject | null {
  const toolCalls: JsonObject[] = [];
  const reasoning: ReasoningPart[] = [];
  let text = "";
  for (const part of turn.parts) {
    if (part.kind === "tool_call") toolCalls.push(toolCall(part, calls.open(part), rendering));
    else if (part.kind === "reasoning") reasoning.push(part);
    else {
      const words = wordsOf(part, rendering);
      if (words !== "" && toolCalls.length > 0) rendering.losses.add("changed:content_order");
      text += words;
    }
  }
  const silent = text === "" && toolCalls.length > 0 && rendering.profile.nullContent;
  const message: JsonObject = { role: "assistant", content: silent ? null : text };
  const thought = addReasoning(message, reasoning, rendering);
  if (reasoning.some((part) => isUnreadable(part, rendering))) rendering.losses.dropped("reasoning_content");
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  const carried = reasoning.flatMap((part) => carriedBy(part, rendering.target));
  giveBack(message, carried);
  if (toolCalls.length === 0) return !thought && carried.length === 0 && text.trim() === "" ? null : message;
  if (rendering.profile.emptyReasoning) message.reasoning_content ??= "";
  if (rendering.profile.signedCalls) signFirstCall(toolCalls);
  return message;
}

function toolCall(part: ToolCallPart, id: string, { names }: Rendering): JsonObject {
  if (part.custom)
    return { id, type: "custom", custom: { name: names.send(part.name), input: String(part.input ?? "") } };
  const args = part.inputIsText ? String(part.input) : printJson(part.input ?? {});
  return { id, type: "function", function: { name: names.send(part.name), arguments: args } };
}

function wordsOf(part: Part, { losses, words }: Rendering): string {
  switch (part.kind) {
    case "text":
    case "refusal":
      return part.text;
    case "server_step":
      losses.add(`changed:${part.type}`);
      return `${part.text}\n`;
    case "native":
      if (part.text === null) losses.dropped(part.type);
      return part.text ?? "";
    case "image":
    case "document":
      losses.dropped(part.kind);
      return "";
    case "audio":
      throw refusal(words.audio(part));
    case "reasoning":
    case "tool_call":
    case "tool_result":
    case "tool_reference":
      return "";
  }
}

/** Adds the reasoning that the node reads; true when there is any. Source: docs/protocols.md#s8-4. */
function addReasoning(
  message: JsonObject,
  parts: readonly ReasoningPart[],
  { profile, target }: Rendering,
): boolean {
  switch (profile.reasoningEcho) {
    case "none":
      return false;
    case "reasoning_content": {
      const texts = parts.flatMap(({ text }) => (text === null || text === "" ? [] : [text]));
      if (texts.length > 0) message.reasoning_content = texts.join("\n");
      return texts.length > 0;
    }
    case "reasoning_details": {
      const details = parts.flatMap((part, index) => detail(part, index, target));
      if (details.length > 0) message.reasoning_details = details;
      return details.length > 0;
    }
  }
}

/** True for reasoning that only another vendor can read, unless the node gets its text. */
function isUnreadable({ sealed, format, text }: ReasoningPart, { profile, target }: Rendering): boolean {
  if (sealed === null || format === null || opaqueOf(sealed, target) !== null) return false;
  return profile.reasoningEcho !== "reasoning_content" || (text ?? "") === "";
}

/** The members of the turn that this node requires back. */
function carriedBy({ signature, sealed }: ReasoningPart, target: Target): string[] {
  const ours = [sealed, signature].find(isGatewayTag);
  const opaque = ours == null ? null : (target.openReasoning(ours)?.opaque ?? null);
  return opaque !== null && isCarried(opaque) ? [opaque] : [];
}

function opaqueOf(sealed: string, target: Target): string | null {
  const opaque = target.openReasoning(sealed)?.opaque ?? null;
  if (opaque !== null) return isCarried(opaque) ? null : opaque;
  return openTag(sealed, target.alias, target.provenanceKey);
}

function detail({ text, signature, sealed }: ReasoningPart, index: number, target: Target): JsonObject[] {
  if (sealed !== null) {
    const data = opaqueOf(sealed, target);
    return data === null ? [] : [{ type: "reasoning.encrypted", data, index }];
  }
  if (text === null) return [];
  const isReal = signature !== null && !isGatewayTag(signature);
  return [{ type: "reasoning.text", text, ...(isReal ? { signature } : {}), index }];
}

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
      // `walkHistory` writes results, `assistantMessage` the others.
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

function imagePart(part: ImagePart, rendering: Rendering): JsonObject {
  const { profile, words } = rendering;
  const { media } = part;
  if (omitsImage(part, rendering)) return { type: "text", text: omittedImage };
  switch (media.form) {
    case "data":
      return imageUrl(`data:${media.mediaType};base64,${media.data}`, part);
    case "url":
      if (!profile.imageUrl || !/^https:\/\//i.test(media.url)) throw refusal(words.imageUrl(part));
      return imageUrl(media.url, part);
    case "other":
      throw refusal(words.imageForm(part));
  }
}

function imageUrl(url: string, { detail }: ImagePart): JsonObject {
  return { type: "image_url", image_url: detail === null ? { url } : { url, detail } };
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
