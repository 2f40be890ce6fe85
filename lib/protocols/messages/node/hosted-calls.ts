import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { PricedTool } from "@/lib/kernel/usage";
import { count } from "@/lib/protocols/generation/counts";

/** The names of the node's own call counts in `usage.server_tool_use`. */
const counters: readonly (readonly [name: string, tool: PricedTool])[] = [
  ["web_search_requests", "webSearch"],
  ["code_execution_requests", "codeInterpreter"],
];

/** The counts of billed calls in a `usage` object. */
export function hostedTotals({ server_tool_use: used }: JsonObject): [PricedTool, number][] {
  if (!isObject(used)) return [];
  return counters.flatMap(([name, tool]): [PricedTool, number][] => {
    const total = count(used[name]);
    return total === undefined ? [] : [[tool, total]];
  });
}

/** Types of results of one billed call each. A failed call is not billed. */
const results: Readonly<Record<string, PricedTool>> = {
  web_search_tool_result: "webSearch",
  code_execution_tool_result: "codeInterpreter",
  bash_code_execution_tool_result: "codeInterpreter",
  text_editor_code_execution_tool_result: "codeInterpreter",
};

/** The tool of a result block whose call is billed; null: none. Source: docs/responses.md#s3-6. */
export function hostedResult({ type, content }: JsonObject): PricedTool | null {
  if (typeof type !== "string" || !Object.hasOwn(results, type)) return null;
  const failed = isObject(content) && String(content.type).endsWith("_error");
  return failed ? null : (results[type] ?? null);
}
