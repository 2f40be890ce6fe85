import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { STAND_IN } from "@/lib/protocols/gemini/signatures";

/** See `NodeAdapter.withoutReasoning`: each signed call gets the stand-in, other parts lose their signature. */
export function withoutSignatures(body: JsonObject): JsonObject | null {
  const contents: unknown[] = Array.isArray(body.contents) ? body.contents : [];
  const kept = contents.map((content) => (isObject(content) ? withoutSigned(content) : content));
  return kept.some((content, at) => content !== contents[at]) ? { ...body, contents: kept } : null;
}

function withoutSigned(content: JsonObject): JsonObject {
  const parts: unknown[] = Array.isArray(content.parts) ? content.parts : [];
  if (!parts.some(isSigned)) return content;
  const kept = parts.flatMap((part): unknown[] => {
    if (!isSigned(part)) return [part];
    const { thoughtSignature: _signature, ...rest } = part;
    if (rest.functionCall !== undefined) return [{ ...rest, thoughtSignature: STAND_IN }];
    return rest.text === "" ? [] : [rest];
  });
  return { ...content, parts: kept.length === 0 ? [{ text: "" }] : kept };
}

function isSigned(part: unknown): part is JsonObject {
  return isObject(part) && typeof part.thoughtSignature === "string" && part.thoughtSignature !== STAND_IN;
}
