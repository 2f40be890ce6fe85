import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { PricedTool } from "@/lib/kernel/usage";

/** The prefixes of tool types, and of the item types of their calls. */
const pricedTypes: readonly (readonly [prefix: string, tool: PricedTool])[] = [
  ["web_search", "webSearch"],
  ["file_search", "fileSearch"],
  ["code_interpreter", "codeInterpreter"],
  ["image_generation", "imageGeneration"],
];

/** The tool that an alias may have a price for, by the type of its definition or of its call; null: none. */
export function pricedToolOf(type: unknown): PricedTool | null {
  if (typeof type !== "string") return null;
  return pricedTypes.find(([prefix]) => type.startsWith(prefix))?.[1] ?? null;
}

/**
 * The tool of an item that is one billed call; null: none. Of the actions of a web search only the search is billed,
 * not opening a page or searching in it. Source: docs/responses.md#s3-6.
 */
export function pricedCallOf(type: string, { status, action }: JsonObject): PricedTool | null {
  const tool = type.endsWith("_call") && status !== "failed" ? pricedToolOf(type) : null;
  if (tool !== "webSearch" || !isObject(action)) return tool;
  return action.type === undefined || action.type === "search" ? tool : null;
}
