import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** What a chat client wants of the shape of its answer. */
export interface ChatWishes {
  /** A stream ends with a chunk that holds the usage. */
  includeUsage: boolean;
  /** The request defines `functions`: calls are answered as `function_call`. */
  legacyFunctions: boolean;
}

/** Reads them from a client's validated body. Source: docs/protocols.md#s4-1, #s9-1. */
export function chatWishes(request: JsonObject): ChatWishes {
  const { stream_options: stream, functions } = request;
  return {
    includeUsage: isObject(stream) && stream.include_usage === true,
    legacyFunctions: Array.isArray(functions) && functions.length > 0,
  };
}
