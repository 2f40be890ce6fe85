import { isObject, type JsonObject } from "@/lib/kernel/json";

interface Names {
  toolNames?: ReadonlyMap<string, string>;
}

/** Turns the tool name of one content block back, in place; true when it changed. Source: docs/protocols.md#s7. */
export function turnNameBack(block: JsonObject, { toolNames }: Names): boolean {
  if (block.type !== "tool_use" || typeof block.name !== "string") return false;
  const name = toolNames?.get(block.name);
  if (name === undefined) return false;
  block.name = name;
  return true;
}

/** Turns the tool names of a whole message back, in place; true when any changed. */
export function turnBlockNamesBack(message: JsonObject, names: Names): boolean {
  if (!Array.isArray(message.content)) return false;
  let changed = false;
  for (const block of message.content) if (isObject(block) && turnNameBack(block, names)) changed = true;
  return changed;
}
