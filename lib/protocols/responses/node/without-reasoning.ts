import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** See `NodeAdapter.withoutReasoning`. */
export function withoutReasoning(body: JsonObject): JsonObject | null {
  const { input } = body;
  if (!Array.isArray(input)) return null;
  const kept = input.filter((item: unknown) => !isObject(item) || item.type !== "reasoning");
  return kept.length === input.length ? null : { ...body, input: kept };
}
