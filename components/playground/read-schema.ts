import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { type JsonErrorPlace, jsonErrorPlace } from "@/lib/shared/json-error";

/** Why a text is no JSON schema. */
export type SchemaProblem = ({ kind: "json" | "jsonEnd" } & JsonErrorPlace) | { kind: "object" };

/** The JSON schema of a text; none for an empty one. */
export function readSchema(text: string): { schema: JsonObject | null } | { problem: SchemaProblem } {
  if (text.trim() === "") return { schema: null };
  const value = parseJson(text);
  if (value === undefined) {
    const place = jsonErrorPlace(text);
    return { problem: { kind: place.found === "" ? "jsonEnd" : "json", ...place } };
  }
  return isObject(value) && !Array.isArray(value) ? { schema: value } : { problem: { kind: "object" } };
}
