import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { PricedTool } from "@/lib/kernel/usage";

/** Types of tools, and of the items of their calls, begin with these words. */
const pricedTypes: readonly (readonly [prefix: string, tool: PricedTool])[] = [
  ["web_search", "webSearch"],
  ["file_search", "fileSearch"],
  ["code_interpreter", "codeInterpreter"],
  ["image_generation", "imageGeneration"],
];

/** The tool that an alias may have a price for, by the type of its definition or its call; null: none. */
export function pricedToolOf(type: unknown): PricedTool | null {
  if (typeof type !== "string") return null;
  return pricedTypes.find(([prefix]) => type.startsWith(prefix))?.[1] ?? null;
}

/**
 * The tool that an item of an answer is one billed call of; null: none. Of the actions of a search only the search itself
 * is billed, not what opens a page or reads in it. Source: docs/responses.md#s3-6.
 */
export function pricedCallOf(type: string, { status, action }: JsonObject): PricedTool | null {
  const tool = type.endsWith("_call") && status !== "failed" ? pricedToolOf(type) : null;
  if (tool !== "webSearch" || !isObject(action)) return tool;
  return action.type === undefined || action.type === "search" ? tool : null;
}
