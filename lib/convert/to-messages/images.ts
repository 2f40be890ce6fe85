import type { Conversion } from "@/lib/convert/conversion";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import { refusedHere } from "@/lib/protocols/generation/compatibility";
import { isMessagesImage, parseDataUri, sniff } from "@/lib/protocols/passes/media";

/**
 * A chat image as an image block (or a document, for a PDF). Never fetched. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s4-4, #d9.
 */
export function imageBlock(image: unknown, at: string, conversion: Conversion): JsonObject {
  const param = `${at}.image_url.url`;
  const url = isObject(image) ? image.url : image;
  if (typeof url !== "string" || url === "") throw invalid(param, `${param} must be an https or data URL.`);
  if (!conversion.profile.imagesIn) return withoutVision(param, conversion);
  if (/^https:\/\//i.test(url)) return remoteImage(url, param, conversion);
  const media = parseDataUri(url);
  if (media === null) throw invalid(param, `${param} must be an https or data URL.`);
  if (media.mediaType === "application/pdf") return pdfBlock(media.data);
  return {
    type: "image",
    source: { type: "base64", media_type: imageType(media.mediaType, media.data, param), data: media.data },
  };
}

function pdfBlock(base64: string): JsonObject {
  return { type: "document", source: { type: "base64", media_type: "application/pdf", data: base64 } };
}

function remoteImage(url: string, param: string, conversion: Conversion): JsonObject {
  if (conversion.profile.imageUrl) return { type: "image", source: { type: "url", url } };
  throw invalid(param, `${param}: this model takes no image URLs; send the image as a data URL.`);
}

function withoutVision(param: string, conversion: Conversion): JsonObject {
  if (conversion.context.compatibility !== "lenient") {
    throw refusedHere(param, `${param}: this model takes no images.`, "they are replaced by a note");
  }
  conversion.warnings.dropped("image");
  return { type: "text", text: "[image omitted: this model takes no images]" };
}

function imageType(declared: string, data: string, param: string): string {
  const actual = sniff(data) ?? declared;
  if (isMessagesImage(actual)) return actual;
  throw invalid(param, `${param} must be a JPEG, PNG, GIF or WebP image, not ${actual}.`);
}
