import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { Warnings } from "@/lib/protocols/generation/losses";

/**
 * The arguments of a call in a history as the object the messages protocol demands. What is no object is kept
 * whole under `_raw_arguments`: dropping the call would orphan its result. Source: docs/protocols.md#s4-5-3.
 */
export function toolInput(args: unknown, warnings: Warnings): JsonObject {
  if (isObject(args)) return args;
  if (args === null || args === undefined) return {};
  const text = typeof args === "string" ? args : JSON.stringify(args);
  if (text.trim() === "") return {};
  const parsed = parse(text);
  if (isObject(parsed)) return parsed;
  warnings.add("changed:tool_calls.arguments");
  return { _raw_arguments: text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
