import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** The parts that are removed from an answer for this client, and the client's tool names. */
export interface Trimming {
  hideReasoning?: boolean;
  /** Only the first tool call is sent. */
  singleToolCall?: boolean;
  /** Upstream's tool name → the client's. */
  toolNames?: ReadonlyMap<string, string>;
}

/**
 * Removes the parts of a delta or message that this client must not get, and restores tool names, in place.
 * Returns whether anything changed, and whether the rest is empty. Source: docs/protocols.md#s6-1, #s7, #s8-2, #d10.
 */
export function trimDelta(delta: JsonObject, options: Trimming): { edited: boolean; empty: boolean } {
  let edited = false;
  if (options.hideReasoning) {
    for (const key of ["reasoning", "reasoning_content", "reasoning_details"]) {
      if (!(key in delta)) continue;
      delete delta[key];
      edited = true;
    }
  }
  if (options.singleToolCall && keepFirstCall(delta)) edited = true;
  if (options.toolNames && options.toolNames.size > 0 && turnNamesBack(delta, options.toolNames))
    edited = true;
  return { edited, empty: edited && Object.keys(delta).length === 0 };
}

function keepFirstCall(delta: JsonObject): boolean {
  if (!Array.isArray(delta.tool_calls)) return false;
  const calls = delta.tool_calls;
  const kept = calls.filter((call, place) => isObject(call) && (call.index ?? place) === 0);
  if (kept.length === calls.length) return false;
  if (kept.length > 0) delta.tool_calls = kept;
  else delete delta.tool_calls;
  return true;
}

function turnNamesBack(delta: JsonObject, toolNames: ReadonlyMap<string, string>): boolean {
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : [];
  const parts = [...calls.map((call) => call.function), delta.function_call].filter(isObject);
  let edited = false;
  for (const part of parts) {
    const name = typeof part.name === "string" ? toolNames.get(part.name) : undefined;
    if (name === undefined) continue;
    part.name = name;
    edited = true;
  }
  return edited;
}
