import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { STAND_IN } from "@/lib/protocols/generation/signature-stand-in";

/** The members of `contents` that decide about signatures. */
interface SignedContent {
  role?: unknown;
  parts?: unknown;
}

/**
 * Gives the first call of each model content in the current turn the stand-in where it has no signature, in place: newer
 * models refuse the request without one. The current turn begins at the last content of the user that has no result.
 * Returns whether anything changed. Source: docs/gemini.md#signatures.
 */
export function standIn(contents: readonly SignedContent[]): boolean {
  let changed = false;
  for (let at = contents.length - 1; at >= 0; at -= 1) {
    const content = contents[at];
    if (content === undefined) continue;
    const parts = partsOf(content);
    if (content.role !== "model") {
      if (!parts.some(({ functionResponse }) => functionResponse !== undefined)) return changed;
      continue;
    }
    const first = parts.find(({ functionCall }) => functionCall !== undefined);
    if (first === undefined || isText(first.thoughtSignature)) continue;
    first.thoughtSignature = STAND_IN;
    changed = true;
  }
  return changed;
}

function partsOf({ parts }: SignedContent): JsonObject[] {
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
