import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { STAND_IN } from "@/lib/protocols/generation/signature-stand-in";

/**
 * See `NodeAdapter.withoutReasoning`: the first call of each content gets the stand-in, other parts lose their signature.
 * Null: the body is like that already.
 */
export function withoutSignatures(body: JsonObject): JsonObject | null {
  const contents: unknown[] = Array.isArray(body.contents) ? body.contents : [];
  const kept = contents.map((content) => (isObject(content) ? withStandIn(content) : content));
  return kept.some((content, at) => content !== contents[at]) ? { ...body, contents: kept } : null;
}

function withStandIn(content: JsonObject): JsonObject {
  const parts = Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
  const first = parts.find(({ functionCall }) => functionCall !== undefined);
  const wanted = (part: JsonObject) => (part === first ? STAND_IN : undefined);
  if (parts.every((part) => part.thoughtSignature === wanted(part))) return content;
  const kept = parts.flatMap((part): JsonObject[] => {
    const { thoughtSignature, ...rest } = part;
    if (part === first) return [{ ...rest, thoughtSignature: STAND_IN }];
    return thoughtSignature !== undefined && rest.text === "" ? [] : [rest];
  });
  return { ...content, parts: kept.length === 0 ? [{ text: "" }] : kept };
}
