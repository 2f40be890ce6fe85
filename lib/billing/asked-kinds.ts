import type { JsonObject } from "@/lib/kernel/json-object";
import type { TokenKind } from "@/lib/shared/prices/token-kinds";
import { IMAGE_TYPES } from "./token-estimate";

/** Types of parts that are sound. */
const AUDIO_TYPES: ReadonlySet<unknown> = new Set(["input_audio", "audio", "audio_url"]);

/**
 * The kinds of tokens, among those that only some requests have, that this request can have. A model with a price of images
 * may answer with one unasked. `among`: the kinds that matter. Source: docs/reliability.md#s2-4.
 */
export function askedKinds(
  body: Readonly<JsonObject>,
  among: ReadonlySet<TokenKind>,
): ReadonlySet<TokenKind> {
  const found = new Set<TokenKind>();
  if (among.has("imageOutput")) found.add("imageOutput");
  if (among.has("audioOutput") && asksForAudio(body)) found.add("audioOutput");
  const pending: unknown[] = [body];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) for (const entry of value) pending.push(entry);
    else if (typeof value === "object" && value !== null) {
      noteKinds(value, found);
      for (const member of Object.values(value)) if (typeof member === "object") pending.push(member);
    }
  }
  return new Set([...found].filter((kind) => among.has(kind)));
}

function asksForAudio({ modalities, audio }: Readonly<JsonObject>): boolean {
  return audio != null || (Array.isArray(modalities) && modalities.includes("audio"));
}

function noteKinds(value: object, found: Set<TokenKind>): void {
  const type = "type" in value ? value.type : null;
  if (IMAGE_TYPES.has(type)) found.add("imageInput");
  if (AUDIO_TYPES.has(type)) found.add("audioInput");
  if ("audio" in value && value.audio != null) found.add("audioInput");
  if ("ttl" in value && value.ttl === "1h") found.add("cacheWrite1h");
}
