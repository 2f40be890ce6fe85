import type { JsonObject } from "@/lib/kernel/json-object";
import type { Turn } from "./turn";

/**
 * What a user said, with the images whose data is there, in the words of a protocol. `imageOf` writes an image of a data
 * URL, `textType` is the type of a part with text.
 */
export function userContent(
  { text, images }: Extract<Turn, { role: "user" }>,
  imageOf: (url: string, mediaType: string) => JsonObject,
  textType: string,
): string | JsonObject[] {
  const parts = images.flatMap(({ url, mediaType }) => (url === null ? [] : [imageOf(url, mediaType)]));
  // No protocol takes a message without anything in it.
  if (parts.length === 0) return text === "" ? images.map(({ name }) => `[${name}]`).join(" ") : text;
  return text === "" ? parts : [...parts, { type: textType, text }];
}
