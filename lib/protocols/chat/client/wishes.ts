import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** A chat client's wishes for the form of its answer. */
export interface ChatWishes {
  /** The stream ends with a chunk that contains the usage. */
  includeUsage: boolean;
  /** The request defines `functions`: calls are sent as `function_call`. */
  legacyFunctions: boolean;
}

/** Reads the wishes in a client's validated body. Source: docs/protocols.md#s4-1, #s9-1. */
export function chatWishes(request: JsonObject): ChatWishes {
  const { stream_options: stream, functions } = request;
  return {
    includeUsage: isObject(stream) && stream.include_usage === true,
    legacyFunctions: Array.isArray(functions) && functions.length > 0,
  };
}
