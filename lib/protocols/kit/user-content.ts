import type { JsonObject } from "@/lib/kernel/json-object";
import type { Turn } from "./turn";

/**
 * The content of a user turn in the form of a protocol, with the images whose data is present. `imageOf` writes an
 * image of a data URL, `textType` is the type of a text part.
 */
export function userContent(
  { text, images }: Extract<Turn, { role: "user" }>,
  imageOf: (url: string, mediaType: string) => JsonObject,
  textType: string,
): string | JsonObject[] {
  const parts = images.flatMap(({ url, mediaType }) => (url === null ? [] : [imageOf(url, mediaType)]));
  // No protocol accepts an empty message.
  if (parts.length === 0) return text === "" ? images.map(({ name }) => `[${name}]`).join(" ") : text;
  return text === "" ? parts : [...parts, { type: textType, text }];
}
