import type { PathCall } from "@/lib/protocols/adapters/client-request";

/** The canonical path of models; the last colon separates a model's name from the method. */
const METHOD_OF_MODEL = /^\/v1beta\/models\/(.+):(\w+)$/s;

/**
 * What a path asks for: `models/{model}:{method}`; null for what is not served. Source: docs/gemini.md#paths.
 */
export function geminiPath(path: string): PathCall | null {
  const [, model = "", method] = METHOD_OF_MODEL.exec(path) ?? [];
  switch (method) {
    case "generateContent":
      return { operation: "generate", fields: { model, stream: false } };
    case "streamGenerateContent":
      return { operation: "generate", fields: { model, stream: true } };
    case "countTokens":
      return { operation: "count", fields: { model, stream: false } };
    case "embedContent":
    case "batchEmbedContents":
      return { operation: "embed", fields: { model } };
    default:
      return null;
  }
}
