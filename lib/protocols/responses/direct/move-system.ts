import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { systemMarker } from "@/lib/protocols/passes/rendering";
import type { Profile } from "@/lib/protocols/profiles/profile";

/**
 * Moves the system and developer messages of a client's own input for a node whose prompt template allows one, at the
 * start: those at the start join the instructions; later ones become user messages after the results of tools, or join
 * the instructions too if `midSystem` is `merge`. Changes `body`, unless nothing must change.
 * Source: docs/responses.md#s3-3.
 */
export function moveSystemItems(body: JsonObject, midSystem: Profile["midSystem"]): void {
  const { input, instructions } = body;
  if (midSystem === "native" || !Array.isArray(input)) return;
  const items: unknown[] = input;
  const rest = items.findIndex((item) => !isSystem(item));
  const leading = items.slice(0, rest === -1 ? items.length : rest).filter(isSystem);
  const others = items.slice(leading.length);
  const later = others.filter(isSystem);
  const joins = midSystem === "merge" ? [...leading, ...later] : leading;
  const own = typeof instructions === "string" && instructions !== "" ? [instructions] : [];
  if (own.length + joins.length < 2 && later.length === 0) return;
  const text = [...own, ...joins.map(textOf)].filter((part) => part !== "").join("\n\n");
  if (text !== "") body.instructions = text;
  body.input = midSystem === "merge" ? others.filter((item) => !isSystem(item)) : asUserMessages(others);
}

function isSystem(item: unknown): item is JsonObject {
  return isObject(item) && (item.role === "system" || item.role === "developer");
}

function textOf({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : []))
    .join("\n");
}

function asUserMessages(items: readonly unknown[]): unknown[] {
  const placed: unknown[] = [];
  let waiting: JsonObject[] = [];
  for (const item of items) {
    if (isSystem(item)) {
      waiting.push({ type: "message", role: "user", content: `${systemMarker}\n${textOf(item)}` });
      continue;
    }
    if (!isOutput(item)) {
      placed.push(...waiting);
      waiting = [];
    }
    placed.push(item);
  }
  return [...placed, ...waiting];
}

function isOutput(item: unknown): boolean {
  return isObject(item) && typeof item.type === "string" && item.type.endsWith("_output");
}
