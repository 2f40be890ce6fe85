import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** Turns the node's names of tools back into the client's, in every call of an answer or a chunk. Returns: it changed `body`. */
export function turnNamesBack(body: JsonObject, toolNames: ReadonlyMap<string, string>): boolean {
  let changed = false;
  for (const candidate of objectsOf(body.candidates)) {
    const parts = isObject(candidate.content) ? objectsOf(candidate.content.parts) : [];
    for (const { functionCall } of parts) {
      if (!isObject(functionCall)) continue;
      const name = toolNames.get(String(functionCall.name));
      if (name === undefined) continue;
      functionCall.name = name;
      changed = true;
    }
  }
  return changed;
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
