import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { failureOf, wholeErrors } from "@/lib/protocols/failures/failure-body";

/**
 * A whole chat answer as the chunks of a stream: one chunk with the whole messages as deltas. It has at most as many
 * choices as were requested; their order is their index. A body that is no chat answer becomes an error chunk.
 * Source: docs/protocols.md#s12-1, #s13-3.
 */
export function chatChunks(body: unknown, asked = 1): JsonObject[] {
  if (!isObject(body)) return [{ error: { message: wholeErrors.notAnObject } }];
  if (failureOf(body) !== null) return [body];
  const choices = Array.isArray(body.choices) ? body.choices.filter(isObject) : [];
  if (choices.length === 0) return [{ error: { message: wholeErrors.noChoices } }];
  return [{ ...body, object: "chat.completion.chunk", choices: choices.slice(0, asked).map(asDelta) }];
}

function asDelta(choice: JsonObject, place: number): JsonObject {
  const delta: JsonObject = isObject(choice.message) ? { ...choice.message } : {};
  if (Array.isArray(delta.tool_calls)) delta.tool_calls = numbered(delta.tool_calls.filter(isObject));
  const chunk: JsonObject = {};
  for (const key in choice) if (key !== "message") chunk[key] = choice[key];
  chunk.index = place;
  chunk.delta = delta;
  return chunk;
}

/** Whole calls are identified by their position in the list, not by their ids and indexes. */
function numbered(calls: JsonObject[]): JsonObject[] {
  const seen = new Set<unknown>();
  return calls.map((call, index) => {
    const copy: JsonObject = { ...call, index };
    if (isObject(call.function)) copy.function = { arguments: "", ...call.function };
    if (seen.has(call.id)) delete copy.id;
    seen.add(call.id);
    return copy;
  });
}
